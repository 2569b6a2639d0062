import { bearerIn, capabilityRequest } from "../../actors/agent.ts";
import { sharedSession } from "../../material/agents.ts";
import { type Exchange, isSuccess, summary } from "../../wire/exchange.ts";
import { Violation } from "../../verdict.ts";
import type { LoadStep } from "../load-step.ts";

/** `POST {auth_url}/api/v1/capability`, alternating between the sessions of two agents: each gets its own capability JWT. */
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
          isExpectedStatus: (status) => status >= 200 && status < 300,
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

// JWT times have a resolution of 1 s, so two capabilities of one session may be equal.
const sameSecondMs = 1000;

/**
 * Remembers every capability. A repeated one is a violation when another session got it, which gives access to another
 * agent's inbox, or when the requests are too far apart for it to have been minted for both.
 *
 * @returns checks an exchange, given the index of the session that requested it
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
      throw new Violation("a capability of the requesting agent", "one that another agent got");
    const apartMs = Math.max(minted.sentMs - before.doneMs, before.sentMs - minted.doneMs);
    if (apartMs > sameSecondMs)
      throw new Violation("a capability minted for this request", "one that was returned before");
  };
}
