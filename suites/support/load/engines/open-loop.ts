import type { Dispatcher } from "undici";
import type { LoadResponse } from "./response.ts";
import { dispatch } from "./dispatch.ts";
import type { InvariantChecker } from "./invariants.ts";
import type { Supply, Batch } from "../load-step.ts";
import { classify, settleBatch } from "./settle-batch.ts";
import type { StreamRecorder } from "./stream-recorder.ts";

export interface OpenLoopOptions {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** When the first request is due, in ms of `performance.now()`. */
  readonly startMs: number;
  readonly supply: Supply;
  readonly pool: Dispatcher;
  readonly recorder: StreamRecorder;
  readonly checker: InvariantChecker;
  readonly timeoutMs: number;
  readonly newConnections?: boolean;
  readonly signal: AbortSignal;
}

// Protects the generator's memory and sockets when the target stalls; requests due beyond it count as dropped.
const maxInFlight = 4000;
const tickMs = 1;

/**
 * Open loop: sends a batch every 1/rate seconds, whether or not earlier requests have completed. Latency is measured from the
 * scheduled time, which avoids coordinated omission. Resolves when no request is in flight any more.
 */
export function runOpenLoop(options: OpenLoopOptions): Promise<void> {
  const { ratePerSecond, seconds, startMs, supply, pool, recorder, checker, timeoutMs, signal } = options;
  const batches = Math.round(ratePerSecond * seconds);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let next = 0;
  let inFlight = 0;

  const isDone = (): boolean => next >= batches || signal.aborted;

  function tick(): void {
    try {
      const nowMs = performance.now();
      for (; !isDone(); next += 1) {
        const dueMs = startMs + (next * 1000) / ratePerSecond;
        if (dueMs > nowMs) break;
        startBatch(dueMs);
      }
    } catch (error) {
      finish(() => reject(error));
      return;
    }
    if (isDone() && inFlight === 0) finish(resolve);
  }
  const timer = setInterval(tick, tickMs);

  function finish(settle: () => void): void {
    clearInterval(timer);
    settle();
  }

  function startBatch(dueMs: number): void {
    recorder.increment("scheduled", dueMs);
    const batch = inFlight < maxInFlight ? supply.next() : undefined;
    if (batch === undefined) {
      recorder.increment("dropped", dueMs);
      return;
    }
    send(batch, dueMs);
  }

  function send(batch: Batch, dueMs: number): void {
    const responses: (LoadResponse | undefined)[] = batch.requests.map(() => undefined);
    let pending = batch.requests.length;
    inFlight += 1;
    const settle = (): void => {
      pending -= 1;
      if (pending > 0) return;
      inFlight -= 1;
      settleBatch(batch, responses, checker);
    };
    for (const [at, outgoing] of batch.requests.entries()) {
      const sentAtMs = performance.now();
      recorder.increment("sent", sentAtMs);
      recorder.recordSendLag(sentAtMs - dueMs);
      dispatch(
        pool,
        outgoing,
        { timeoutMs, newConnection: options.newConnections ?? false },
        {
          onResponse(response) {
            responses[at] = response;
            const doneMs = response.sentAtMs + response.durationMs;
            recorder.recordResponse(classify(batch, response), response.status, doneMs - dueMs, doneMs);
            settle();
          },
          onFailure(kind) {
            const failedAtMs = performance.now();
            recorder.recordFailure(kind, failedAtMs);
            checker.recordFailure(outgoing, kind, sentAtMs, failedAtMs);
            settle();
          },
        },
      );
    }
  }
  return promise;
}
