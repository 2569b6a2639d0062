import { expect, test } from "vitest";
import { type Check, check } from "./check.ts";
import { type Concurrency, judgeInRounds, oneAtATime } from "./rounds.ts";
import type { CheckResult } from "./judge.ts";

const checks: readonly Check[] = Array.from({ length: 12 }, (_, at) => ({
  ...check({
    id: `META-02/${at}`,
    claim: "A claim that is never judged.",
    act: () => Promise.reject(new TypeError("not called")),
    assert: () => undefined,
  }),
  ...(at < 3 && { waitSeconds: 1 }),
}));

/** At each start of a check, the places of those under way. */
async function placesUnderWay(concurrency: Concurrency): Promise<readonly (readonly number[])[]> {
  const underWay: number[] = [];
  const seen: number[][] = [];
  await judgeInRounds(checks, concurrency, {
    async attempt(judged, place) {
      underWay.push(place);
      seen.push([...underWay]);
      await new Promise((resolve) => setImmediate(resolve));
      underWay.splice(underWay.indexOf(place), 1);
      const result: CheckResult = {
        id: judged.id,
        check: judged,
        verdict: "pass",
        exchanges: [],
        durationMs: 0,
      };
      return { result, isSound: true, wasRunDisturbed: false };
    },
    beforeNextRound: () => undefined,
    onStart: () => undefined,
    onSettled: () => undefined,
    signal: new AbortController().signal,
  });
  return seen;
}

test("checks that need clients of their own are never two in one place, those that wait included", async () => {
  const seen = await placesUnderWay({ limit: 4, needsOwnClients: true });
  expect(seen).toHaveLength(checks.length);
  for (const places of seen) expect(new Set(places).size).toBe(places.length);
  expect(Math.max(...seen.flat())).toBe(3);
});

test("checks that may share their clients all act in place 0, and those that wait take no place from the others", async () => {
  const seen = await placesUnderWay({ limit: 4, needsOwnClients: false });
  expect(new Set(seen.flat())).toEqual(new Set([0]));
  expect(Math.max(...seen.map((places) => places.length))).toBe(7);
});

test("checks that must not act together follow one another", async () => {
  expect(await placesUnderWay(oneAtATime)).toEqual(checks.map(() => [0]));
});
