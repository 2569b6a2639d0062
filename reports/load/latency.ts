import { build, decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";
import type { LoadStream } from "../load-format.ts";

/** With 1,000 responses, ten are above the p99. */
export const samplesForP99 = 1000;

/** Latency of all responses with an expected status, in µs. */
export function latencyOf({ rows }: Pick<LoadStream, "rows">): Histogram {
  const merged = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2,
    autoResize: true,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
    useWebAssembly: false,
  });
  for (const { latency } of rows)
    if (latency !== "") merged.add(decodeFromCompressedBase64(latency, 64, false) as Histogram);
  return merged;
}

/** Undefined without responses. */
export function percentileMs(latency: Histogram, percentile: number): number | undefined {
  return latency.totalCount === 0 ? undefined : latency.getValueAtPercentile(percentile) / 1000;
}

const pointsPerDecade = 16;

/** Points of the latency distribution over 1 / (1 - percentile), up to the slowest response. */
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
