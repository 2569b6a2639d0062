import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../support/pow/property-settings.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { stateAfter } from "./grant-changes.ts";
import { isPossible, noGrants, type Step } from "./grants.ts";
import { expectationOf } from "./model.ts";
import { newCoverage, nextAction, type Previous, type Theme } from "./next-step.ts";
import { randomNumbers } from "./random.ts";
import { type BrokenHistory, type History, shortened, shorteningOfGrants } from "./shorten.ts";

const theme: Theme = {
  clients: ["public", "other"],
  humans: ["first", "second"],
  mostGrants: 3,
  weights: { reuse: 2 },
};

/** A target of one defect: it accepts a superseded refresh token of the second generation or older. */
function replayHistory(steps: readonly Step[]): History {
  let state = noGrants;
  const taken: Step[] = [];
  for (const step of steps) {
    if (!isPossible(state, step)) continue;
    taken.push(step);
    const expected = expectationOf(state, step);
    if (expected.answer === "refused" && expected.requirement === "REFRESH-06")
      return { steps: taken, answers: [], contradiction: contradictionAt(step) };
    state = stateAfter(state, step, expected.answer !== "refused");
  }
  return { steps: taken, answers: [] };
}

function contradictionAt({ number }: Step): BrokenHistory["contradiction"] {
  return {
    step: number,
    requirement: "REFRESH-06",
    expected: "refused",
    observed: "200",
    exchange: {} as Exchange,
  };
}

function randomSteps(seed: number, length: number): Step[] {
  const random = randomNumbers(seed);
  const coverage = newCoverage();
  let state = noGrants;
  let previous: Previous | undefined;
  const steps: Step[] = [];
  while (steps.length < length) {
    const next = nextAction(state, theme, previous, coverage, random);
    if (next === undefined) break;
    previous = next;
    const step = { ...next.action, number: steps.length + 1 };
    steps.push(step);
    state = stateAfter(state, step, expectationOf(state, step).answer !== "refused");
  }
  return steps;
}

test("a history is shortened to the steps that its end needs", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { steps, contradiction } = replayHistory(randomSteps(seed, 30));
      if (contradiction === undefined) return;
      found += 1;
      let replayed = 0;
      const shorter = await shortened(
        { steps, answers: [], contradiction },
        async (fewer) => {
          replayed += 1;
          return replayHistory(fewer);
        },
        40,
        shorteningOfGrants,
      );
      // Consent, exchange, two rotations, and the token of the first once more.
      expect(shorter.steps.map(({ kind }) => kind)).toEqual([
        "authorize",
        "exchange",
        "refresh",
        "refresh",
        "refresh",
      ]);
      expect(replayed).toBeLessThanOrEqual(40);
    }),
    { ...propertySettings, numRuns: 200 },
  );
  expect(found).toBeGreaterThan(50);
});

test("the same seed draws the same steps", () => {
  expect(randomSteps(5, 30)).toEqual(randomSteps(5, 30));
  expect(randomSteps(5, 30)).not.toEqual(randomSteps(6, 30));
});
