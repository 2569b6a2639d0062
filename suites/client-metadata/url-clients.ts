import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { attempt, type Attempt } from "../support/actors/authorization.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { summary } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, warning } from "../support/verdict.ts";

/** A host that no name server knows (RFC 6761 §6.4), so that a URL there has no document. */
export const unresolvable = "client.invalid";

/**
 * A request that a registered client is authorized with, but for a `client_id` that names no client. Nothing counts as
 * registered for it, so that any redirect is one too many.
 *
 * @throws {InconclusiveError} control-refused, when the registered client is refused too
 */
export async function attemptAs(target: Target, clientId: string): Promise<Attempt> {
  const { parameters } = authorizationRequest(target, await authorizingClient(target));
  return attempt(target, {
    client: { redirect_uris: [] },
    parameters: replacing(parameters, "client_id", clientId),
  });
}

/** Any 4xx without a redirect; a 5xx, as of a fetch that failed, is tolerated with a warning (C-97). */
export function expectNoClient(seen: Attempt): Warning | undefined {
  const { end } = seen;
  return end.kind === "answer" && end.exchange.response.status >= 500
    ? warning(`refused with ${summary(end.exchange)}`)
    : expectNoRedirect(seen);
}
