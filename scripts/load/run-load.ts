import { createSolver } from "../../suites/support/pow/solver.ts";
import type { LoadRun } from "../../reports/load-format.ts";
import { requestChallenge } from "../../suites/support/agent.ts";
import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import { oneShard } from "../../suites/support/load/shard.ts";
import type { ObservedWait } from "../../suites/support/pow/observed-tries.ts";
import { whyNothingAnswers } from "../../suites/support/preflight.ts";
import type { Profile } from "../../suites/support/profile.ts";
import { openTarget, type Target } from "../../suites/support/target.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import { composeLoadRun } from "./compose-load-run.ts";
import { economicsOf } from "./economics.ts";
import type { LiveLine } from "./live-line.ts";
import { measureProfiles } from "./measure-profiles.ts";
import { noteWaits } from "./observed-waits.ts";
import { type Plan, planLoad } from "./plan.ts";
import type { ShardOption } from "./shard-option.ts";
import { type TargetUnits, targetUnits } from "./target-units.ts";

export interface LoadRunOptions {
  readonly id: string;
  readonly profiles: readonly LoadProfile[];
  readonly isShort: boolean;
  readonly isEmbedded: boolean;
  readonly shard?: ShardOption | undefined;
  readonly signal: AbortSignal;
  /** Told what is going to happen before it does; what it returns is told of the run. */
  readonly begin: (plan: Plan, units: TargetUnits) => LiveLine;
}

/** Nothing that could be the service answers. */
export class NothingAnswersError extends Error {
  override readonly name = "NothingAnswersError";
}

/**
 * Measures a target and judges what was measured.
 *
 * @throws {NothingAnswersError}
 * @throws {UsageError} for a plan that cannot be, or a target elsewhere whose units nobody gave
 */
export async function runLoad(target: Profile, options: LoadRunOptions): Promise<LoadRun> {
  const { profiles, isShort, shard, signal } = options;
  const startedAt = new Date();
  const began = performance.now();
  const waits: ObservedWait[] = [];
  const solver = createSolver();
  const run = openTarget(target, noteWaits(solver, waits), signal);
  try {
    const nothingAnswers = await whyNothingAnswers(run, target);
    if (nothingAnswers !== undefined) throw new NothingAnswersError(nothingAnswers);
    const units = await targetUnits(target, signal);
    const difficultyBits = await difficultyOf(run.targetFor([]));
    const hashesPerSecond = (usualSpeedup * 1000 * solver.stats().workers) / units.scryptMs;
    const basis = { units, isShort, shard: shard ?? oneShard, difficultyBits, hashesPerSecond };
    const live = options.begin(planLoad(profiles, basis), units);
    const measuring = { target: run.targetFor([]), units, isShort, shard, signal, live };
    const measured = await measureProfiles(profiles, measuring);
    const { digests, busyMs } = solver.stats();
    const cost = {
      difficultyBits,
      verifyMs: units.scryptMs,
      nodeCryptoMs: units.scryptMs,
      solverMs: busyMs / digests,
      waits,
    };
    const facts = {
      id: options.id,
      startedAt,
      durationMs: performance.now() - began,
      isEmbedded: options.isEmbedded,
      isShort,
      isComplete: !signal.aborted && measured.length === profiles.length,
      ...(shard && {
        shard: { index: shard.index, count: shard.count, startAt: shard.startAt.toISOString() },
      }),
      units,
      measured,
      // A run without a proof of work knows nothing of what one costs.
      ...(digests > 0 && { economics: economicsOf(cost) }),
    };
    return composeLoadRun(facts, target);
  } finally {
    await run.close();
    await solver.close();
  }
}

// Of the solver over node:crypto on one core; only the plan depends on it, and says "about".
const usualSpeedup = 2;

async function difficultyOf(target: Target): Promise<number> {
  try {
    return (await requestChallenge(target)).difficultyBits;
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    // What needs a challenge says so itself; a plan without proofs of work can do without.
    return 0;
  }
}
