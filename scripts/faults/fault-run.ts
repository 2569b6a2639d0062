import type { Fault } from "../../fixtures/faults/fault.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { Catch } from "./caught-by.ts";
import { defaultDifficultyBits, judgeService } from "./judge-service.ts";
import { sharedSolver } from "./shared-solver.ts";

/** A check that noticed a fault. */
export interface CaughtResult extends CheckResult {
  readonly verdict: Catch;
}

/** Those of the checks that fail or warn against the reference service with this defect. Without one they all pass or observe. */
export async function catchersOf(fault: Fault, checks: readonly Check[]): Promise<readonly CaughtResult[]> {
  const { difficultyBits = defaultDifficultyBits, store, ...changes } = fault;
  const results = await judgeService(
    {
      ...changes,
      ...(store && { store: store.open() }),
      configuration: { pow: { difficultyBits } },
    },
    checks,
    { solver: sharedSolver },
  );
  return results.filter(noticed);
}

function noticed(result: CheckResult): result is CaughtResult {
  return result.verdict === "fail" || result.verdict === "warn";
}
