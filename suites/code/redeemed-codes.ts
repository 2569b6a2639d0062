import {
  type AuthorizationCode,
  codeExchange,
  postToken,
  requireTokens,
  type Tokens,
} from "../support/actors/oauth-client.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { freshCode, type GrantSpec } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";

/** A code that was redeemed, with what it gave. */
export interface UsedCode {
  readonly code: AuthorizationCode;
  readonly tokens: Tokens;
}

/**
 * A code that was redeemed, which is the control of each later exchange of it.
 *
 * @throws {InconclusiveError} control-refused, when the valid exchange is refused: nothing is used then
 */
export async function usedCode(target: Target, spec: GrantSpec = {}): Promise<UsedCode> {
  const code = await freshCode(target, spec);
  return { code, tokens: requireTokens(await redeem(target.control, code), "a valid code exchange") };
}

/** The code exchange with nothing wrong in it but perhaps the code. */
export function redeem(target: Target, code: AuthorizationCode): Promise<Exchange> {
  return postToken(target, codeExchange(code));
}

/**
 * Refused with `invalid_grant` and without tokens. Document, "States", authorization code used or expired.
 *
 * @param explainedBy - what judges by itself why the exchange succeeded
 */
export function expectUnusable(exchange: Exchange, explainedBy?: string): void {
  if (isSuccess(exchange))
    throw new Violation("the code to be refused", summary(exchange), { exchange, explainedBy });
  expectTokenRefused(exchange, ["invalid_grant"]);
}

/**
 * Refused with `invalid_grant`, or with a warning `invalid_request`: a value that has not the form of a code may be malformed
 * to a target before it looks for it (RFC 6749 §5.2).
 */
export function expectMalformedOrUnusable(exchange: Exchange): Warning | undefined {
  if (jsonMembers(exchange)["error"] !== "invalid_request") {
    expectUnusable(exchange);
    return undefined;
  }
  expectTokenRefused(exchange, ["invalid_request"]);
  return warning(`${summary(exchange)}; the document has invalid_grant for codes`);
}

/**
 * Refused with `invalid_grant`, or with a warning `invalid_client`: RFC 6749 §5.2 has `invalid_grant` for a code that was
 * issued to another client.
 */
export function expectForeign(exchange: Exchange): Warning | undefined {
  expectTokenRefused(exchange, ["invalid_grant", "invalid_client"]);
  return jsonMembers(exchange)["error"] === "invalid_client"
    ? warning(`${summary(exchange)}; RFC 6749 §5.2 has invalid_grant for it`)
    : undefined;
}
