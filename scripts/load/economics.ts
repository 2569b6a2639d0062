import type { LoadRun } from "../../reports/load-format.ts";
import { compareTries, type ObservedWait } from "../../suites/support/pow/observed-tries.ts";
import { signupCoreSeconds, solverSpeeds, solveToVerifyRatio } from "../../suites/support/pow/cost.ts";

/** What a sign-up costs whoever wants many, next to what it costs the target to verify it. */
export function economicsOf(facts: {
  difficultyBits: number;
  /** S of the target. */
  verifyMs: number;
  /** One scrypt by node:crypto here, ms. */
  nodeCryptoMs: number;
  /** Our solver's, processor time a hash, ms. */
  solverMs: number;
  /** Of the proofs that were solved for this run. */
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
