import { percentileMs } from "./latency-histogram.ts";
import { latencyOf, type Row } from "./measurement.ts";

interface Unmeasured {
  readonly reason: string;
}

const windowSeconds = 10;
const minWindows = 10;
/** Growth is not measured in shorter phases. */
export const minGrowthSeconds = minWindows * windowSeconds;
const secondsPerHour = 3600;

/** Lower confidence bound of the growth of p99 per hour, relative to its median. Uses windows of ten seconds. */
export function slopeOfP99(rows: readonly Row[]): number | Unmeasured {
  const windows = inWindows(rows).map((part) => percentileMs(latencyOf({ rows: part }), 99));
  return growthPerHour(windows.filter((p99) => p99 !== undefined));
}

/** The same for resident memory, sampled once per second. */
export function slopeOfMemory(samplesMiB: readonly number[]): number | Unmeasured {
  if (samplesMiB.length === 0) return { reason: "the target's memory usage is unknown" };
  return growthPerHour(
    inWindows(samplesMiB).map((part) => part.reduce((sum, value) => sum + value, 0) / part.length),
  );
}

function inWindows<Sample>(samples: readonly Sample[]): Sample[][] {
  const count = Math.floor(samples.length / windowSeconds);
  return Array.from({ length: count }, (_, at) =>
    samples.slice(at * windowSeconds, (at + 1) * windowSeconds),
  );
}

/**
 * Theil–Sen estimator: robust against outliers. The lower bound of its 95 % confidence interval follows from the variance of
 * Kendall's tau (Sen 1968).
 */
function growthPerHour(windows: readonly number[]): number | Unmeasured {
  const count = windows.length;
  if (count < minWindows)
    return { reason: `growth needs ${minWindows} windows of ${windowSeconds} s, got ${count}` };
  const slopes = windows
    .flatMap((later, at) => windows.slice(0, at).map((earlier, before) => (later - earlier) / (at - before)))
    .toSorted((a, b) => a - b);
  const spread = 1.96 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const lower = slopes[Math.max(0, Math.floor((slopes.length - spread) / 2))] ?? 0;
  const median = windows.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? 1;
  return (lower / windowSeconds / median) * secondsPerHour;
}
