import type { LoadRun } from "../../reports/load-format.ts";
import { compareTries, type ObservedWait } from "../../suites/support/pow/observed-tries.ts";
import { signupCoreSeconds, solverSpeeds, solveToVerifyRatio } from "../../suites/support/pow/cost.ts";

/** The cost of a sign-up for the solver, relative to the cost of its verification for the target. */
export function economicsOf(facts: {
  difficultyBits: number;
  /** S of the target, in ms. */
  verifyMs: number;
  /** Time of one scrypt evaluation with node:crypto on this machine, in ms. */
  nodeCryptoMs: number;
  /** CPU time per hash of mailproof's solver, in ms. */
  solverMs: number;
  /** The proofs solved for this run. */
  waits: readonly ObservedWait[];
}): NonNullable<LoadRun["economics"]> {
  const { difficultyBits, verifyMs, nodeCryptoMs, solverMs, waits } = facts;
  const comparison = compareTries(waits);
  return {
    difficultyBits,
    verifyMs,
    expectedTries: 2 ** difficultyBits,
    solved: waits.length,
    tries: waits.reduce((sum, { tries }) => sum + tries, 0),
    ...(comparison !== null && { pValue: comparison.pValue }),
    solvers: solverSpeeds({ nodeCryptoMs, solverMs }).map(({ where, name, basis, hashMs }) => ({
      where,
      solver: name,
      basis,
      hashesPerSecond: 1000 / hashMs,
      signupCoreSeconds: signupCoreSeconds(hashMs, difficultyBits),
      solveToVerify: solveToVerifyRatio(hashMs, verifyMs, difficultyBits),
    })),
  };
}
