import { endInWords } from "../support/judging/expected-code.ts";
import { authorizationRequest, codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { replacing } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { scopesIn } from "./scoped-tokens.ts";

/** How a request for a scope ended, and the answer to the exchange of its code where there was one. */
export interface Outcome {
  readonly seen: Attempt;
  readonly exchange?: Exchange;
}

/**
 * Asks for a scope, as a person who approves all of it, and exchanges a code that it yields.
 *
 * @param browser - sends the authorization request
 * @throws {InconclusiveError} control-refused, when the same request with both scopes is refused too
 */
export async function askingFor(target: Target, scope: string, browser = target): Promise<Outcome> {
  const client = await authorizingClient(target);
  const { parameters, verifier } = authorizationRequest(target, client);
  const seen = await attempt(browser, { client, parameters: replacing(parameters, "scope", scope) });
  const code = codeIn(seen.end);
  if (code === undefined) return { seen };
  target.spend("grants");
  const redirectUri = client.redirect_uris[0] ?? "";
  return {
    seen,
    exchange: await postToken(target, codeExchange({ code, client, verifier, redirect_uri: redirectUri })),
  };
}

/** What a request for a scope was granted: the last answer, and why it is not a grant. */
export interface ScopeGrant {
  readonly exchange: Exchange;
  readonly refusal: string | undefined;
}

/** {@link askingFor}, where a grant is expected. */
export async function grantFor(target: Target, scope: string, browser = target): Promise<ScopeGrant> {
  const { seen, exchange } = await askingFor(target, scope, browser);
  if (exchange !== undefined)
    return { exchange, refusal: isSuccess(exchange) ? undefined : summary(exchange) };
  return { exchange: seen.end.exchange, refusal: endInWords(seen) };
}

/**
 * The scopes of a token response, in the order in which it names them.
 *
 * @throws {Violation} when the request was refused, or the response names no scope
 */
export function expectGranted({ exchange, refusal }: ScopeGrant): readonly string[] {
  if (refusal !== undefined) throw new Violation("tokens", refusal, { exchange });
  const { scope } = jsonMembers(exchange);
  if (typeof scope !== "string")
    throw new Violation("a token response with scope", `scope ${shown(scope)}`, {
      exchange,
      explainedBy: "TOKEN-01",
    });
  return scopesIn(scope);
}
