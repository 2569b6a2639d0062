import { expect, test } from "vitest";
import { exampleCheck } from "../../reports/example-run.ts";
import { outcomeOf } from "./outcome.ts";

const failed = {
  verdict: "fail",
  expected: "a refusal",
  observed: "200 with <code 1a2b3c4d, 43 characters>",
} as const;

test.for([
  { before: failed, now: { verdict: "pass" }, outcome: "FIXED" },
  { before: failed, now: { verdict: "warn" }, outcome: "FIXED" },
  {
    before: failed,
    now: { ...failed, observed: "200 with <code 99998888, 43 characters>" },
    outcome: "STILL FAILS",
  },
  { before: failed, now: { ...failed, observed: "302" }, outcome: "DIFFERENT" },
  { before: failed, now: { verdict: "inconclusive" }, outcome: "UNDECIDED" },
  { before: { verdict: "pass" }, now: { verdict: "pass" }, outcome: "SAME" },
  { before: { verdict: "pass" }, now: failed, outcome: "BROKEN" },
  {
    before: { verdict: "observed", reason: "yes" },
    now: { verdict: "observed", reason: "no" },
    outcome: "CHANGED",
  },
] as const)("$before.verdict, then $now.verdict: $outcome", ({ before, now, outcome }) => {
  expect(outcomeOf(exampleCheck(before), exampleCheck(now))).toBe(outcome);
});

test("what was not judged is undecided", () => {
  expect(outcomeOf(exampleCheck(failed), undefined)).toBe("UNDECIDED");
});
