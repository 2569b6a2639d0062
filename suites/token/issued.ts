import { claimsOf } from "../support/actors/agent.ts";
import { codeExchange, postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { freshCode } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";

/** The two ways to a token response. */
export interface Issuance {
  readonly slug: "code" | "refresh";
  /** Reads after "The response". */
  readonly words: string;
  readonly obtain: (target: Target) => Promise<Exchange>;
}

/** A valid code exchange of a public client, as it came: one for all checks of a run. */
export function codeResponse(target: Target): Promise<Exchange> {
  return target.once("token:code-response", async (recording) =>
    postToken(recording, codeExchange(await freshCode(recording))),
  );
}

/**
 * The refresh that follows {@link codeResponse}, as it came: one for all checks of a run.
 *
 * @throws {InconclusiveError} precondition-missing, when there is no refresh token to present
 */
export function refreshResponse(target: Target): Promise<Exchange> {
  return target.once("token:refresh-response", async (recording) => {
    const code = await freshCode(recording);
    const first = await postToken(recording, codeExchange(code));
    const { refresh_token: token } = jsonMembers(first);
    if (typeof token === "string") return postToken(recording, refreshExchange(code.client, token));
    throw new InconclusiveError(
      "precondition-missing",
      `needs a refresh_token to refresh with; the code exchange got ${summary(first)} without one`,
    );
  });
}

export const issuances: readonly Issuance[] = [
  { slug: "code", words: "to a code exchange", obtain: codeResponse },
  { slug: "refresh", words: "to a refresh", obtain: refreshResponse },
];

/** @throws {Violation} when the response carries none */
export function accessTokenIn(exchange: Exchange): string {
  const { access_token: token } = jsonMembers(exchange);
  if (typeof token === "string") return token;
  throw new Violation("a string access_token", `${summary(exchange)} with ${shown(token)}`);
}

/** The payload of the response's access token. @throws {Violation} when it is no JWT */
export function claimsIn(exchange: Exchange): Readonly<Record<string, unknown>> {
  const claims = claimsOf(accessTokenIn(exchange));
  if (claims === undefined) throw new Violation("an access_token that is a JWT", "one that does not decode");
  return claims;
}
