import type { Run } from "./run-format.ts";

/** `defect`: of mailproof itself. */
export type Outcome = "conforms" | "violated" | "incomplete" | "defect";

/** What a run comes to: its worst result decides. Known results do not count. */
export function outcomeOf(run: Pick<Run, "checks" | "knownProblems" | "isComplete" | "isReadOnly">): Outcome {
  if (run.checks.some((check) => check.defect)) return "defect";
  const unexpected = run.checks.filter((check) => check.known === undefined);
  if (run.knownProblems.length > 0 || unexpected.some((check) => check.verdict === "fail")) return "violated";
  // Whoever asks for a run that makes nothing knows that most checks need something made.
  const isUndecided = unexpected.some(
    ({ verdict }) => verdict === "inconclusive" || (verdict === "blocked" && !run.isReadOnly),
  );
  const isDecided = run.checks.some(({ verdict }) => verdict !== "blocked");
  return isUndecided || !run.isComplete || !isDecided ? "incomplete" : "conforms";
}
