import { setTimeout as delay } from "node:timers/promises";
import { type Challenge, challengeIn, challengeRequest, requestChallenge } from "../../actors/agent.ts";
import { originOf } from "../../wire/url.ts";
import type { Target } from "../../target/target.ts";
import { toExchange } from "../engines/response.ts";
import { maxAgeMs } from "./challenge-age.ts";
import { connectionOf } from "../../target/connection.ts";
import { dispatch, openPool } from "../engines/dispatch.ts";
import type { Demand } from "../load-step.ts";

/** Fresh challenges for requests that consume one each. */
export interface ChallengeStock {
  /** Undefined while the stock is empty. */
  take(): Challenge | undefined;
  close(): void;
}

const concurrentRequests = 8;
const maxInitialStock = 3000;
// If the stock cannot be filled in time, the stream records drops.
const fillTimeoutMs = 30_000;
const retryDelayMs = 100;

/**
 * Fills a stock before the load starts and refills it during the load. A request per challenge is negligible next to the
 * scrypt evaluation that the challenge is used for.
 */
export async function openChallengeStock(target: Target, demand: Demand): Promise<ChallengeStock> {
  // Throws a descriptive error when the target does not issue challenges.
  const first = await requestChallenge(target);
  const stock: { challenge: Challenge; staleAtMs: number }[] = [];
  const add = (challenge: Challenge): void =>
    void stock.push({ challenge, staleAtMs: performance.now() + maxAgeMs(challenge) });
  add(first);
  const wanted = Math.min(demand.requests, maxInitialStock);
  const pool = openPool(
    originOf(target.authUrl),
    target.profile.timeout_seconds * 1000,
    connectionOf(target.profile),
  );
  const request = challengeRequest(target);
  let closed = false;
  let pending = 0;

  function refill(): void {
    while (!closed && pending < concurrentRequests && stock.length + pending < wanted) {
      pending += 1;
      requestOne(() => {
        pending -= 1;
        refill();
      });
    }
  }

  function requestOne(done: () => void): void {
    dispatch(
      pool,
      request,
      { timeoutMs: target.profile.timeout_seconds * 1000 },
      {
        onResponse(response) {
          const challenge = challengeIn(toExchange(request, response));
          if (challenge === undefined) {
            retryLater(done);
            return;
          }
          add(challenge);
          done();
        },
        onFailure: () => retryLater(done),
      },
    );
  }

  function retryLater(done: () => void): void {
    setTimeout(done, retryDelayMs).unref();
  }

  refill();
  const deadlineMs = performance.now() + fillTimeoutMs;
  while (stock.length < wanted && performance.now() < deadlineMs && !demand.signal.aborted) await delay(10);
  return {
    take() {
      const nowMs = performance.now();
      let taken = stock.shift();
      while (taken !== undefined && taken.staleAtMs < nowMs) taken = stock.shift();
      refill();
      return taken?.challenge;
    },
    close() {
      closed = true;
      void pool.destroy();
    },
  };
}
