import type { ProfileMeasurement } from "./measurement.ts";
import type { Measure } from "./thresholds.ts";
import { secondsForGrowth } from "./slope.ts";

/**
 * Whether a figure cannot be had by plan: the phase is too short for growth, as in a short run, or the target's memory is not
 * to be seen. It is listed as not judged, and nothing went wrong; a long phase that was cut short is another matter.
 */
export function isOutOfReach(measure: Measure, { phases }: ProfileMeasurement): boolean {
  if (measure.kind !== "p99-growth" && measure.kind !== "memory-growth") return false;
  const name = measure.kind === "memory-growth" ? measure.phase : measure.at.phase;
  const phase = phases.find((candidate) => candidate.name === name);
  if (phase === undefined) return false;
  const isUnseen = measure.kind === "memory-growth" && phase.health.targetMiB.length === 0;
  return phase.seconds < secondsForGrowth || isUnseen;
}
