import { type Agent, bearerIn, requestChallenge, sessionRequest, solve } from "../../actors/agent.ts";
import { sharedAgent } from "../../material/agents.ts";
import { type Exchange, isSuccess, summary } from "../../wire/exchange.ts";
import type { Outgoing } from "../../wire/http.ts";
import type { Target } from "../../target/target.ts";
import { Violation } from "../../verdict.ts";
import { maxAgeMs } from "./challenge-age.ts";
import type { Demand } from "../load-step.ts";

// Keeps the solver's threads busy, and still stops quickly when aborted.
const concurrentSolves = 8;

/** Valid logins that are used once each. */
export interface Logins {
  /** Undefined when no login with a fresh challenge is left. */
  take(): Outgoing | undefined;
}

interface Login {
  readonly request: Outgoing;
  /** `performance.now()` after which the target may refuse it, ms. */
  readonly staleAtMs: number;
}

/** Solves challenges of one agent before the load starts. */
export async function makeLogins(
  target: Target,
  count: number,
  { signal }: Pick<Demand, "signal">,
): Promise<Logins> {
  const agent = await sharedAgent(target);
  const logins: Login[] = [];
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started < count && !signal.aborted) {
      started += 1;
      logins.push(await makeLogin(target, agent));
    }
  };
  await Promise.all(Array.from({ length: concurrentSolves }, worker));
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
  const requestedAtMs = performance.now();
  const challenge = await requestChallenge(target);
  const staleAtMs = requestedAtMs + maxAgeMs(challenge);
  const { powHex, nonce } = await solve(target, challenge);
  return {
    request: sessionRequest(target, challenge.jwt, { powHex, nonce, apiKey: agent.apiKey }),
    staleAtMs,
  };
}

/** A login that succeeded, for steps whose proof of work is valid. @throws {Violation} */
export function expectSession(exchange: Exchange): void {
  if (!isSuccess(exchange) || bearerIn(exchange) === undefined)
    throw new Violation("2xx with a session JWT for a valid proof of work", summary(exchange));
}
