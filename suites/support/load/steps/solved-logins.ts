import {
  type Agent,
  bearerIn,
  type Challenge,
  requestChallenge,
  sessionRequest,
  sharedAgent,
  solve,
} from "../../agent.ts";
import { type Exchange, isSuccess, summary } from "../../exchange.ts";
import type { Outgoing } from "../../http.ts";
import type { Target } from "../../target.ts";
import { Violation } from "../../verdict.ts";
import type { Demand } from "../load-step.ts";

// Enough that the solver's threads never wait for the network, few enough that a stop is quick.
const solvedAtOnce = 8;

/** Correct logins of one agent, a challenge and its proof each, made before the load begins. */
export async function makeLogins(
  target: Target,
  count: number,
  { signal }: Pick<Demand, "signal">,
): Promise<Outgoing[]> {
  const agent = await sharedAgent(target);
  const logins: Outgoing[] = [];
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (begun < count && !signal.aborted) {
      begun += 1;
      logins.push(await makeLogin(target, agent, await requestChallenge(target)));
    }
  };
  await Promise.all(Array.from({ length: solvedAtOnce }, worker));
  return logins;
}

async function makeLogin(target: Target, agent: Agent, challenge: Challenge): Promise<Outgoing> {
  const { powHex, nonce } = await solve(target, challenge);
  return sessionRequest(target, challenge.jwt, { powHex, nonce, apiKey: agent.apiKey });
}

/** A session JWT. @throws {Violation} */
export function expectSession(exchange: Exchange): void {
  if (!isSuccess(exchange) || bearerIn(exchange) === undefined)
    throw new Violation("2xx with a session JWT for a correct proof of work", summary(exchange));
}
