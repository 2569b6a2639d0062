import { setTimeout as delay } from "node:timers/promises";
import { nodesAt } from "../target/node-settings.ts";
import type { Target } from "../target/target.ts";
import { isDisturbance } from "../wire/disturbance.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import type { Parameters } from "../wire/parameters.ts";
import { isRateLimited } from "../wire/rate-gate.ts";
import { originOf } from "../wire/url.ts";
import { tokenRequest } from "./oauth-client.ts";

/** Posts the same form to the token endpoint many times at the same moment. */
export function postTokenSimultaneously(
  target: Target,
  fields: Parameters,
  count: number,
): Promise<Exchange[]> {
  return sendSimultaneously(
    target,
    Array.from({ length: count }, () => tokenRequest(target, fields)),
  );
}

const leastForARace = 2;

// A limit counts by the second or by a few. One that lets nothing through for longer leaves the answers as they are.
const mostBursts = 4;
const betweenBurstsMs = 2000;

/** Refused for the number of requests, or by a server that is overloaded. */
export function isTurnedAway(exchange: Exchange): boolean {
  return exchange.response.status === 503 || isRateLimited(exchange);
}

/**
 * Sends requests in parallel. Where a limit turns most of them away, those are sent in parallel again after a pause.
 *
 * @returns the last answer to each request, in their order
 */
export function sendInParallel(target: Target, requests: readonly Outgoing[]): Promise<Exchange[]> {
  const send = (request: Outgoing): Promise<Exchange> => target.send({ ...request, takeRateLimit: true });
  // One check at a time: two that exhaust a limit together would do so again after the same pause.
  return target.exclusively("parallel-requests", async () => {
    let answers = await Promise.all(requests.map(send));
    for (let burst = 1; burst < mostBursts && areMostlyTurnedAway(answers); burst += 1) {
      await target.pause(betweenBurstsMs);
      const earlier = answers;
      answers = await Promise.all(
        requests.map(async (request, at) => {
          const answer = earlier[at];
          return answer === undefined || isTurnedAway(answer) ? send(request) : answer;
        }),
      );
    }
    return answers;
  });
}

function areMostlyTurnedAway(answers: readonly Exchange[]): boolean {
  return answers.filter(isTurnedAway).length * 2 >= answers.length;
}

/**
 * Sends requests with text bodies at the same moment: each over a connection of its own that is open already, with its last
 * byte held back until all others are on their way. A refusal for a limit is an answer like any other; where a limit
 * refuses all of them, they race again after a pause.
 *
 * @param laterMs - how much later than the others each request is completed; 0 unless given
 * @returns the answers, without those that the network or a gateway kept away: the others have still raced
 * @throws {InconclusiveError} when fewer than two answers came
 */
export async function sendSimultaneously(
  target: Target,
  requests: readonly Outgoing[],
  laterMs: readonly number[] = [],
): Promise<Exchange[]> {
  for (let burst = 1; ; burst += 1) {
    const answers = await race(target, requests, laterMs);
    if (burst === mostBursts || !answers.every(isTurnedAway)) return answers;
    for (const request of requests) target.holdBack(request, betweenBurstsMs + longestHoldMs);
    await target.pause(betweenBurstsMs);
  }
}

async function race(
  target: Target,
  requests: readonly Outgoing[],
  laterMs: readonly number[],
): Promise<Exchange[]> {
  return answersOf((await raceOnce(target, requests, laterMs)).map(({ outcome }) => outcome));
}

/** One request of a race, with times of `performance.now()` that span it from before its first byte to after the last. */
export interface Raced {
  readonly calledAt: number;
  readonly returnedAt: number;
  readonly outcome: PromiseSettledResult<Exchange>;
}

/**
 * As {@link sendSimultaneously}, once, and with what became of each request, in their order. Where the profile lists nodes
 * they race at all of them: what stands in front may hand the connections of one caller to the same node, and a lock in the
 * memory of that would hold.
 */
export async function raceOnce(
  target: Target,
  requests: readonly Outgoing[],
  laterMs: readonly number[] = [],
): Promise<Raced[]> {
  const racers = requests.map((request, at) => {
    const nodes = nodesAt(target.profile, request.url);
    return { request, connection: target.connect(originOf(request.url), nodes[at % nodes.length]) };
  });
  try {
    await Promise.all(
      racers.map(({ connection, request: { url } }) =>
        connection.send({ method: "GET", url: `${originOf(url)}/.well-known/jwks.json` }),
      ),
    );
    const start = startTogether(racers.length);
    return await Promise.all(
      racers.map(async ({ connection, request }, at) => {
        const lastByte = async (): Promise<void> => {
          await start();
          const late = laterMs[at] ?? 0;
          if (late > 0) await delay(late);
        };
        const calledAt = performance.now();
        const sent = connection.send({ ...request, takeRateLimit: true, lastByte });
        const [outcome] = await Promise.allSettled([sent]);
        return { calledAt, returnedAt: performance.now(), outcome };
      }),
    );
  } finally {
    await Promise.all(racers.map(({ connection }) => connection.close()));
  }
}

function answersOf(outcomes: readonly PromiseSettledResult<Exchange>[]): Exchange[] {
  const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    if (!isDisturbance(outcome.reason) || answers.length < leastForARace) throw outcome.reason;
  }
  return answers;
}

// What is written before leaves the machine in this time, so that the last bytes alone are under way together.
const settleMs = 8;
const longestHoldMs = 1000;

/** Resolves for all callers together: when so many have called, or one of them never comes. */
function startTogether(count: number): () => Promise<void> {
  const start = Promise.withResolvers<void>();
  let ready = 0;
  return async () => {
    ready += 1;
    if (ready === 1) void delay(longestHoldMs, undefined, { ref: false }).then(start.resolve);
    if (ready === count) void delay(settleMs).then(start.resolve);
    await start.promise;
  };
}
