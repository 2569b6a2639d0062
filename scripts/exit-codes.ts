import { type Outcome, outcomeOf } from "../reports/outcome.ts";
import type { Run } from "../reports/run-format.ts";

/** The exit codes of every command. */
export const exitCodes = {
  conforms: 0,
  violated: 1,
  usage: 2,
  incomplete: 3,
  thresholdMissed: 4,
  defect: 5,
} as const satisfies Readonly<Record<Outcome | "usage" | "thresholdMissed", number>>;

export function exitCodeOf(run: Pick<Run, "checks" | "knownProblems" | "isComplete" | "isReadOnly">): number {
  return exitCodes[outcomeOf(run)];
}
