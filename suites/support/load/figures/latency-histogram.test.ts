import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeHistogram,
  encodeHistogram,
  newHistogram,
  percentileMs,
  recordMs,
  sparse,
  sumOf,
  sumOfSparse,
} from "./latency-histogram.ts";

// From a microsecond to an hour, densely where services answer.
const latency = fc.double({ min: Math.log(0.001), max: Math.log(3_600_000), noNaN: true }).map(Math.exp);
const latencies = fc.array(latency, { minLength: 1, maxLength: 300 });
const threeDigits = 0.001;

function histogramOf(ms: readonly number[]): ReturnType<typeof newHistogram> {
  const histogram = newHistogram();
  for (const each of ms) recordMs(histogram, each);
  return histogram;
}

/** By definition: the smallest value that at least this share of all is not above. */
function percentileBySorting(ms: readonly number[], percentile: number): number {
  const sorted = ms.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percentile / 100) * sorted.length - 1e-9));
  return sorted[rank - 1] ?? Number.NaN;
}

test("a percentile is that of the sorted values, to three digits or a microsecond", () => {
  fc.assert(
    fc.property(latencies, fc.constantFrom(1, 50, 90, 99, 99.9, 100), (ms, percentile) => {
      const exact = percentileBySorting(ms, percentile);
      const found = percentileMs(histogramOf(ms), percentile) ?? Number.NaN;
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * threeDigits + 0.001);
    }),
    { seed: 1 },
  );
});

test("a sum has the percentiles of all values together, whatever was recorded where", () => {
  fc.assert(
    fc.property(fc.array(latencies, { minLength: 1, maxLength: 6 }), (parts) => {
      const sum = sumOf(parts.map(histogramOf));
      const whole = histogramOf(parts.flat());
      expect(sum.totalCount).toBe(whole.totalCount);
      for (const percentile of [1, 50, 99, 100])
        expect(percentileMs(sum, percentile)).toBe(percentileMs(whole, percentile));
    }),
    { seed: 2 },
  );
});

test("so has a sum of the same written sparsely", () => {
  fc.assert(
    fc.property(fc.array(latencies, { minLength: 1, maxLength: 6 }), (parts) => {
      const sum = sumOfSparse(parts.map(histogramOf).map(sparse));
      const whole = histogramOf(parts.flat());
      expect(sum.totalCount).toBe(whole.totalCount);
      for (const percentile of [1, 50, 99, 100])
        expect(percentileMs(sum, percentile)).toBe(percentileMs(whole, percentile));
    }),
    { seed: 4 },
  );
});

test("what is written is read back the same", () => {
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

test("an empty one has no percentile, is written as nothing, and adds nothing", () => {
  expect(percentileMs(newHistogram(), 99)).toBeUndefined();
  expect(encodeHistogram(newHistogram())).toBe("");
  expect(sumOf([decodeHistogram(""), histogramOf([3])]).totalCount).toBe(1);
  expect(sumOf([]).totalCount).toBe(0);
});

test("less than a microsecond is a microsecond: the clock has no finer ticks", () => {
  expect(percentileMs(histogramOf([0, -0.2]), 100)).toBe(0.001);
});

test.for(["no base64 of a histogram", "AAAA", "HISTFAAA"])("%j is refused", (text) => {
  expect(() => decodeHistogram(text)).toThrow(TypeError);
});
