import { percentileMs } from "./latency-histogram.ts";
import { latencyOf, type Row } from "./measurement.ts";

interface Unmeasured {
  readonly reason: string;
}

const windowSeconds = 10;
const fewestWindows = 10;
/** A phase that is shorter by plan says nothing of growth. */
export const secondsForGrowth = fewestWindows * windowSeconds;
const secondsPerHour = 3600;

/** Lower end of the growth of p99 over windows of ten seconds, a share of its median an hour. */
export function slopeOfP99(rows: readonly Row[]): number | Unmeasured {
  const windows = inWindows(rows).map((part) => percentileMs(latencyOf({ rows: part }), 99));
  return growthPerHour(windows.filter((p99) => p99 !== undefined));
}

/** The same for resident memory, from a sample a second. */
export function slopeOfMemory(samplesMiB: readonly number[]): number | Unmeasured {
  if (samplesMiB.length === 0) return { reason: "the target's memory cannot be seen from here" };
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
 * Theil-Sen: the slope of every pair of windows. Its confidence interval counts inversions as Kendall's tau does (Sen 1968),
 * so that one bad window moves nothing.
 */
function growthPerHour(windows: readonly number[]): number | Unmeasured {
  const count = windows.length;
  if (count < fewestWindows)
    return { reason: `growth needs ${fewestWindows} windows of ${windowSeconds} s, and there are ${count}` };
  const slopes = windows
    .flatMap((later, at) => windows.slice(0, at).map((earlier, before) => (later - earlier) / (at - before)))
    .toSorted((a, b) => a - b);
  const spread = 1.96 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const lower = slopes[Math.max(0, Math.floor((slopes.length - spread) / 2))] ?? 0;
  const median = windows.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? 1;
  return (lower / windowSeconds / median) * secondsPerHour;
}
