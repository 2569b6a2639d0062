import { bearerIn, type Challenge, type Proof, solvedChallenge } from "../support/actors/agent.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, Violation } from "../support/verdict.ts";

/** Everything that a correct login sends, with a challenge of its own. */
export interface CorrectLogin {
  readonly challenge: Challenge;
  readonly proof: Proof;
  readonly apiKey: string;
}

/** @throws {InconclusiveError} control-refused, when no correct login is accepted in this run */
export async function correctLogin(target: Target): Promise<CorrectLogin> {
  const { apiKey } = await provenAgent(target);
  return { ...(await solvedChallenge(target)), apiKey };
}

/** The body of a correct login; the changes replace members, or remove those that are undefined. */
export function loginBody(
  { proof, apiKey }: Pick<CorrectLogin, "proof" | "apiKey">,
  changes: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ ...proof, apiKey, ...changes });
}

/** A session request that succeeded: 2xx with a session JWT in the header. */
export function expectSession(exchange: Exchange): void {
  if (isSuccess(exchange) && bearerIn(exchange) !== undefined) return;
  throw new Violation("2xx with Authorization: Bearer <session JWT>", summary(exchange));
}

/** What came of a request on which the document is silent. */
export function outcome(exchange: Exchange): Finding {
  return observation(isSuccess(exchange) ? "accepted" : `refused: ${summary(exchange)}`);
}
