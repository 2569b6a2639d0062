import { expect, test } from "vitest";
import { exampleRow } from "./example-load-run.ts";
import { latencyOf, percentileCurve, percentileMs } from "./latency.ts";

const upTo1000 = Array.from({ length: 1000 }, (_, at) => at + 1);

test("rows of different magnitude are merged", () => {
  const latency = latencyOf({ rows: [exampleRow(0, [1, 2]), exampleRow(1, []), exampleRow(2, [30_000])] });
  expect(latency.totalCount).toBe(3);
  expect(percentileMs(latency, 50)).toBeCloseTo(2, 2);
  expect(percentileMs(latency, 100)).toBeCloseTo(30_000, -2);
});

test("the curve starts at the fastest and ends at the slowest response", () => {
  const curve = percentileCurve(latencyOf({ rows: [exampleRow(0, upTo1000)] }));
  const at = (oneIn: number): number =>
    curve.find(([x]) => Math.abs(x / oneIn - 1) < 1e-9)?.[1] ?? Number.NaN;
  expect(at(1)).toBeCloseTo(1, 2);
  expect(at(10) / 900).toBeCloseTo(1, 2);
  expect(at(100) / 990).toBeCloseTo(1, 2);
  expect(curve.at(-1)?.[0]).toBe(1000);
  expect((curve.at(-1)?.[1] ?? 0) / 1000).toBeCloseTo(1, 2);
});

test("the curve is monotonic", () => {
  const curve = percentileCurve(latencyOf({ rows: [exampleRow(0, upTo1000)] }));
  for (const [at, [oneIn, ms]] of curve.slice(1).entries()) {
    expect(oneIn).toBeGreaterThan(curve[at]?.[0] ?? Number.NaN);
    expect(ms).toBeGreaterThanOrEqual(curve[at]?.[1] ?? Number.NaN);
  }
});

test.for([
  { responses: 0, points: 0 },
  { responses: 1, points: 1 },
])("$responses responses give $points points", ({ responses, points }) => {
  const rows = [exampleRow(0, upTo1000.slice(0, responses))];
  expect(percentileCurve(latencyOf({ rows }))).toHaveLength(points);
  expect(percentileMs(latencyOf({ rows }), 99) === undefined).toBe(responses === 0);
});
