import { setTimeout as delay } from "node:timers/promises";
import type { Target } from "../target/target.ts";
import { isDisturbance } from "../wire/disturbance.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import type { Parameters } from "../wire/parameters.ts";
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

/**
 * Sends requests with text bodies at the same moment: each over a connection of its own that is open already, with its last
 * byte held back until all others are on their way. A refusal for a limit is an answer like any other.
 *
 * @returns the answers, without those that the network or a gateway kept away: the others have raced all the same
 * @throws {InconclusiveError} when fewer than two answers came
 */
export async function sendSimultaneously(target: Target, requests: readonly Outgoing[]): Promise<Exchange[]> {
  const racers = requests.map((request) => ({
    request,
    connection: target.connect(originOf(request.url)),
  }));
  try {
    await Promise.all(
      racers.map(({ connection, request: { url } }) =>
        connection.send({ method: "GET", url: `${originOf(url)}/.well-known/jwks.json` }),
      ),
    );
    const lastByte = startTogether(racers.length);
    const outcomes = await Promise.allSettled(
      racers.map(({ connection, request }) => connection.send({ ...request, takeRateLimit: true, lastByte })),
    );
    return answersOf(outcomes);
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
