import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  JsHistogram,
} from "hdr-histogram-js";

/** Durations in µs, three significant digits (0.1 %), of any length. */
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

/** In ms; undefined of an empty histogram. */
export function percentileMs(histogram: LatencyHistogram, percentile: number): number | undefined {
  return histogram.totalCount === 0 ? undefined : histogram.getValueAtPercentile(percentile) / 1000;
}

/** HdrHistogram V2, deflated, base64; empty text of an empty histogram. */
export function encodeHistogram(histogram: LatencyHistogram): string {
  return histogram.totalCount === 0 ? "" : encodeIntoCompressedBase64(histogram);
}

/** @throws {TypeError} when the text is no such histogram */
export function decodeHistogram(text: string): LatencyHistogram {
  if (text === "") return newHistogram();
  try {
    return decodeFromCompressedBase64(text, 64, false) as LatencyHistogram;
  } catch (cause) {
    throw new TypeError("expected a compressed HdrHistogram in base64, found something else", { cause });
  }
}

/** Of several histograms one, as if all had been recorded together. */
export function sumOf(histograms: readonly LatencyHistogram[]): LatencyHistogram {
  const sum = newHistogram();
  for (const histogram of histograms) sum.add(histogram);
  return sum;
}

/** A histogram as the values that it holds: adding up many that hold few is much faster so. */
export type SparseHistogram = readonly (readonly [valueUs: number, count: number])[];

export function sparse(histogram: LatencyHistogram): SparseHistogram {
  if (!(histogram instanceof JsHistogram))
    throw new TypeError("expected a histogram that is not WebAssembly's");
  return Array.from({ length: histogram.countsArrayLength }, (_, at) => at)
    .filter((at) => histogram.getCountAtIndex(at) > 0)
    .map((at) => [histogram.valueFromIndex(at), histogram.getCountAtIndex(at)]);
}

export function sumOfSparse(histograms: readonly SparseHistogram[]): LatencyHistogram {
  const sum = newHistogram();
  for (const histogram of histograms)
    for (const [valueUs, count] of histogram) sum.recordValueWithCount(valueUs, count);
  return sum;
}
