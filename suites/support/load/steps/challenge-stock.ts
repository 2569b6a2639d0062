import { setTimeout as delay } from "node:timers/promises";
import { type Challenge, challengeIn, challengeRequest, requestChallenge } from "../../actors/agent.ts";
import { originOf } from "../../wire/url.ts";
import type { Target } from "../../target/target.ts";
import { toExchange } from "../engines/answer.ts";
import { mostAgeMs } from "./challenge-age.ts";
import { dispatch, openPool } from "../engines/dispatch.ts";
import type { Demand } from "../load-step.ts";

/** Fresh challenges for requests that use up one each. */
export interface ChallengeStock {
  /** Undefined when the stock is empty for the moment. */
  take(): Challenge | undefined;
  close(): void;
}

const askedAtOnce = 8;
const mostAtFirst = 3000;
// A stock that could not be filled shows as drops of the stream that takes from it.
const patienceMs = 30_000;
const pauseAfterRefusalMs = 100;

/**
 * Fills a stock before the load begins and goes on filling it: one request for each challenge that is taken, which next to
 * the scrypt that it is taken for is nothing.
 */
export async function openChallengeStock(target: Target, demand: Demand): Promise<ChallengeStock> {
  // The first is asked for the ordinary way, so that a target which issues none is told about in words.
  const first = await requestChallenge(target);
  const stock: { challenge: Challenge; staleAtMs: number }[] = [];
  const keep = (challenge: Challenge): void =>
    void stock.push({ challenge, staleAtMs: performance.now() + mostAgeMs(challenge) });
  keep(first);
  const wanted = Math.min(demand.requests, mostAtFirst);
  const pool = openPool(originOf(target.authUrl), target.profile.timeout_seconds * 1000);
  const request = challengeRequest(target);
  let closed = false;
  let asking = 0;

  function refill(): void {
    while (!closed && asking < askedAtOnce && stock.length + asking < wanted) {
      asking += 1;
      askOnce(() => {
        asking -= 1;
        refill();
      });
    }
  }

  function askOnce(done: () => void): void {
    dispatch(
      pool,
      request,
      { timeoutMs: target.profile.timeout_seconds * 1000 },
      {
        answered(answer) {
          const challenge = challengeIn(toExchange(request, answer));
          if (challenge === undefined) {
            later(done);
            return;
          }
          keep(challenge);
          done();
        },
        failed: () => later(done),
      },
    );
  }

  function later(done: () => void): void {
    setTimeout(done, pauseAfterRefusalMs).unref();
  }

  refill();
  const deadlineMs = performance.now() + patienceMs;
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
