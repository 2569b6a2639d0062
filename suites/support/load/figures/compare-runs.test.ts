import { expect, test } from "vitest";
import { type ComparableProfile, type ComparableThreshold, compareRuns } from "./compare-runs.ts";

function figure(changes: Partial<ComparableThreshold>): ComparableThreshold {
  return { id: "t", kind: "efficiency", bound: "at-least", verdict: "pass", ...changes };
}

function profile(thresholds: readonly ComparableThreshold[], verdict = "holds"): ComparableProfile {
  return { name: "p", verdict, thresholds };
}

test.for([
  {
    bound: "at-least",
    before: 0.9,
    interval: [0.88, 0.92],
    now: 0.7,
    isRegression: true,
    why: "lower by 22 %",
  },
  {
    bound: "at-least",
    before: 0.9,
    interval: [0.88, 0.92],
    now: 0.82,
    isRegression: false,
    why: "by 9 % only",
  },
  {
    bound: "at-least",
    before: 0.9,
    interval: [0.6, 1.2],
    now: 0.7,
    isRegression: false,
    why: "within the interval",
  },
  {
    bound: "at-least",
    before: 0.9,
    interval: [0.88, 0.92],
    now: 1.4,
    isRegression: false,
    why: "higher is better",
  },
  {
    bound: "at-most",
    before: 0.5,
    interval: [0.45, 0.55],
    now: 0.7,
    isRegression: true,
    why: "slower by 40 %",
  },
  {
    bound: "at-most",
    before: 0.5,
    interval: [0.45, 0.52],
    now: 0.54,
    isRegression: false,
    why: "by 8 % only",
  },
  {
    bound: "at-most",
    before: 0.5,
    interval: [0.1, 0.9],
    now: 0.7,
    isRegression: false,
    why: "within the interval",
  },
  {
    bound: "at-most",
    before: 0.5,
    interval: [0.45, 0.55],
    now: 0.1,
    isRegression: false,
    why: "faster is better",
  },
] as const)("$bound $before to $now: regression $isRegression ($why)", (row) => {
  const { bound, before, interval, now, isRegression } = row;
  const [compared] = compareRuns(
    [profile([figure({ bound, value: now })])],
    [profile([figure({ bound, value: before, interval })])],
  );
  expect(compared).toMatchObject({ profile: "p", threshold: "t", before, now, interval, isRegression });
});

test("worse is positive whatever the bound's direction", () => {
  const worseBy = (bound: "at-least" | "at-most", now: number): number | undefined =>
    compareRuns(
      [profile([figure({ bound, value: now })])],
      [profile([figure({ bound, value: 2, interval: [2, 2] })])],
    )[0]?.worseBy;
  expect(worseBy("at-least", 1)).toBe(0.5);
  expect(worseBy("at-most", 1)).toBe(-0.5);
});

const before = figure({ value: 0.9, interval: [0.8, 1] });
const now = figure({ value: 0.1 });

test.for<{ why: string; now: ComparableProfile; earlier: ComparableProfile[]; says: string }>([
  { why: "no such profile", now: profile([now]), earlier: [], says: "new: the earlier run does not have it" },
  {
    why: "no such threshold",
    now: profile([now]),
    earlier: [profile([])],
    says: "new: the earlier run does not have it",
  },
  {
    why: "not judged then",
    now: profile([now]),
    earlier: [profile([figure({ verdict: "not-judged" })])],
    says: "new: the earlier run did not judge it",
  },
  {
    why: "invalid then",
    now: profile([now]),
    earlier: [profile([before], "invalid")],
    says: "new: the earlier run of it is invalid",
  },
  {
    why: "another figure then",
    now: profile([now]),
    earlier: [profile([{ ...before, kind: "rate-ratio" }])],
    says: "new: the earlier run measured something else under this name",
  },
  {
    why: "not judged now",
    now: profile([figure({ verdict: "not-judged" })]),
    earlier: [profile([before])],
    says: "this run could not judge it",
  },
  {
    why: "invalid now",
    now: profile([now], "invalid"),
    earlier: [profile([before])],
    says: "this run of it is invalid",
  },
  {
    why: "absolute ms",
    now: profile([{ ...now, kind: "latency-ms" }]),
    earlier: [profile([{ ...before, kind: "latency-ms" }])],
    says: "absolute: it depends on the machine",
  },
  {
    why: "absolute rate",
    now: profile([{ ...now, kind: "rate" }]),
    earlier: [profile([{ ...before, kind: "rate" }])],
    says: "absolute: it depends on the machine",
  },
  {
    why: "without an interval",
    now: profile([now]),
    earlier: [profile([figure({ value: 0.9 })])],
    says: "its figure has no interval to be outside of",
  },
  {
    why: "zero then",
    now: profile([now]),
    earlier: [profile([figure({ value: 0, interval: [0, 0] })])],
    says: "it was 0, of which nothing is a share",
  },
])("$why: said, not dropped, and no regression", ({ now: ours, earlier, says }) => {
  const rows = compareRuns([ours], earlier);
  expect(rows).toMatchObject([{ profile: "p", threshold: "t", isRegression: false, notCompared: says }]);
  expect(rows[0]).not.toHaveProperty("worseBy");
});

test("a threshold that only the earlier run had has a row, those of profiles that did not run have none", () => {
  const earlier = [profile([before, { ...before, id: "old" }]), { ...profile([before]), name: "other" }];
  const rows = compareRuns([profile([now])], earlier);
  expect(rows.map(({ threshold }) => threshold)).toEqual(["t", "old"]);
  expect(rows[1]).toMatchObject({ before: 0.9, notCompared: "gone: this run has no such threshold" });
});
