import { expect, test } from "vitest";
import { examplePhase, exampleRows, exampleStream } from "./example-measurement.ts";
import { isOutOfReach } from "./out-of-reach.ts";
import { judgeThreshold, type Measure, type Threshold } from "./thresholds.ts";
import { reasonsInvalid } from "./validity.ts";

const at = { phase: "soak", stream: "s" };
const p99Growth: Measure = { kind: "p99-growth", at };
const memoryGrowth: Measure = { kind: "memory-growth", phase: "soak" };
const median: Measure = { kind: "latency-in-scrypts", at, percentile: 50 };

/** A phase of so many seconds by plan, of which so many were measured. */
function soak(planned: number, measured: number, memorySamples: number) {
  const targetMiB = Array.from({ length: memorySamples }, () => 100);
  const stream = exampleStream("s", exampleRows(measured, 1, 5));
  return { profile: "soak", phases: [examplePhase("soak", planned, [stream], { targetMiB })] };
}

test.for([
  { what: "growth in a short run", measure: p99Growth, measurement: soak(30, 30, 30), outOfReach: true },
  { what: "memory in a short run", measure: memoryGrowth, measurement: soak(30, 30, 30), outOfReach: true },
  { what: "unseen memory", measure: memoryGrowth, measurement: soak(600, 600, 0), outOfReach: true },
  { what: "growth in a long run", measure: p99Growth, measurement: soak(100, 100, 0), outOfReach: false },
  {
    what: "growth in an interrupted run",
    measure: p99Growth,
    measurement: soak(600, 30, 30),
    outOfReach: false,
  },
  { what: "too few for a median", measure: median, measurement: soak(30, 30, 30), outOfReach: false },
])("$what: out of reach $outOfReach", ({ measure, measurement, outOfReach }) => {
  expect(isOutOfReach(measure, measurement)).toBe(outOfReach);
});

test.for([
  { what: "what the plan has no room for leaves a run valid", measurement: soak(30, 30, 30), reasons: 0 },
  { what: "what an interruption took away does not", measurement: soak(600, 30, 30), reasons: 1 },
])("$what", ({ measurement, reasons }) => {
  const threshold: Threshold = { id: "t", claim: "c", measure: p99Growth, bound: "at-most", pass: 0.1 };
  const result = judgeThreshold(threshold, measurement, { scryptMs: 25, cores: 2 });
  expect(result).toMatchObject({ verdict: "not-judged", reason: expect.stringContaining("windows") });
  expect(reasonsInvalid(measurement, undefined, [threshold], [result])).toHaveLength(reasons);
});
