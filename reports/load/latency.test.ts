import { expect, test } from "vitest";
import { exampleRow } from "./example-load-run.ts";
import { latencyOf, percentileCurve, percentileMs } from "./latency.ts";

const upTo1000 = Array.from({ length: 1000 }, (_, at) => at + 1);

test("rows are added, whatever their range", () => {
  const latency = latencyOf({ rows: [exampleRow(0, [1, 2]), exampleRow(1, []), exampleRow(2, [30_000])] });
  expect(latency.totalCount).toBe(3);
  expect(percentileMs(latency, 50)).toBeCloseTo(2, 2);
  expect(percentileMs(latency, 100)).toBeCloseTo(30_000, -2);
});

test("the curve begins with the fastest and ends with the slowest answer, at one in as many as there are", () => {
  const curve = percentileCurve(latencyOf({ rows: [exampleRow(0, upTo1000)] }));
  const at = (oneIn: number): number =>
    curve.find(([x]) => Math.abs(x / oneIn - 1) < 1e-9)?.[1] ?? Number.NaN;
  expect(at(1)).toBeCloseTo(1, 2);
  expect(at(10) / 900).toBeCloseTo(1, 2);
  expect(at(100) / 990).toBeCloseTo(1, 2);
  expect(curve.at(-1)?.[0]).toBe(1000);
  expect((curve.at(-1)?.[1] ?? 0) / 1000).toBeCloseTo(1, 2);
});

test("it never falls, and its points come in order", () => {
  const curve = percentileCurve(latencyOf({ rows: [exampleRow(0, upTo1000)] }));
  for (const [at, [oneIn, ms]] of curve.slice(1).entries()) {
    expect(oneIn).toBeGreaterThan(curve[at]?.[0] ?? Number.NaN);
    expect(ms).toBeGreaterThanOrEqual(curve[at]?.[1] ?? Number.NaN);
  }
});

test.for([
  { answers: 0, points: 0 },
  { answers: 1, points: 1 },
])("$answers answers make $points points", ({ answers, points }) => {
  const rows = [exampleRow(0, upTo1000.slice(0, answers))];
  expect(percentileCurve(latencyOf({ rows }))).toHaveLength(points);
  expect(percentileMs(latencyOf({ rows }), 99) === undefined).toBe(answers === 0);
});
