import { bearerIn, type Challenge, type Proof, solvedChallenge } from "../support/actors/agent.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { expectPowRefused, isRefusal } from "../support/judging/expect.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";

/** Everything that a correct login sends, with a challenge of its own. */
export interface CorrectLogin {
  readonly challenge: Challenge;
  readonly proof: Proof;
  readonly apiKey: string;
}

/** @throws {InconclusiveError} control-refused, when no correct login is accepted in this run */
export async function correctLogin(target: Target): Promise<CorrectLogin> {
  const { apiKey } = await provenAgent(target);
  return { ...(await solvedChallenge(target.setup)), apiKey };
}

/** The body of a correct login; the changes replace members, or remove those that are undefined. */
export function loginBody(
  { proof, apiKey }: Pick<CorrectLogin, "proof" | "apiKey">,
  changes: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ ...proof, apiKey, ...changes });
}

/** A signed JWT has three segments, an encrypted one five. RFC 7515 §7.1, RFC 7516 §7.1. */
const compactJwt = /^[\w-]+(?:\.[\w-]*){2}(?:(?:\.[\w-]*){2})?$/u;

/** A session request that succeeded: 2xx with a session JWT. The form of the header is judged by POW-02. */
export function expectSession(exchange: Exchange): void {
  const expected = "2xx with a session JWT";
  if (!isSuccess(exchange)) throw new Violation(expected, summary(exchange), { exchange });
  const token = bearerIn(exchange);
  if (token === undefined) {
    throw new Violation(expected, "no token in the form Bearer <token>", {
      exchange,
      explainedBy: "POW-02/session",
    });
  }
  if (!compactJwt.test(token))
    throw new Violation(expected, `a token of ${token.split(".").length} segments`, { exchange });
}

/**
 * A session request that was refused: a 4xx of its own and no token. The shape of the body is judged by POW-54.
 *
 * @param explainedBy - id of the check that judges by itself the defect that lets this request through as well
 * @throws {InconclusiveError} for a 5xx, which says nothing about the request; ERR-11 judges it
 */
export function expectRefused(exchange: Exchange, explainedBy?: string): void {
  if (isSuccess(exchange)) {
    throw new Violation("the session request to be refused", `${summary(exchange)}: accepted`, {
      exchange,
      explainedBy,
    });
  }
  if (exchange.response.status >= 500) {
    throw new InconclusiveError(
      "target-unreachable",
      `a session request: expected a decision about it, got ${summary(exchange)}`,
      { exchange, explainedBy: "ERR-11" },
    );
  }
  expectPowRefused(exchange);
}

/** What a request got whose fate the document leaves open. */
export function outcome(exchange: Exchange): string {
  if (isSuccess(exchange)) return "accepted";
  return isRefusal(exchange)
    ? `refused with ${summary(exchange)}`
    : `neither accepted nor refused: ${summary(exchange)}`;
}
