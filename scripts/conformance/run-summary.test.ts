import { expect, test } from "vitest";
import { exampleCheck, exampleRun } from "../../reports/example-run.ts";
import type { RunFinding } from "../../reports/finding-format.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { runSummary } from "../../reports/page/run-summary.ts";

const whole = { coverage: { requirements: 1, decided: 1 } };

const finding: RunFinding = {
  id: "F1",
  kind: "requirement",
  sentence: "The service violates REDIR-08: host case matters.",
  severity: "interoperability",
  consequence: "Clients fail.",
  section: "authorize parameters",
  explains: ["REDIR-08/upper-case-host"],
  against: [],
  alternatives: [],
};

const fail = { verdict: "fail", expected: "a", observed: "b" } as const;

test.for<{ checks: Partial<RunCheck>[]; run?: Partial<Run>; tone: string; says: string; code: number }>([
  { checks: [{}], tone: "good", says: "It conforms: ", code: exitCodes.conforms },
  {
    checks: [fail],
    run: { findings: [finding] },
    tone: "bad",
    says: "It does not conform: 1 requirement is violated. First of all: The service violates REDIR-08",
    code: exitCodes.violated,
  },
  {
    checks: [{}, { ...fail, known: "until 4.2" }],
    tone: "warning",
    says: "Nothing new: ",
    code: exitCodes.conforms,
  },
  {
    checks: [{}],
    run: { knownProblems: ["expired"] },
    tone: "bad",
    says: "No new violation, but 1 known result",
    code: exitCodes.violated,
  },
  { checks: [{}, { verdict: "blocked" }], tone: "unknown", says: "Undecided: ", code: exitCodes.incomplete },
  {
    checks: [{}, { verdict: "blocked" }],
    run: { isReadOnly: true },
    tone: "good",
    says: "It conforms: ",
    code: exitCodes.conforms,
  },
  {
    checks: [{}],
    run: { isComplete: false },
    tone: "unknown",
    says: "Undecided: ",
    code: exitCodes.incomplete,
  },
  {
    checks: [{ verdict: "inconclusive", defect: true }],
    tone: "unknown",
    says: "No verdict: ",
    code: exitCodes.defect,
  },
  { checks: [], tone: "unknown", says: "Nothing was judged.", code: exitCodes.incomplete },
])("$says", ({ checks, run: changes = {}, tone, says, code }) => {
  const run = exampleRun(checks.map(exampleCheck), { ...whole, ...changes });
  const summary = runSummary(run);
  expect(summary.tone).toBe(tone);
  expect(summary.verdict).toContain(says);
  // What people read and what a pipeline sees are the same.
  expect(exitCodeOf(run)).toBe(code);
});

test("what limits a verdict is said beside it", () => {
  const { limits } = runSummary(
    exampleRun([exampleCheck({})], {
      isComplete: false,
      isReadOnly: true,
      leftOut: [{ needs: "a clock", checks: ["A-1", "A-2"] }],
    }),
  );
  expect(limits).toEqual([
    "The run ended before all of its checks were judged.",
    "It was read-only: what needs something to be made was not tried.",
    "455 requirements of the document’s 456 are not decided by this run.",
    "2 checks were left out for lack of a key in the profile.",
  ]);
});
