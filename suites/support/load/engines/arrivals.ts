import type { Pool } from "undici";
import type { Answer } from "./answer.ts";
import { dispatch } from "./dispatch.ts";
import type { InvariantWatch } from "./invariants.ts";
import type { Supply, Volley } from "../load-step.ts";
import { kindOf, settleVolley } from "./settle-volley.ts";
import type { StreamRecorder } from "./stream-recorder.ts";

export interface ArrivalsOptions {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** When the first is due, in ms of `performance.now()`. */
  readonly startMs: number;
  readonly supply: Supply;
  readonly pool: Pool;
  readonly recorder: StreamRecorder;
  readonly watch: InvariantWatch;
  readonly timeoutMs: number;
  readonly newConnections?: boolean;
  readonly signal: AbortSignal;
}

// Beyond it a stalled target would cost the generator its memory and sockets; what is due then is dropped, and said so.
const mostUnderWay = 4000;
const tickMs = 1;

/**
 * The open engine: a request is due every 1/rate seconds and is sent then, whether or not earlier ones were answered.
 * Latency counts from when it was due, so that a stall shows in every request that it held up, and a late generator in its
 * own. Resolves when the last answer or failure came.
 */
export function runArrivals(options: ArrivalsOptions): Promise<void> {
  const { ratePerSecond, seconds, startMs, supply, pool, recorder, watch, timeoutMs, signal } = options;
  const volleys = Math.round(ratePerSecond * seconds);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let next = 0;
  let underWay = 0;

  const isOver = (): boolean => next >= volleys || signal.aborted;

  function tick(): void {
    try {
      const nowMs = performance.now();
      for (; !isOver(); next += 1) {
        const dueMs = startMs + (next * 1000) / ratePerSecond;
        if (dueMs > nowMs) break;
        fire(dueMs);
      }
    } catch (error) {
      finish(() => reject(error));
      return;
    }
    if (isOver() && underWay === 0) finish(resolve);
  }
  const timer = setInterval(tick, tickMs);

  function finish(settle: () => void): void {
    clearInterval(timer);
    settle();
  }

  function fire(dueMs: number): void {
    recorder.count("scheduled", dueMs);
    const volley = underWay < mostUnderWay ? supply.next() : undefined;
    if (volley === undefined) {
      recorder.count("dropped", dueMs);
      return;
    }
    send(volley, dueMs);
  }

  function send(volley: Volley, dueMs: number): void {
    const answers: (Answer | undefined)[] = volley.requests.map(() => undefined);
    let missing = volley.requests.length;
    underWay += 1;
    const settle = (): void => {
      missing -= 1;
      if (missing > 0) return;
      underWay -= 1;
      settleVolley(volley, answers, watch);
    };
    for (const [at, outgoing] of volley.requests.entries()) {
      const sentAtMs = performance.now();
      recorder.count("sent", sentAtMs);
      recorder.lag(sentAtMs - dueMs);
      dispatch(
        pool,
        outgoing,
        { timeoutMs, newConnection: options.newConnections ?? false },
        {
          answered(answer) {
            answers[at] = answer;
            const doneMs = answer.sentAtMs + answer.durationMs;
            recorder.answered(kindOf(volley, answer), answer.status, doneMs - dueMs, doneMs);
            settle();
          },
          failed(kind) {
            const failedAtMs = performance.now();
            recorder.failed(kind, failedAtMs);
            watch.watchFailure(outgoing, kind, sentAtMs, failedAtMs);
            settle();
          },
        },
      );
    }
  }
  return promise;
}
