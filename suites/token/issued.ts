import { claimsOf } from "../support/actors/agent.ts";
import { codeExchange, postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import { shown } from "../support/judging/expect.ts";
import { freshCode } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";

/** The two ways to a token response. */
export interface Issuance {
  readonly slug: "code" | "refresh";
  /** Reads after "The response to" and "The access token of". */
  readonly words: string;
  readonly obtain: (target: Target) => Promise<Exchange>;
}

/** The response to a valid code exchange of a public client: one for all checks of a run. */
export function codeResponse(target: Target): Promise<Exchange> {
  return target.once("token:code-response", async (recording) =>
    postToken(recording, codeExchange(await freshCode(recording))),
  );
}

/**
 * The response to a valid refresh of a public client: one for all checks of a run.
 *
 * @throws {InconclusiveError} precondition-missing, when there is no refresh token to present
 */
export function refreshResponse(target: Target): Promise<Exchange> {
  return target.once("token:refresh-response", async (recording) => {
    const code = await freshCode(recording);
    const first = await postToken(recording.setup, codeExchange(code));
    const { refresh_token: token } = jsonMembers(first);
    if (typeof token === "string") return postToken(recording, refreshExchange(code.client, token));
    throw new InconclusiveError(
      "precondition-missing",
      `needs a refresh_token to refresh with; the code exchange got ${summary(first)} without one`,
      { exchange: first, explainedBy: "TOKEN-01" },
    );
  });
}

export const issuances: readonly Issuance[] = [
  { slug: "code", words: "a code exchange", obtain: codeResponse },
  { slug: "refresh", words: "a refresh", obtain: refreshResponse },
];

/**
 * A member of a token response.
 *
 * @throws {Violation} explained by TOKEN-01, when it is missing
 */
export function memberOf(exchange: Exchange, name: string): unknown {
  const value = jsonMembers(exchange)[name];
  if (value !== undefined) return value;
  throw new Violation(`a token response with ${name}`, `${summary(exchange)} without it`, {
    exchange,
    explainedBy: "TOKEN-01",
  });
}

/**
 * A member of a token response, for what RFCs alone ask of it.
 *
 * @throws {InconclusiveError} precondition-missing, when it is missing, which TOKEN-01 judges
 */
export function requireMember(exchange: Exchange, name: string): unknown {
  const value = jsonMembers(exchange)[name];
  if (value !== undefined) return value;
  throw new InconclusiveError(
    "precondition-missing",
    `needs ${name} in the token response; it was ${summary(exchange)} without it`,
    { exchange, explainedBy: "TOKEN-01" },
  );
}

/** The response's access token. @throws {InconclusiveError} as {@link requireMember} */
export function accessTokenIn(exchange: Exchange): string {
  return String(requireMember(exchange, "access_token"));
}

/**
 * The claims of the response's access token.
 *
 * @throws {InconclusiveError} precondition-missing, when it is not a JWT, which TOKEN-02 judges
 */
export function claimsIn(exchange: Exchange): Readonly<Record<string, unknown>> {
  const claims = claimsOf(accessTokenIn(exchange));
  if (claims !== undefined) return claims;
  throw new InconclusiveError("precondition-missing", "needs an access token that is a JWT", {
    exchange,
    explainedBy: "TOKEN-02",
  });
}

/**
 * One claim of the response's access token.
 *
 * @throws {InconclusiveError} precondition-missing, when it is missing, which B-AT-01 judges
 */
export function claimIn(exchange: Exchange, name: string): unknown {
  const value = claimsIn(exchange)[name];
  if (value !== undefined) return value;
  throw new InconclusiveError("precondition-missing", `needs the claim ${name} of an access token`, {
    exchange,
    explainedBy: "B-AT-01",
  });
}

/** 200 with an access token. */
export function expectTokens(exchange: Exchange): void {
  const isIssued = isSuccess(exchange) && typeof jsonMembers(exchange)["access_token"] === "string";
  if (exchange.response.status === 200 && isIssued) return;
  throw new Violation("200 with an access_token", summary(exchange), { exchange });
}

/** The words of a space-separated list in a comparable form. */
export function sortedScopes(scope: unknown): string {
  return shown(String(scope).split(" ").toSorted());
}
