import { expect, test } from "vitest";
import { check, type Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { Verdict } from "../../suites/support/verdict.ts";
import type { Reproduced } from "../../reports/reproduction.ts";
import { repeatFailures, worthRepeating } from "./repeat-failures.ts";

function resultOf(id: string, verdict: Verdict = "fail", more: Partial<Check> = {}): CheckResult {
  const made = check({ id, claim: "It holds.", act: () => Promise.resolve(), assert: () => {} });
  return { id, check: { ...made, ...more } as Check, verdict, exchanges: [], durationMs: 1 };
}

/** Repeats failures on a target that gives these verdicts one after the other, the last one for ever. */
async function repeated(
  failures: readonly CheckResult[],
  verdicts: readonly Verdict[],
  { isSound = true, canMoveClock = true } = {},
): Promise<{ readonly found: Record<string, Reproduced>; readonly fresh: readonly boolean[] }> {
  const found: Record<string, Reproduced> = {};
  const fresh: boolean[] = [];
  await repeatFailures(failures, {
    run: {
      repeat(one, isFresh) {
        const verdict = verdicts[Math.min(fresh.length, verdicts.length - 1)] ?? "fail";
        fresh.push(isFresh);
        return Promise.resolve({ result: resultOf(one.id, verdict), isSound, wasRunDisturbed: false });
      },
    },
    signal: new AbortController().signal,
    canMoveClock,
    onRepeated: ({ id }, reproduced) => (found[id] = reproduced),
  });
  return { found, fresh };
}

test.for([
  { verdicts: ["fail"], reproduced: { tried: 3, failed: 3 } },
  { verdicts: ["pass"], reproduced: { tried: 3, failed: 0 } },
  { verdicts: ["pass", "pass", "fail", "pass"], reproduced: { tried: 10, failed: 1 } },
  { verdicts: ["fail", "pass", "fail"], reproduced: { tried: 10, failed: 9 } },
  // What could not be judged is not evidence.
  { verdicts: ["inconclusive", "fail"], reproduced: { tried: 2, failed: 2 } },
] as const)(
  "$verdicts, and so on, is $reproduced.failed of $reproduced.tried",
  async ({ verdicts, reproduced }) => {
    const { found, fresh } = await repeated([resultOf("A-1/x")], verdicts);
    expect(found).toEqual({ "A-1/x": reproduced });
    // What checks share is made again once for each failure, since it costs the target clients and grants.
    expect(fresh.filter(Boolean)).toEqual([true]);
  },
);

test("nothing is said of a failure that could not be judged again", async () => {
  const failures = [resultOf("A-1/x"), resultOf("A-2/x")];
  expect((await repeated(failures, ["fail"], { isSound: false })).found).toEqual({});
});

test("a budget that is used up ends it", async () => {
  const { found, fresh } = await repeated([resultOf("A-1/x"), resultOf("A-2/x")], ["fail", "blocked"]);
  expect(found).toEqual({ "A-1/x": { tried: 1, failed: 1 } });
  expect(fresh).toHaveLength(2);
});

test("a wait in real time that would take too long is left out", async () => {
  const slow = resultOf("A-1/x", "fail", { waitSeconds: 61 });
  expect((await repeated([slow], ["fail"], { canMoveClock: false })).found).toEqual({});
  expect((await repeated([slow], ["fail"])).found).toEqual({ "A-1/x": { tried: 3, failed: 3 } });
});

test("the first failure of each of ten requirements is worth repeating, known ones and whole-run checks are not", () => {
  const failures = [
    resultOf("K-1/x"),
    resultOf("W-1/x", "fail", { last: true }),
    resultOf("P-1/x", "pass"),
    ...Array.from({ length: 12 }, (_, at) => [resultOf(`A-${at}/x`), resultOf(`A-${at}/y`)]).flat(),
  ];
  const ids = worthRepeating(failures, (id) => id === "K-1/x").map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 10 }, (_, at) => `A-${at}/x`));
});
