import { cpus } from "node:os";
import type { LoadProfileRun, LoadRun } from "../../reports/load-format.ts";
import type { LoadViolation } from "../../suites/support/load/engines/invariants.ts";
import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import type { ProfileMeasurement } from "../../suites/support/load/figures/measurement.ts";
import type { Calibration } from "../../suites/support/load/figures/validity.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import packageJson from "../../package.json" with { type: "json" };
import { type Findings, judgeProfile } from "./judge-profile.ts";
import type { TargetUnits } from "./target-units.ts";

/** The measurement of one load profile, or why there is none. */
export interface MeasuredProfile {
  readonly profile: LoadProfile;
  readonly measurement: ProfileMeasurement;
  readonly violations: readonly LoadViolation[];
  readonly interrupted: boolean;
  /** Undefined when S is set in the target's profile. */
  readonly calibration: Calibration | undefined;
  /** Why setup failed. */
  readonly problem?: string;
}

export interface LoadRunFacts {
  readonly id: string;
  readonly startedAt: Date;
  readonly isEmbedded: boolean;
  readonly isShort: boolean;
  readonly shard?: LoadRun["shard"];
  readonly units: TargetUnits;
}

/** A load run before its first profile is measured. */
export function startOfLoadRun(facts: LoadRunFacts, target: Profile): LoadRun {
  return {
    format: "mailproof-load/2",
    id: facts.id,
    startedAt: facts.startedAt.toISOString(),
    durationMs: 0,
    suite: { name: "mailproof", version: packageJson.version, node: process.version },
    target: {
      authUrl: target.auth_url,
      apiUrl: target.api_url,
      mcpUrl: target.mcp_url,
      isEmbedded: facts.isEmbedded,
    },
    isShort: facts.isShort,
    isComplete: false,
    ...(facts.shard !== undefined && { shard: facts.shard }),
    machine: { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length },
    units: facts.units,
    profiles: [],
  };
}

/** Judges measurements one after the other, and replaces every secret that is known so far with its fingerprint. */
export function createMeasurementJudge(
  { units, shard }: LoadRun,
  mask: SecretMask,
): (measured: MeasuredProfile) => LoadProfileRun {
  return (measured) => {
    const exchanges = measured.violations.flatMap((violation) => violation.exchanges);
    for (const exchange of exchanges) mask.learn(exchange);
    return judgeProfile(findingsOf(measured, shard !== undefined, mask), units);
  };
}

function findingsOf(measured: MeasuredProfile, isShard: boolean, mask: SecretMask): Findings {
  const { profile, measurement, calibration, problem, interrupted } = measured;
  return {
    // Thresholds apply to the merged run, not to a shard.
    profile: isShard ? { ...profile, thresholds: [] } : profile,
    measurement,
    calibration,
    problems: [
      ...(problem === undefined ? [] : [mask.text(problem)]),
      ...(interrupted ? ["the run was interrupted"] : []),
    ],
    violations: measured.violations.map((violation) => ({
      ...violation,
      observed: mask.text(violation.observed),
      exchanges: violation.exchanges.map((exchange) => {
        const { number: _number, ...masked } = mask.exchange(exchange);
        return masked;
      }),
    })),
  };
}
