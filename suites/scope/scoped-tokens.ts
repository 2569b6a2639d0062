import { controlRefused } from "../support/wire/control-refused.ts";
import { shown } from "../support/judging/expect.ts";
import { type Grant, type GrantSpec, sharedGrant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";

/** The scopes of a token response; their order is free. */
export function scopesIn(scope: string): string[] {
  return scope.split(" ").filter((name) => name !== "");
}

/**
 * A token whose response says mail.read and nothing else: the response is authoritative, not the request.
 * Document, "Authentication", OAuth 2.0 path 7.
 *
 * @throws {InconclusiveError} control-refused, when the target grants something else for such a request
 */
export async function readOnlyToken(target: Target): Promise<string> {
  return requireReadOnly(await sharedGrant(target, { scope: "mail.read" })).tokens.access_token;
}

/** @throws {InconclusiveError} control-refused, when the grant is not for mail.read and nothing else */
export function requireReadOnly(grant: Grant): Grant {
  return requireScopes(grant, "mail.read", (scopes) => scopes.join() === "mail.read", "SCOPE-02");
}

/** @throws {InconclusiveError} control-refused, when the target grants less for such a request */
export async function sendingToken(target: Target): Promise<string> {
  return requireSending(await sharedGrant(target)).tokens.access_token;
}

/** @throws {InconclusiveError} control-refused, when the grant is for less than both scopes */
export function requireSending(grant: Grant): Grant {
  const hasBoth = (scopes: readonly string[]) => scopes.includes("mail.send") && scopes.includes("mail.read");
  return requireScopes(grant, "both scopes", hasBoth, "SCOPE-04");
}

/** @throws {InconclusiveError} control-refused, when the target does not grant mail.send for such a request */
export async function sendOnlyToken(target: Target): Promise<{ token: string; scopes: readonly string[] }> {
  const spec: GrantSpec = { scope: "mail.send" };
  const hasSend = (scopes: readonly string[]) => scopes.includes("mail.send");
  const { tokens } = requireScopes(await sharedGrant(target, spec), "mail.send", hasSend, "SCOPE-03");
  return { token: tokens.access_token, scopes: scopesIn(tokens.scope) };
}

function requireScopes(
  grant: Grant,
  words: string,
  fits: (scopes: readonly string[]) => boolean,
  explainedBy: string,
): Grant {
  if (fits(scopesIn(grant.tokens.scope))) return grant;
  throw controlRefused(
    `a grant whose scope is ${shown(grant.tokens.scope)}`,
    `a token response with ${words}`,
    grant.response,
    explainedBy,
  );
}
