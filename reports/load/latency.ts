import { build, decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";
import type { LoadStream } from "../load-format.ts";

/** Fewer answers, and the 99th percentile is a matter of ten of them. */
export const samplesForP99 = 1000;

/** Of all planned answers in these rows, in µs. */
export function latencyOf({ rows }: Pick<LoadStream, "rows">): Histogram {
  const sum = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2,
    autoResize: true,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
    useWebAssembly: false,
  });
  for (const { latency } of rows)
    if (latency !== "") sum.add(decodeFromCompressedBase64(latency, 64, false) as Histogram);
  return sum;
}

/** Undefined of no answers. */
export function percentileMs(latency: Histogram, percentile: number): number | undefined {
  return latency.totalCount === 0 ? undefined : latency.getValueAtPercentile(percentile) / 1000;
}

const pointsPerDecade = 16;

/**
 * The distribution as a line: how many answers there are for one that is at least so slow, 1 / (1 - p), and how slow that is.
 * It ends at the slowest answer.
 */
export function percentileCurve(latency: Histogram): [oneIn: number, ms: number][] {
  const count = latency.totalCount;
  if (count === 0) return [];
  const steps = Math.floor(Math.log10(count) * pointsPerDecade);
  const points = Array.from({ length: steps + 1 }, (_, step): [number, number] => {
    const oneIn = 10 ** (step / pointsPerDecade);
    return [oneIn, latency.getValueAtPercentile(100 * (1 - 1 / oneIn)) / 1000];
  });
  return [...points.filter(([oneIn]) => oneIn < count), [count, latency.maxValue / 1000]];
}
