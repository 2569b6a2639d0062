import type { ProfileMeasurement } from "./measurement.ts";
import type { Measure } from "./thresholds.ts";
import { minGrowthSeconds } from "./slope.ts";

/**
 * Whether a measure is impossible in this run by design: the phase is too short for growth, as with `--short`, or the target's
 * memory is unknown. Its threshold is then not judged, and the run stays valid. An interrupted phase does not count.
 */
export function isUnmeasurable(measure: Measure, { phases }: ProfileMeasurement): boolean {
  if (measure.kind !== "p99-growth" && measure.kind !== "memory-growth") return false;
  const name = measure.kind === "memory-growth" ? measure.phase : measure.at.phase;
  const phase = phases.find((candidate) => candidate.name === name);
  if (phase === undefined) return false;
  const isMemoryUnknown = measure.kind === "memory-growth" && phase.health.targetMiB.length === 0;
  return phase.seconds < minGrowthSeconds || isMemoryUnknown;
}
