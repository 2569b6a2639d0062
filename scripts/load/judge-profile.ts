import type { LoadProfileRun } from "../../reports/load-format.ts";
import { bootstrapInterval } from "../../suites/support/load/figures/bootstrap.ts";
import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import type { ProfileMeasurement } from "../../suites/support/load/figures/measurement.ts";
import {
  judgeThreshold,
  type ThresholdResult,
  type Units,
} from "../../suites/support/load/figures/thresholds.ts";
import {
  type Calibration,
  type InvalidReason,
  reasonsInvalid,
} from "../../suites/support/load/figures/validity.ts";

export interface Findings {
  readonly profile: LoadProfile;
  readonly measurement: ProfileMeasurement;
  readonly violations: LoadProfileRun["violations"];
  /** Known problems of the measurement. */
  readonly problems: readonly string[];
  readonly calibration: Calibration | undefined;
}

export function judgeProfile(findings: Findings, units: Units): LoadProfileRun {
  const { profile, measurement, violations, problems, calibration } = findings;
  // Without a measurement, one reason is enough.
  const thresholds = measurement.phases.length === 0 ? [] : profile.thresholds;
  const judged = thresholds.map((threshold) => {
    const result = judgeThreshold(threshold, measurement, units);
    const interval =
      result.value === undefined ? undefined : bootstrapInterval(threshold.measure, measurement, units);
    return { ...result, ...(interval !== undefined && { interval }) };
  });
  const invalid: readonly InvalidReason[] = [
    ...problems.map((text) => ({ cause: "measurement", text }) as const),
    ...reasonsInvalid(measurement, calibration, thresholds, judged),
  ];
  return {
    name: profile.name,
    question: profile.question,
    verdict: verdictOf(violations.length, invalid, judged),
    phases: measurement.phases,
    thresholds: judged,
    invalid,
    violations,
    ...(calibration !== undefined && { calibration }),
  };
}

/**
 * A violation counts even in an invalid measurement; thresholds count only in a valid one. A missed threshold is missed
 * although another could not be judged.
 */
function verdictOf(
  violations: number,
  invalid: readonly InvalidReason[],
  results: readonly ThresholdResult[],
): LoadProfileRun["verdict"] {
  const has = (verdict: string): boolean => results.some((result) => result.verdict === verdict);
  if (violations > 0) return "violated";
  const isMissed = has("missed");
  if (invalid.some(({ cause }) => cause !== "not-judged" || !isMissed)) return "invalid";
  if (isMissed) return "missed";
  return has("warn") ? "warns" : "holds";
}
