import { bearerIn, capabilityRequest } from "../../actors/agent.ts";
import { sharedSession } from "../../material/agents.ts";
import { type Exchange, isSuccess, summary } from "../../wire/exchange.ts";
import { Violation } from "../../verdict.ts";
import type { LoadStep } from "../load-step.ts";

/** `POST {auth_url}/api/v1/capability` with the sessions of two agents in turn: a capability JWT each, of its own agent. */
export const capability: LoadStep = {
  name: "capability",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target) {
    const sessions = [await sharedSession(target, "first"), await sharedSession(target, "second")];
    const requests = sessions.map((session) => capabilityRequest(target, session));
    const expectOwn = createCapabilityLedger();
    let turn = 0;
    return {
      next() {
        const session = turn++ % requests.length;
        const request = requests[session];
        if (request === undefined) return undefined;
        return {
          requests: [request],
          isPlanned: (status) => status >= 200 && status < 300,
          judgesAll: true,
          judge([exchange]) {
            if (exchange !== undefined) expectOwn(exchange, session);
          },
        };
      },
    };
  },
};

interface Minted {
  readonly session: number;
  readonly sentMs: number;
  readonly doneMs: number;
}

// JWTs count whole seconds: two of one session may be equal when nothing but the time tells them apart.
const sameSecondMs = 1000;

/**
 * Remembers every capability. One that came before is a violation when it came for another session, whose agent it would
 * let into the wrong inbox, or when it cannot have been minted for both requests.
 *
 * @returns takes an answer and the number of the session that it was asked with
 */
export function createCapabilityLedger(): (exchange: Exchange, session: number) => void {
  const known = new Map<string, Minted>();
  return (exchange, session) => {
    const token = bearerIn(exchange);
    if (!isSuccess(exchange) || token === undefined || !/^[\w-]+\.[\w-]+\.[\w-]*$/u.test(token))
      throw new Violation("2xx with a capability JWT", summary(exchange));
    const sentMs = Date.parse(exchange.startedAt);
    const minted = { session, sentMs, doneMs: sentMs + exchange.durationMs };
    const before = known.get(token);
    if (before === undefined) {
      known.set(token, minted);
      return;
    }
    if (before.session !== session)
      throw new Violation("a capability of the agent that asked", "one that another agent was given");
    const apartMs = Math.max(minted.sentMs - before.doneMs, before.sentMs - minted.doneMs);
    if (apartMs > sameSecondMs)
      throw new Violation("a capability minted for this request", "one that was given out before");
  };
}
