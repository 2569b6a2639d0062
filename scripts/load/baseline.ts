import type { LoadRun } from "../../reports/load-format.ts";
import { compareRuns } from "../../suites/support/load/figures/compare-runs.ts";

/** Adds the comparison with an earlier run, if there is one. */
export function withBaseline(run: LoadRun, baseline: LoadRun | undefined): LoadRun {
  if (baseline === undefined) return run;
  return { ...run, baseline: { id: baseline.id, comparisons: compareRuns(run.profiles, baseline.profiles) } };
}
