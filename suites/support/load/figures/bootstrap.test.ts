import { expect, test } from "vitest";
import { bootstrapInterval } from "./bootstrap.ts";
import { examplePhase, exampleRow, exampleRows, exampleStream } from "./example-measurement.ts";
import type { ProfileMeasurement, Row } from "./measurement.ts";
import { type Measure, measure } from "./thresholds.ts";

const units = { scryptMs: 25, cores: 2 };
const at = { phase: "load", stream: "s" };
const p99: Measure = { kind: "latency-in-scrypts", at, percentile: 99 };

function oneStream(rows: readonly Row[], seconds: number): ProfileMeasurement {
  return {
    profile: "example",
    phases: [examplePhase("load", seconds, [exampleStream("s", rows), exampleStream("other", rows)])],
  };
}

/** Twelve seconds with 100 responses each, slower every second. */
const uneven = oneStream(
  Array.from({ length: 12 }, (_, second) =>
    exampleRow(
      second,
      {},
      Array.from({ length: 100 }, (_unused, answer) => (1 + answer / 10) * (10 + second)),
    ),
  ),
  12,
);

test.for<Measure>([
  p99,
  { kind: "latency-in-scrypts", at, percentile: 50 },
  { kind: "latency-ms", at, percentile: 99 },
])("the interval of $kind contains the value and has a width", (what) => {
  const value = Number(measure(what, uneven, units));
  const [low = 0, high = 0] = bootstrapInterval(what, uneven, units) ?? [];
  expect(low).toBeLessThan(value);
  expect(high).toBeGreaterThanOrEqual(value);
  expect(low).toBeGreaterThan(value / 2);
});

test("the interval of a rate is about as wide as the standard error predicts", () => {
  // 12 seconds, half with 40 responses and half with 60: the mean is 50, its standard error 10 / √12.
  const rows = Array.from({ length: 12 }, (_, second) =>
    exampleRow(second, { planned: second % 2 === 0 ? 40 : 60 }),
  );
  const [low = 0, high = 0] =
    bootstrapInterval({ kind: "rate", at }, oneStream(rows, 12), units, { resamples: 2000 }) ?? [];
  const half = (1.96 * 10) / Math.sqrt(12);
  expect(low).toBeCloseTo(50 - half, -0.5);
  expect(high).toBeCloseTo(50 + half, -0.5);
});

test("identical seconds give an interval of zero width", () => {
  const even = oneStream(exampleRows(10, 100, 30), 10);
  const value = measure(p99, even, units);
  expect(bootstrapInterval(p99, even, units)).toEqual([value, value]);
});

test("the interval depends only on the seed", () => {
  const again = bootstrapInterval(p99, uneven, units, { seed: 7 });
  expect(bootstrapInterval(p99, uneven, units, { seed: 7 })).toEqual(again);
  const rate: Measure = { kind: "rate", at };
  const noisy = oneStream(
    Array.from({ length: 50 }, (_, second) => exampleRow(second, { planned: (second * 7919) % 1000 })),
    50,
  );
  expect(bootstrapInterval(rate, noisy, units, { seed: 1 })).not.toEqual(
    bootstrapInterval(rate, noisy, units, { seed: 2 }),
  );
});

test("responses after the end of the phase count towards latency, not towards the rate", () => {
  const rows = [
    ...exampleRows(10, 100, 10),
    exampleRow(
      10,
      {},
      Array.from({ length: 100 }, () => 500),
    ),
  ];
  const measurement = oneStream(rows, 10);
  expect(bootstrapInterval({ kind: "rate", at }, measurement, units)).toEqual([100, 100]);
  const p100: Measure = { kind: "latency-ms", at, percentile: 99 };
  const [low = 0] = bootstrapInterval(p100, measurement, units) ?? [];
  expect(low).toBeCloseTo(500, 0);
});

test("seconds without responses are resampled too", () => {
  const measurement = oneStream(exampleRows(5, 100, 10), 10);
  const [low = 0, high = 0] = bootstrapInterval({ kind: "rate", at }, measurement, units) ?? [];
  expect(low).toBeLessThan(40);
  expect(high).toBeGreaterThan(60);
});

test("both phases of a ratio are resampled", () => {
  const other = { phase: "other", stream: "o" };
  const measurement: ProfileMeasurement = {
    profile: "example",
    phases: [
      ...uneven.phases,
      examplePhase("other", 4, [
        exampleStream(
          "o",
          [5, 10, 10, 15].map((planned, second) => exampleRow(second, { planned })),
        ),
      ]),
    ],
  };
  const [low = 0, high = 0] =
    bootstrapInterval({ kind: "rate-ratio", of: at, to: other }, measurement, units) ?? [];
  expect(low).toBeLessThan(10);
  expect(high).toBeGreaterThan(10);
});

test.for<Measure>([
  { kind: "knee", steps: [at] },
  { kind: "recovery", before: at, spike: at, after: at },
  { kind: "p99-growth", at },
  { kind: "memory-growth", phase: "load" },
  { kind: "rate", at: { phase: "never reached", stream: "s" } },
])("$kind has no interval", (what) => {
  expect(bootstrapInterval(what, uneven, units)).toBeUndefined();
});

test.for([
  { rows: exampleRows(10, 5, 10), seconds: 10, why: "too few responses for a p99" },
  { rows: exampleRows(1, 2000, 10), seconds: 1, why: "a single second cannot be resampled" },
])("no interval: $why", ({ rows, seconds }) => {
  expect(bootstrapInterval(p99, oneStream(rows, seconds), units)).toBeUndefined();
});
