import { physicalCores } from "../../suites/support/load/machine/physical-cores.ts";
import { measureScryptMs } from "../../suites/support/load/machine/scrypt-time.ts";
import type { Units } from "../../suites/support/load/figures/thresholds.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { UsageError } from "../usage-error.ts";
import { isOnThisMachine } from "./permission.ts";

export interface TargetUnits extends Units {
  /** S was measured on this machine, not set in the target's profile. */
  readonly isMeasured: boolean;
}

/**
 * S and C of the target: from its profile, or measured when the target is on this machine.
 *
 * @throws {UsageError} when the profile of a remote target lacks them
 */
export async function targetUnits(profile: Profile, signal: AbortSignal): Promise<TargetUnits> {
  const { scrypt_ms: scryptMs, cores } = profile.load;
  if (scryptMs !== undefined && cores !== undefined) return { scryptMs, cores, isMeasured: false };
  if (!isOnThisMachine(profile)) {
    throw new UsageError(
      "thresholds depend on the target's scrypt time and number of cores, which cannot be measured remotely: set load.scrypt_ms and load.cores in its profile (run mailproof solve --cost on the target's machine to get scrypt_ms)",
    );
  }
  return {
    scryptMs: scryptMs ?? (await measureScryptMs(signal)),
    cores: cores ?? physicalCores(),
    isMeasured: scryptMs === undefined,
  };
}
