import { expect, test } from "vitest";
import { exampleCheck, exampleRun } from "../reports/example-run.ts";
import { exitCodeOf } from "./exit-codes.ts";

const pass = exampleCheck({});
const fail = exampleCheck({ verdict: "fail" });

test.for([
  {
    why: "all passed, warned or observed",
    run: exampleRun([pass, exampleCheck({ verdict: "warn" }), exampleCheck({ verdict: "observed" })]),
    code: 0,
  },
  { why: "a violation", run: exampleRun([pass, fail]), code: 1 },
  {
    why: "a violation that is known",
    run: exampleRun([pass, exampleCheck({ verdict: "fail", known: "being fixed" })]),
    code: 0,
  },
  {
    why: "a known result that no longer holds",
    run: exampleRun([pass], { knownProblems: ["it passes now"] }),
    code: 1,
  },
  {
    why: "something inconclusive",
    run: exampleRun([pass, exampleCheck({ verdict: "inconclusive" })]),
    code: 3,
  },
  { why: "something blocked", run: exampleRun([pass, exampleCheck({ verdict: "blocked" })]), code: 3 },
  { why: "an interrupted run", run: exampleRun([pass], { isComplete: false }), code: 3 },
  { why: "nothing judged", run: exampleRun([]), code: 3 },
  { why: "a violation in an interrupted run", run: exampleRun([fail], { isComplete: false }), code: 1 },
  {
    why: "a check that broke",
    run: exampleRun([fail, exampleCheck({ verdict: "inconclusive", defect: true })]),
    code: 5,
  },
])("$why: exit code $code", ({ run, code }) => {
  expect(exitCodeOf(run)).toBe(code);
});
