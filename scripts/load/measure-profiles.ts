import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import { processListeningOn } from "../../suites/support/load/machine-usage.ts";
import {
  LateStartError,
  type LoadOutcome,
  runLoadProfile,
} from "../../suites/support/load/run-load-profile.ts";
import { measureScryptMs } from "../../suites/support/load/scrypt-time.ts";
import type { Target } from "../../suites/support/target.ts";
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
  // The time of one profile's end is that of the next one's beginning.
  let beforeMs = units.scryptMs;
  for (const profile of profiles) {
    if (signal.aborted) break;
    live.profile(profile.name);
    const outcome = await outcomeOf(profile, options);
    live.end();
    if (!units.isMeasured || signal.aborted) {
      measured.push({ profile, ...outcome, calibration: undefined });
      continue;
    }
    const afterMs = await measureScryptMs();
    measured.push({ profile, ...outcome, calibration: { beforeMs, afterMs } });
    beforeMs = afterMs;
  }
  return measured;
}

async function outcomeOf(
  profile: LoadProfile,
  { target, units, isShort, shard, signal, live }: MeasuringOptions,
): Promise<LoadOutcome & { problem?: string }> {
  try {
    return await runLoadProfile({
      target,
      profile,
      units,
      isShort,
      signal,
      // Other shards may run on this machine, and they are no foreign load.
      targetPid: shard === undefined ? pidOf(target) : undefined,
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

function pidOf({ profile }: Target): number | undefined {
  if (!isOnThisMachine(profile)) return undefined;
  const { port, protocol } = new URL(profile.auth_url);
  return processListeningOn(Number(port || (protocol === "https:" ? 443 : 80)));
}
