import { counted } from "./format.ts";
import type { RunCheck } from "./run-format.ts";

export type Reproduced = NonNullable<RunCheck["reproduced"]>;

/** Whether a failure occurred again when its check was judged alone: each time, at times, or never. */
export type Reproduction = "deterministic" | "racy" | "not reproduced";

export function reproductionOf({ tried, failed }: Reproduced): Reproduction {
  if (failed === 0) return "not reproduced";
  return failed === tried ? "deterministic" : "racy";
}

/** `racy: failed 4 of 10 times that it was judged alone (40 %; 95 % interval 12 to 74 %)`. The first failure is not counted. */
export function reproductionWords(reproduced: Reproduced): string {
  const { tried, failed } = reproduced;
  const [low, high] = exactInterval(failed, tried).map((share) => Math.round(share * 100));
  const interval = `95 % interval ${low} to ${high} %`;
  const word = reproductionOf(reproduced);
  const times = `${counted(tried, "time")} that it was judged alone`;
  switch (word) {
    case "deterministic":
      return `${word}: failed ${tried === 1 ? "the" : "all"} ${times} (${interval})`;
    case "racy":
      return `${word}: failed ${failed} of ${times} (${Math.round((failed / tried) * 100)} %; ${interval})`;
    case "not reproduced":
      return `${word}: passed ${tried === 1 ? "the" : "all"} ${times}; it fails at most ${high} % of the time`;
  }
}

/**
 * The exact (Clopper-Pearson) interval of 95 % for the rate of an event.
 *
 * @returns two shares from 0 to 1
 */
export function exactInterval(events: number, tries: number): readonly [number, number] {
  const tail = 0.025;
  const low = events === 0 ? 0 : solve((rate) => atLeast(events, tries, rate) < tail);
  const high = events === tries ? 1 : solve((rate) => atLeast(events + 1, tries, rate) < 1 - tail);
  return [low, high];
}

/** The probability of this many events or more. */
function atLeast(events: number, tries: number, rate: number): number {
  let sum = 0;
  for (let count = events; count <= tries; count += 1)
    sum += choose(tries, count) * rate ** count * (1 - rate) ** (tries - count);
  return sum;
}

function choose(from: number, count: number): number {
  let ways = 1;
  for (let at = 1; at <= count; at += 1) ways = (ways * (from - count + at)) / at;
  return ways;
}

/** Where a condition that holds for small rates ceases to hold. */
function solve(isBelow: (rate: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return low;
}
