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
import type { LiveLine } from "./live-line.ts";
import { isOnThisMachine } from "./permission.ts";
import type { ShardOption } from "./shard-option.ts";
import type { TargetUnits } from "./target-units.ts";

export interface MeasuringOptions {
  readonly target: Target;
  readonly units: TargetUnits;
  readonly isShort: boolean;
  readonly isEmbedded: boolean;
  readonly shard: ShardOption | undefined;
  readonly signal: AbortSignal;
  readonly live: LiveLine;
}

/** Runs load profiles one after the other, with S measured before and after each. Ends early when interrupted. */
export async function measureProfiles(
  profiles: readonly LoadProfile[],
  options: MeasuringOptions,
): Promise<MeasuredProfile[]> {
  const { units, signal, live } = options;
  const measured: MeasuredProfile[] = [];
  const { isMeasured, scryptMs } = units;
  // How the machine is after one profile is how it is before the next.
  let before = isMeasured ? { scryptMs, idleCores: await busyCores(idleSampleMs) } : undefined;
  for (const profile of profiles) {
    if (signal.aborted) break;
    live.profile(profile.name);
    const outcome = await outcomeOf(profile, options);
    live.end();
    if (before === undefined || signal.aborted) {
      measured.push({ profile, ...outcome, calibration: undefined });
      continue;
    }
    const after = { scryptMs: await measureScryptMs(), idleCores: await busyCores(idleSampleMs) };
    measured.push({ profile, ...outcome, calibration: calibrationOf(before, after) });
    before = after;
  }
  return measured;
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

async function outcomeOf(
  profile: LoadProfile,
  { target, units, isShort, isEmbedded, shard, signal, live }: MeasuringOptions,
): Promise<LoadOutcome & { problem?: string }> {
  try {
    return await runLoadProfile({
      target,
      profile,
      units,
      isShort,
      signal,
      targetProcess: processOf(target, isEmbedded),
      ...(shard && { shard, startAt: shard.startAt }),
      onGlance: (phase, second, glances) => live.glance(phase, second, glances),
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
        problem: `could not be set up: ${error instanceof Error ? error.message : ""}`,
      }),
    };
  }
}

/** A target of somebody else may have more processes than the one that listens: workers, a database. */
function processOf({ profile }: Target, isEmbedded: boolean): TargetProcess | undefined {
  if (!isOnThisMachine(profile)) return undefined;
  const { port, protocol } = new URL(profile.auth_url);
  const pid = processListeningOn(Number(port || (protocol === "https:" ? 443 : 80)));
  return pid === undefined ? undefined : { pid, isAll: isEmbedded };
}
