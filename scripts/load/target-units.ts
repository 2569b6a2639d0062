import { physicalCores } from "../../suites/support/load/machine/physical-cores.ts";
import { measureScryptMs } from "../../suites/support/load/machine/scrypt-time.ts";
import type { Units } from "../../suites/support/load/figures/thresholds.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { UsageError } from "../usage-error.ts";
import { isOnThisMachine } from "./permission.ts";

export interface TargetUnits extends Units {
  /** Taken from this machine, which is the target's; else from its profile. */
  readonly isMeasured: boolean;
}

/**
 * S and C of the target: measured when it is on this machine, else what its profile says.
 *
 * @throws {UsageError} when the profile of a target elsewhere does not say
 */
export async function targetUnits(profile: Profile, signal: AbortSignal): Promise<TargetUnits> {
  const { scrypt_ms: scryptMs, cores } = profile.load;
  if (scryptMs !== undefined && cores !== undefined) return { scryptMs, cores, isMeasured: false };
  if (!isOnThisMachine(profile)) {
    throw new UsageError(
      "thresholds are in units of the target's scrypt time and cores, which cannot be measured from here: write load.scrypt_ms and load.cores into its profile (mailproof solve --cost, run there, prints the first)",
    );
  }
  return {
    scryptMs: scryptMs ?? (await measureScryptMs(signal)),
    cores: cores ?? physicalCores(),
    isMeasured: scryptMs === undefined,
  };
}
