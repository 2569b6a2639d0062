import type { LoadRun } from "../../reports/load-format.ts";
import { exitCodes } from "../exit-codes.ts";

/** The worst result decides: a violation, then a missed threshold or a regression, then an invalid or incomplete run. */
export function loadExitCode(run: LoadRun): number {
  const has = (verdict: string): boolean => run.profiles.some((profile) => profile.verdict === verdict);
  if (has("violated")) return exitCodes.violated;
  if (has("missed") || run.baseline?.comparisons.some(({ isRegression }) => isRegression))
    return exitCodes.thresholdMissed;
  if (has("invalid") || !run.isComplete || run.profiles.length === 0) return exitCodes.incomplete;
  return exitCodes.conforms;
}
