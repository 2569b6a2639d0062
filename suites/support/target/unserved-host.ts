import { isDisturbance } from "../wire/disturbance.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Target } from "./target.ts";

/**
 * What comes of a request that names a host which the target need not serve. A front end may close such a connection without
 * an answer: where the same request for the target's own host is answered right after, nothing was disturbed.
 *
 * @param send - sends it, marked `mayBeLost`
 * @param ordinary - sends the same for the target's own host
 * @returns the exchange that was lost, with the status 0, where no answer came
 * @throws {InconclusiveError} when the ordinary request is not answered either
 */
export async function answeredOrDropped<Answer>(
  target: Target,
  send: () => Promise<Answer>,
  ordinary: () => Promise<unknown>,
): Promise<Answer | Exchange> {
  try {
    return await send();
  } catch (error) {
    if (!isDisturbance(error)) throw error;
    const dropped = target.runExchanges().find(({ number }) => number === error.exchange?.number);
    if (dropped === undefined) throw error;
    await ordinary();
    return dropped;
  }
}
