import type { LoadRun } from "../../reports/load-format.ts";
import { compareRuns } from "../../suites/support/load/figures/compare-runs.ts";

/** The run with what became better or worse since an earlier one; the run itself when there is none to compare with. */
export function withBaseline(run: LoadRun, baseline: LoadRun | undefined): LoadRun {
  if (baseline === undefined) return run;
  return { ...run, baseline: { id: baseline.id, comparisons: compareRuns(run.profiles, baseline.profiles) } };
}
