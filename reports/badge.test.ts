import { expect, test } from "vitest";
import { renderBadge } from "./badge.ts";
import { exampleCheck, exampleRun } from "./example-run.ts";
import { notSelected } from "./not-selected.ts";
import type { Run, RunRequirement } from "./run-format.ts";

const green = "#1a7f37";
const notJudged: RunRequirement = { ...exampleCheck({}).requirement, checks: [], notJudged: notSelected };

test("a whole run that conforms is green, and says how much it decided", () => {
  const svg = renderBadge(exampleRun([exampleCheck({})]));
  expect(svg).toContain(green);
  expect(svg).toContain("<title>mailproof: conforms (1 of 456)</title>");
});

test.for([
  { why: "was interrupted", changes: { isComplete: false }, says: "incomplete" },
  { why: "judged nothing", changes: { checks: [] }, says: "incomplete" },
  { why: "made nothing", changes: { isReadOnly: true }, says: "partly judged (1 of 456)" },
  { why: "judged a selection", changes: { requirements: [notJudged] }, says: "partly judged (1 of 456)" },
  {
    why: "could not judge something",
    changes: { checks: [exampleCheck({ verdict: "blocked" })] },
    says: "incomplete",
  },
  {
    why: "found a violation",
    changes: { checks: [exampleCheck({ verdict: "fail" })] },
    says: "1 problem",
  },
  { why: "contradicts a known result", changes: { knownProblems: ["a"] }, says: "known results changed" },
  {
    why: "met a defect of mailproof",
    changes: { checks: [exampleCheck({ verdict: "inconclusive", defect: true })] },
    says: "not judged",
  },
] as readonly { why: string; changes: Partial<Run>; says: string }[])(
  "a run that $why is not green",
  ({ changes, says }) => {
    const svg = renderBadge(exampleRun([exampleCheck({})], changes));
    expect(svg).not.toContain(green);
    expect(svg).toContain(`<title>mailproof: ${says}</title>`);
  },
);
