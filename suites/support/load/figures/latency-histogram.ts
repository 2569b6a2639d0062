import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  JsHistogram,
} from "hdr-histogram-js";
import { requireSoundEncoding } from "./histogram-encoding.ts";

/** Durations in µs with three significant digits, in an unbounded range. */
export type LatencyHistogram = Histogram;

export function newHistogram(): LatencyHistogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2,
    autoResize: true,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
    useWebAssembly: false,
  });
}

export function recordMs(histogram: LatencyHistogram, ms: number): void {
  histogram.recordValue(Math.max(1, Math.round(ms * 1000)));
}

/** In ms; undefined for an empty histogram. */
export function percentileMs(histogram: LatencyHistogram, percentile: number): number | undefined {
  return histogram.totalCount === 0 ? undefined : histogram.getValueAtPercentile(percentile) / 1000;
}

/** Compressed HdrHistogram V2 in base64; an empty string for an empty histogram. */
export function encodeHistogram(histogram: LatencyHistogram): string {
  return histogram.totalCount === 0 ? "" : encodeIntoCompressedBase64(histogram);
}

/** @throws {TypeError} when the text is not a compressed HdrHistogram */
export function decodeHistogram(text: string): LatencyHistogram {
  if (text === "") return newHistogram();
  try {
    requireSoundEncoding(text);
    return decodeFromCompressedBase64(text, 64, false) as LatencyHistogram;
  } catch (cause) {
    throw new TypeError("expected a compressed HdrHistogram in base64, found something else", { cause });
  }
}

/** The histogram of all values in the given histograms. */
export function mergeHistograms(histograms: readonly LatencyHistogram[]): LatencyHistogram {
  const sum = newHistogram();
  for (const histogram of histograms) sum.add(histogram);
  return sum;
}

/** The non-empty buckets of a histogram. Much faster to add up when the histograms hold few values. */
export type SparseHistogram = readonly (readonly [valueUs: number, count: number])[];

export function toSparse(histogram: LatencyHistogram): SparseHistogram {
  if (!(histogram instanceof JsHistogram))
    throw new TypeError("expected a JavaScript histogram, not a WebAssembly one");
  return Array.from({ length: histogram.countsArrayLength }, (_, at) => at)
    .filter((at) => histogram.getCountAtIndex(at) > 0)
    .map((at) => [histogram.valueFromIndex(at), histogram.getCountAtIndex(at)]);
}

export function mergeSparse(histograms: readonly SparseHistogram[]): LatencyHistogram {
  const sum = newHistogram();
  for (const histogram of histograms)
    for (const [valueUs, count] of histogram) sum.recordValueWithCount(valueUs, count);
  return sum;
}
