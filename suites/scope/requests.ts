import { authorizationRequest, codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";

/** How a request for a scope ended, and the answer to the exchange of its code where there was one. */
export interface Outcome {
  readonly seen: Attempt;
  readonly exchange?: Exchange;
}

/**
 * Asks for a scope, as a person who approves all of it, and exchanges a code that comes of it.
 *
 * @throws {InconclusiveError} control-refused, when the same request with both scopes is refused too
 */
export async function askingFor(target: Target, scope: string): Promise<Outcome> {
  const client = await authorizingClient(target);
  const { parameters, verifier } = authorizationRequest(target, client);
  const seen = await attempt(target, { client, parameters: replacing(parameters, "scope", scope) });
  const code = codeIn(seen.end);
  if (code === undefined) return { seen };
  target.spend("grants");
  const redirectUri = client.redirect_uris[0] ?? "";
  return {
    seen,
    exchange: await postToken(target, codeExchange({ code, client, verifier, redirect_uri: redirectUri })),
  };
}
