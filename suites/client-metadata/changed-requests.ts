import { attempt, type Attempt } from "../support/actors/authorization.ts";
import { type AuthorizationRequest, authorizationRequest } from "../support/actors/oauth-client.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { otherClients } from "../support/material/other-clients.ts";
import type { Target } from "../support/target/target.ts";
import type { Parameters } from "../support/wire/parameters.ts";

/** Those of {@link otherClients}, with the words that a claim about their authorization requests begins with. */
export const requestingClients = otherClients.map((other) => ({
  ...other,
  whose: { document: "With a URL as `client_id`", operator: "For an operator-registered client" }[
    other.client
  ],
}));

/** Sends an authorization request of such a client, changed in one place. */
export async function attemptChanged(
  target: Target,
  kind: (typeof otherClients)[number]["client"],
  change: (request: AuthorizationRequest) => Parameters,
): Promise<Attempt> {
  const request = authorizationRequest(target, await authorizingClient(target, kind));
  return attempt(target, { client: request.client, parameters: change(request) });
}
