import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeHistogram,
  encodeHistogram,
  newHistogram,
  percentileMs,
  recordMs,
  toSparse,
  mergeHistograms,
  mergeSparse,
} from "./latency-histogram.ts";

// From 1 µs to 1 h, log-uniform.
const latency = fc.double({ min: Math.log(0.001), max: Math.log(3_600_000), noNaN: true }).map(Math.exp);
const latencies = fc.array(latency, { minLength: 1, maxLength: 300 });
const relativeError = 0.001;

function histogramOf(ms: readonly number[]): ReturnType<typeof newHistogram> {
  const histogram = newHistogram();
  for (const each of ms) recordMs(histogram, each);
  return histogram;
}

/** The nearest-rank definition. */
function percentileBySorting(ms: readonly number[], percentile: number): number {
  const sorted = ms.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percentile / 100) * sorted.length - 1e-9));
  return sorted[rank - 1] ?? Number.NaN;
}

test("a percentile equals that of the sorted values, to 0.1 % or 1 µs", () => {
  fc.assert(
    fc.property(latencies, fc.constantFrom(1, 50, 90, 99, 99.9, 100), (ms, percentile) => {
      const exact = percentileBySorting(ms, percentile);
      const found = percentileMs(histogramOf(ms), percentile) ?? Number.NaN;
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * relativeError + 0.001);
    }),
    { seed: 1 },
  );
});

test("a merged histogram has the percentiles of all values", () => {
  fc.assert(
    fc.property(fc.array(latencies, { minLength: 1, maxLength: 6 }), (parts) => {
      const sum = mergeHistograms(parts.map(histogramOf));
      const whole = histogramOf(parts.flat());
      expect(sum.totalCount).toBe(whole.totalCount);
      for (const percentile of [1, 50, 99, 100])
        expect(percentileMs(sum, percentile)).toBe(percentileMs(whole, percentile));
    }),
    { seed: 2 },
  );
});

test("merging sparse histograms gives the same percentiles", () => {
  fc.assert(
    fc.property(fc.array(latencies, { minLength: 1, maxLength: 6 }), (parts) => {
      const sum = mergeSparse(parts.map(histogramOf).map(toSparse));
      const whole = histogramOf(parts.flat());
      expect(sum.totalCount).toBe(whole.totalCount);
      for (const percentile of [1, 50, 99, 100])
        expect(percentileMs(sum, percentile)).toBe(percentileMs(whole, percentile));
    }),
    { seed: 4 },
  );
});

test("encoding and decoding preserves the histogram", () => {
  fc.assert(
    fc.property(latencies, (ms) => {
      const histogram = histogramOf(ms);
      const read = decodeHistogram(encodeHistogram(histogram));
      expect(read.totalCount).toBe(ms.length);
      for (const percentile of [1, 50, 99, 100])
        expect(percentileMs(read, percentile)).toBe(percentileMs(histogram, percentile));
    }),
    { seed: 3 },
  );
});

test("an empty histogram has no percentile, is encoded as an empty string and adds nothing", () => {
  expect(percentileMs(newHistogram(), 99)).toBeUndefined();
  expect(encodeHistogram(newHistogram())).toBe("");
  expect(mergeHistograms([decodeHistogram(""), histogramOf([3])]).totalCount).toBe(1);
  expect(mergeHistograms([]).totalCount).toBe(0);
});

test("values below 1 µs are recorded as 1 µs", () => {
  expect(percentileMs(histogramOf([0, -0.2]), 100)).toBe(0.001);
});

test.for(["not a histogram", "AAAA", "HISTFAAA"])("%j is rejected", (text) => {
  expect(() => decodeHistogram(text)).toThrow(TypeError);
});
