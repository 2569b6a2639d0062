import type { Run } from "../reports/run-format.ts";

/** The exit codes of every command. */
export const exitCodes = {
  conforms: 0,
  violated: 1,
  usage: 2,
  incomplete: 3,
  thresholdMissed: 4,
  defect: 5,
} as const;

/** The worst outcome of a run decides. Known results do not count. */
export function exitCodeOf(run: Pick<Run, "checks" | "knownProblems" | "isComplete" | "isReadOnly">): number {
  if (run.checks.some((check) => check.defect)) return exitCodes.defect;
  const unexpected = run.checks.filter((check) => check.known === undefined);
  if (run.knownProblems.length > 0 || unexpected.some((check) => check.verdict === "fail"))
    return exitCodes.violated;
  // Whoever asks for a run that makes nothing knows that most checks need something made.
  const isUndecided = unexpected.some(
    ({ verdict }) => verdict === "inconclusive" || (verdict === "blocked" && !run.isReadOnly),
  );
  return isUndecided || !run.isComplete || run.checks.length === 0
    ? exitCodes.incomplete
    : exitCodes.conforms;
}
