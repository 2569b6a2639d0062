import { expect, test } from "vitest";
import { exampleRow } from "./example-measurement.ts";
import type { Row } from "./measurement.ts";
import { slopeOfMemory, slopeOfP99 } from "./slope.ts";

const tenMinutes = 600;

/** Rows with 50 responses each. */
function rowsOf(seconds: number, latencyMs: (second: number, answer: number) => number): Row[] {
  return Array.from({ length: seconds }, (_, second) =>
    exampleRow(
      second,
      {},
      Array.from({ length: 50 }, (_unused, answer) => latencyMs(second, answer)),
    ),
  );
}

/** Deterministic noise between 0 and 1. */
function noise(at: number): number {
  const mixed = Math.sin(at * 12.9898) * 43_758.5453;
  return mixed - Math.floor(mixed);
}

test("noise without a trend has a lower bound of at most zero", () => {
  const rows = rowsOf(tenMinutes, (second, answer) => 20 + 10 * noise(second * 50 + answer));
  expect(slopeOfP99(rows)).toBeLessThanOrEqual(0);
});

test("a trend is measured despite the noise", () => {
  // 0.01 ms per second is 36 ms per hour; the median is about 33 ms.
  const rows = rowsOf(tenMinutes, (second, answer) => 30 + second / 100 + noise(second * 50 + answer));
  expect(slopeOfP99(rows)).toBeGreaterThan(0.8);
  expect(slopeOfP99(rows)).toBeLessThan(1.2);
});

test("one outlier window is not growth", () => {
  const rows = rowsOf(tenMinutes, (second) => (second >= 590 ? 3000 : 20));
  expect(slopeOfP99(rows)).toBe(0);
});

test("a decline is negative growth", () => {
  expect(slopeOfP99(rowsOf(tenMinutes, (second) => 100 - second / 10))).toBeLessThan(0);
});

test("seconds without responses do not change the slope", () => {
  const growing = rowsOf(tenMinutes, (second) => 30 + second / 100);
  const withGap = growing.map((row) =>
    row.second >= 200 && row.second < 400 ? exampleRow(row.second, {}) : row,
  );
  expect(Number(slopeOfP99(withGap)) / Number(slopeOfP99(growing))).toBeCloseTo(1, 1);
});

test.for([
  {
    perSecond: 0.01,
    growth: 0.352,
    why: "36 MiB per hour relative to a median of 103 MiB",
  },
  { perSecond: 0, growth: 0, why: "constant" },
  { perSecond: -0.01, growth: -0.369, why: "shrinking" },
])("memory that grows by $perSecond MiB/s has a growth of $growth ($why)", ({ perSecond, growth }) => {
  const samples = Array.from({ length: tenMinutes }, (_, second) => 100 + perSecond * second);
  expect(slopeOfMemory(samples)).toBeCloseTo(growth, 2);
});

test.for([
  { samples: 0, reason: "the target's memory usage is unknown" },
  { samples: 5, reason: "growth needs 10 windows of 10 s, got 0" },
  { samples: 99, reason: "growth needs 10 windows of 10 s, got 9" },
])("$samples memory samples are too few", ({ samples, reason }) => {
  expect(slopeOfMemory(Array.from({ length: samples }, () => 100))).toEqual({ reason });
});

test("ten windows are enough, nine are not", () => {
  expect(slopeOfP99(rowsOf(100, () => 20))).toBe(0);
  expect(slopeOfP99(rowsOf(99, () => 20))).toEqual({
    reason: "growth needs 10 windows of 10 s, got 9",
  });
});
