import type { TargetProcess } from "../../suites/support/load/machine/generator-health.ts";
import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import { busyCores, processListeningOn } from "../../suites/support/load/machine/machine-usage.ts";
import {
  LateStartError,
  type LoadOutcome,
  runLoadProfile,
} from "../../suites/support/load/run-load-profile.ts";
import { measureScryptMs } from "../../suites/support/load/machine/scrypt-time.ts";
import type { Calibration } from "../../suites/support/load/figures/validity.ts";
import type { Target } from "../../suites/support/target/target.ts";
import { BlockedError, InconclusiveError } from "../../suites/support/verdict.ts";
import type { MeasuredProfile } from "./compose-load-run.ts";
import type { LiveOutput } from "./live-output.ts";
import { isOnThisMachine } from "./permission.ts";
import type { ShardOption } from "./shard-option.ts";
import type { TargetUnits } from "./target-units.ts";

export interface MeasureOptions {
  readonly target: Target;
  readonly units: TargetUnits;
  readonly isShort: boolean;
  readonly isEmbedded: boolean;
  readonly shard: ShardOption | undefined;
  readonly signal: AbortSignal;
  readonly live: LiveOutput;
}

/** Runs load profiles in sequence and measures S before and after each. Stops when aborted. */
export async function* measureProfiles(
  profiles: readonly LoadProfile[],
  options: MeasureOptions,
): AsyncGenerator<MeasuredProfile, void> {
  const { units, signal, live } = options;
  const { isMeasured, scryptMs } = units;
  // The sample after one profile is the sample before the next.
  let before = isMeasured ? { scryptMs, idleCores: await busyCores(idleSampleMs) } : undefined;
  for (const profile of profiles) {
    if (signal.aborted) break;
    live.startProfile(profile.name);
    const outcome = await runProfile(profile, options);
    live.clear();
    if (before === undefined || signal.aborted) {
      yield { profile, ...outcome, calibration: undefined };
      continue;
    }
    const after = { scryptMs: await measureScryptMs(), idleCores: await busyCores(idleSampleMs) };
    yield { profile, ...outcome, calibration: calibrationOf(before, after) };
    before = after;
  }
}

const idleSampleMs = 500;

interface MachineState {
  readonly scryptMs: number;
  readonly idleCores: number | undefined;
}

function calibrationOf(before: MachineState, after: MachineState): Calibration {
  const idle = [before.idleCores, after.idleCores].filter((cores) => cores !== undefined);
  return {
    beforeMs: before.scryptMs,
    afterMs: after.scryptMs,
    ...(idle.length > 0 && { idleCores: Math.max(...idle) }),
  };
}

async function runProfile(
  profile: LoadProfile,
  { target, units, isShort, isEmbedded, shard, signal, live }: MeasureOptions,
): Promise<LoadOutcome & { problem?: string }> {
  try {
    return await runLoadProfile({
      target,
      profile,
      units,
      isShort,
      signal,
      targetProcess: targetProcessOf(target, isEmbedded),
      ...(shard && { shard, startAt: shard.startAt }),
      onProgress: (phase, second, stats) => live.update(phase, second, stats),
    });
  } catch (error) {
    const isExpected =
      error instanceof BlockedError || error instanceof InconclusiveError || error instanceof LateStartError;
    if (!isExpected && !signal.aborted) throw error;
    return {
      measurement: { profile: profile.name, phases: [] },
      violations: [],
      interrupted: signal.aborted,
      ...(!signal.aborted && {
        problem: `setup failed: ${error instanceof Error ? error.message : ""}`,
      }),
    };
  }
}

/** Other targets than the embedded one may have more processes, such as workers or a database. */
function targetProcessOf({ profile }: Target, isEmbedded: boolean): TargetProcess | undefined {
  if (!isOnThisMachine(profile)) return undefined;
  const { port, protocol } = new URL(profile.auth_url);
  const pid = processListeningOn(Number(port || (protocol === "https:" ? 443 : 80)));
  return pid === undefined ? undefined : { pid, isEntireTarget: isEmbedded };
}
