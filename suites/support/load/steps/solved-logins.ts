import { type Agent, bearerIn, requestChallenge, sessionRequest, solve } from "../../actors/agent.ts";
import { sharedAgent } from "../../material/agents.ts";
import { type Exchange, isSuccess, summary } from "../../wire/exchange.ts";
import type { Outgoing } from "../../wire/http.ts";
import type { Target } from "../../target/target.ts";
import { Violation } from "../../verdict.ts";
import { mostAgeMs } from "./challenge-age.ts";
import type { Demand } from "../load-step.ts";

// Enough that the solver's threads never wait for the network, few enough that a stop is quick.
const solvedAtOnce = 8;

/** Correct logins that are used up one by one. */
export interface Logins {
  /** Undefined when none is left whose challenge is young enough. */
  take(): Outgoing | undefined;
}

interface Login {
  readonly request: Outgoing;
  /** `performance.now()` after which the target may refuse it, ms. */
  readonly staleAtMs: number;
}

/** Correct logins of one agent, a challenge and its proof each, made before the load begins. */
export async function makeLogins(
  target: Target,
  count: number,
  { signal }: Pick<Demand, "signal">,
): Promise<Logins> {
  const agent = await sharedAgent(target);
  const logins: Login[] = [];
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (begun < count && !signal.aborted) {
      begun += 1;
      logins.push(await makeLogin(target, agent));
    }
  };
  await Promise.all(Array.from({ length: solvedAtOnce }, worker));
  return {
    take() {
      const nowMs = performance.now();
      let login = logins.shift();
      while (login !== undefined && login.staleAtMs < nowMs) login = logins.shift();
      return login?.request;
    },
  };
}

async function makeLogin(target: Target, agent: Agent): Promise<Login> {
  const askedAtMs = performance.now();
  const challenge = await requestChallenge(target);
  const staleAtMs = askedAtMs + mostAgeMs(challenge);
  const { powHex, nonce } = await solve(target, challenge);
  return {
    request: sessionRequest(target, challenge.jwt, { powHex, nonce, apiKey: agent.apiKey }),
    staleAtMs,
  };
}

/** A session JWT. @throws {Violation} */
export function expectSession(exchange: Exchange): void {
  if (!isSuccess(exchange) || bearerIn(exchange) === undefined)
    throw new Violation("2xx with a session JWT for a correct proof of work", summary(exchange));
}
