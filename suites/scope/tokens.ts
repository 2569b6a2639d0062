import { type GrantSpec, sharedGrant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";

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
  return tokenOf(target, { scope: "mail.read" }, (scopes) => scopes.join() === "mail.read");
}

/** @throws {InconclusiveError} control-refused, when the target grants less for such a request */
export async function sendingToken(target: Target): Promise<string> {
  return tokenOf(target, {}, (scopes) => scopes.includes("mail.send") && scopes.includes("mail.read"));
}

/** @throws {InconclusiveError} control-refused, when the target does not grant mail.send for such a request */
export async function sendOnlyToken(target: Target): Promise<{ token: string; scopes: readonly string[] }> {
  const token = await tokenOf(target, { scope: "mail.send" }, (scopes) => scopes.includes("mail.send"));
  const { tokens } = await sharedGrant(target, { scope: "mail.send" });
  return { token, scopes: scopesIn(tokens.scope) };
}

async function tokenOf(
  target: Target,
  spec: GrantSpec,
  fits: (scopes: readonly string[]) => boolean,
): Promise<string> {
  const { tokens } = await sharedGrant(target, spec);
  if (fits(scopesIn(tokens.scope))) return tokens.access_token;
  throw new InconclusiveError(
    "control-refused",
    `a grant with the scope ${spec.scope ?? "mail.read mail.send"}: the token response says ${JSON.stringify(tokens.scope)}`,
  );
}
