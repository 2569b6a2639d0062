import { createSolver, type Solver } from "../../suites/support/pow/solver.ts";
import type { LoadRun } from "../../reports/load-format.ts";
import { requestChallenge } from "../../suites/support/actors/agent.ts";
import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import { oneShard } from "../../suites/support/load/shard.ts";
import { preflightFailure } from "../../suites/support/target/preflight.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { openTarget, type Target } from "../../suites/support/target/target.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import { measureSpeed } from "../solve/measured-speed.ts";
import { composeLoadRun } from "./compose-load-run.ts";
import { economicsOf } from "./economics.ts";
import type { LiveLine } from "./live-line.ts";
import { measureProfiles } from "./measure-profiles.ts";
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
  const { profiles, isShort, isEmbedded, shard, signal } = options;
  const startedAt = new Date();
  const began = performance.now();
  const solver = createSolver();
  const run = openTarget(target, solver, signal);
  try {
    const nothingAnswers = await preflightFailure(run, target);
    if (nothingAnswers !== undefined) throw new NothingAnswersError(nothingAnswers);
    const units = await targetUnits(target, signal);
    const difficultyBits = await difficultyOf(run.targetFor(createEvidence()));
    const hashesPerSecond = (usualSpeedup * 1000 * solver.stats().workers) / units.scryptMs;
    const basis = {
      units,
      isShort,
      shard: shard ?? oneShard,
      difficultyBits: difficultyBits ?? 0,
      hashesPerSecond,
    };
    const live = options.begin(planLoad(profiles, basis), units);
    const measuring = {
      target: run.targetFor(createEvidence()),
      units,
      isShort,
      isEmbedded,
      shard,
      signal,
      live,
    };
    const measured = await measureProfiles(profiles, measuring);
    const facts = {
      id: options.id,
      startedAt,
      durationMs: performance.now() - began,
      isEmbedded,
      isShort,
      isComplete: !signal.aborted && measured.length === profiles.length,
      ...(shard && {
        shard: { index: shard.index, count: shard.count, startAt: shard.startAt.toISOString() },
      }),
      units,
      measured,
      ...(await costOf(solver, difficultyBits, units.scryptMs, signal)),
    };
    return composeLoadRun(facts, target);
  } finally {
    await run.close();
    await solver.close();
  }
}

/** Nothing, of a run that was interrupted, or of a target that asks for no proof of work. */
async function costOf(
  solver: Solver,
  difficultyBits: number | undefined,
  verifyMs: number,
  signal: AbortSignal,
): Promise<Pick<LoadRun, "economics">> {
  if (signal.aborted || difficultyBits === undefined) return {};
  const waits = solver.waits();
  // Apart from the load: the few proofs that a run needs say little of the solver's speed.
  const { nodeCryptoMs, solverMs } = await measureSpeed(solver, signal);
  return { economics: economicsOf({ difficultyBits, verifyMs, nodeCryptoMs, solverMs, waits }) };
}

// Of the solver over node:crypto on one core; only the plan depends on it, and says "about".
const usualSpeedup = 3;

/** Undefined when the target issues no challenge. */
async function difficultyOf(target: Target): Promise<number | undefined> {
  try {
    return (await requestChallenge(target)).difficultyBits;
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    // What needs a challenge says so itself; a plan without proofs of work can do without.
    return undefined;
  }
}
