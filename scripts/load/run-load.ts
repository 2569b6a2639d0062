import { interruptibleSolver } from "../../suites/support/pow/interruptible-solver.ts";
import { createSolver, type Solver } from "../../suites/support/pow/solver.ts";
import type { LoadProfileRun, LoadRun } from "../../reports/load-format.ts";
import type { LoadJournalEntry } from "../../reports/load-journal-format.ts";
import { requestChallenge } from "../../suites/support/actors/agent.ts";
import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import { oneShard } from "../../suites/support/load/shard.ts";
import { preflightFailure } from "../../suites/support/target/preflight.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { openTarget, type Target } from "../../suites/support/target/target.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import { measureSpeed } from "../solve/measured-speed.ts";
import { createMeasurementJudge, startOfLoadRun } from "./compose-load-run.ts";
import { economicsOf } from "./economics.ts";
import type { LiveOutput } from "./live-output.ts";
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
  /** Knows the secrets of the profile; learns those of the run. */
  readonly mask: SecretMask;
  readonly signal: AbortSignal;
  /** Called before the load starts; the result receives progress. */
  readonly onPlan: (plan: Plan, units: TargetUnits) => LiveOutput;
  /** Receives what has been found, as it is found. */
  readonly onEntry: (entry: LoadJournalEntry) => void;
}

/** The preflight request failed. */
export class TargetUnreachableError extends Error {
  override readonly name = "TargetUnreachableError";
}

/**
 * Measures a target and judges what was measured.
 *
 * @throws {TargetUnreachableError}
 * @throws {UsageError} for an infeasible plan, or a remote target whose profile lacks its units
 */
export async function runLoad(target: Profile, options: LoadRunOptions): Promise<LoadRun> {
  const { profiles, isShort, isEmbedded, shard, mask, signal } = options;
  const startedAt = new Date();
  const startedMs = performance.now();
  const solver = createSolver();
  const run = openTarget(target, interruptibleSolver(solver, signal), signal, {
    onExchange: (exchange) => mask.learn(exchange),
  });
  try {
    const failure = await preflightFailure(run, target);
    if (failure !== undefined) throw new TargetUnreachableError(failure);
    const units = await targetUnits(target, signal);
    const difficultyBits = await difficultyOf(run.targetFor(createEvidence()));
    const hashesPerSecond = (typicalSpeedup * 1000 * solver.stats().workers) / units.scryptMs;
    const basis = {
      units,
      isShort,
      shard: shard ?? oneShard,
      difficultyBits: difficultyBits ?? 0,
      hashesPerSecond,
    };
    const live = options.onPlan(planLoad(profiles, basis), units);
    const measureOptions = {
      target: run.targetFor(createEvidence()),
      units,
      isShort,
      isEmbedded,
      shard,
      signal,
      live,
    };
    const start = startOfLoadRun(
      {
        id: options.id,
        startedAt,
        isEmbedded,
        isShort,
        ...(shard && {
          shard: { index: shard.index, count: shard.count, startAt: shard.startAt.toISOString() },
        }),
        units,
      },
      target,
    );
    options.onEntry({ kind: "start", format: "mailproof-load-journal/1", run: start });
    const judge = createMeasurementJudge(start, mask);
    const judged: LoadProfileRun[] = [];
    for await (const measured of measureProfiles(profiles, measureOptions)) {
      const profile = judge(measured);
      judged.push(profile);
      options.onEntry({ kind: "profile", profile });
    }
    const economics = await measureEconomics(solver, difficultyBits, units.scryptMs, signal);
    const end = {
      ...economics,
      durationMs: Math.round(performance.now() - startedMs),
      isComplete: !signal.aborted && judged.length === profiles.length,
    };
    options.onEntry({ kind: "end", ...end });
    return { ...start, profiles: judged, ...end };
  } finally {
    await run.close();
    await solver.close();
  }
}

/** Empty for an interrupted run and for a target without proof of work. */
async function measureEconomics(
  solver: Solver,
  difficultyBits: number | undefined,
  verifyMs: number,
  signal: AbortSignal,
): Promise<Pick<LoadRun, "economics">> {
  if (signal.aborted || difficultyBits === undefined) return {};
  const waits = solver.waits();
  // Measured separately, because a run solves too few proofs.
  const { nodeCryptoMs, solverMs } = await measureSpeed(solver, signal);
  return { economics: economicsOf({ difficultyBits, verifyMs, nodeCryptoMs, solverMs, waits }) };
}

// Of the solver relative to node:crypto on one core. Used only for the estimate in the plan.
const typicalSpeedup = 3;

/** Undefined when the target does not issue challenges. */
async function difficultyOf(target: Target): Promise<number | undefined> {
  try {
    return (await requestChallenge(target)).difficultyBits;
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    // Profiles that need challenges report it themselves.
    return undefined;
  }
}
