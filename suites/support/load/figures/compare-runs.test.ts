import { expect, test } from "vitest";
import { type ComparableProfile, type ComparableThreshold, compareRuns } from "./compare-runs.ts";

function threshold(changes: Partial<ComparableThreshold>): ComparableThreshold {
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
    why: "lower by only 9 %",
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
    why: "slower by only 8 %",
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
    [profile([threshold({ bound, value: now })])],
    [profile([threshold({ bound, value: before, interval })])],
  );
  expect(compared).toMatchObject({ profile: "p", threshold: "t", before, now, interval, isRegression });
});

test("worseBy is positive for a worse value, whatever the bound", () => {
  const worseBy = (bound: "at-least" | "at-most", now: number): number | undefined =>
    compareRuns(
      [profile([threshold({ bound, value: now })])],
      [profile([threshold({ bound, value: 2, interval: [2, 2] })])],
    )[0]?.worseBy;
  expect(worseBy("at-least", 1)).toBe(0.5);
  expect(worseBy("at-most", 1)).toBe(-0.5);
});

const before = threshold({ value: 0.9, interval: [0.8, 1] });
const now = threshold({ value: 0.1 });

test.for<{ why: string; now: ComparableProfile; earlier: ComparableProfile[]; notCompared: string }>([
  { why: "no such profile", now: profile([now]), earlier: [], notCompared: "new: not in the earlier run" },
  {
    why: "no such threshold",
    now: profile([now]),
    earlier: [profile([])],
    notCompared: "new: not in the earlier run",
  },
  {
    why: "not judged in the earlier run",
    now: profile([now]),
    earlier: [profile([threshold({ verdict: "not-judged" })])],
    notCompared: "new: not judged in the earlier run",
  },
  {
    why: "invalid in the earlier run",
    now: profile([now]),
    earlier: [profile([before], "invalid")],
    notCompared: "new: the profile is invalid in the earlier run",
  },
  {
    why: "another measure in the earlier run",
    now: profile([now]),
    earlier: [profile([{ ...before, kind: "rate-ratio" }])],
    notCompared: "new: the earlier run has another measure with this id",
  },
  {
    why: "not judged in this run",
    now: profile([threshold({ verdict: "not-judged" })]),
    earlier: [profile([before])],
    notCompared: "not judged in this run",
  },
  {
    why: "invalid in this run",
    now: profile([now], "invalid"),
    earlier: [profile([before])],
    notCompared: "the profile is invalid in this run",
  },
  {
    why: "absolute ms",
    now: profile([{ ...now, kind: "latency-ms" }]),
    earlier: [profile([{ ...before, kind: "latency-ms" }])],
    notCompared: "absolute value, which depends on the machine",
  },
  {
    why: "absolute rate",
    now: profile([{ ...now, kind: "rate" }]),
    earlier: [profile([{ ...before, kind: "rate" }])],
    notCompared: "absolute value, which depends on the machine",
  },
  {
    why: "without an interval",
    now: profile([now]),
    earlier: [profile([threshold({ value: 0.9 })])],
    notCompared: "the earlier value has no interval",
  },
  {
    why: "zero in the earlier run",
    now: profile([now]),
    earlier: [profile([threshold({ value: 0, interval: [0, 0] })])],
    notCompared: "the earlier value is 0",
  },
])("$why: listed as not compared", ({ now: ours, earlier, notCompared }) => {
  const rows = compareRuns([ours], earlier);
  expect(rows).toMatchObject([{ profile: "p", threshold: "t", isRegression: false, notCompared }]);
  expect(rows[0]).not.toHaveProperty("worseBy");
});

test("a threshold that only the earlier run has is listed, unless its profile did not run", () => {
  const earlier = [profile([before, { ...before, id: "old" }]), { ...profile([before]), name: "other" }];
  const rows = compareRuns([profile([now])], earlier);
  expect(rows.map(({ threshold }) => threshold)).toEqual(["t", "old"]);
  expect(rows[1]).toMatchObject({ before: 0.9, notCompared: "removed: this run has no such threshold" });
});
