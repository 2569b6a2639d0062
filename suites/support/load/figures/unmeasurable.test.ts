import { expect, test } from "vitest";
import { examplePhase, exampleRows, exampleStream } from "./example-measurement.ts";
import { isUnmeasurable } from "./unmeasurable.ts";
import { judgeThreshold, type Measure, type Threshold } from "./thresholds.ts";
import { reasonsInvalid } from "./validity.ts";

const at = { phase: "soak", stream: "s" };
const p99Growth: Measure = { kind: "p99-growth", at };
const memoryGrowth: Measure = { kind: "memory-growth", phase: "soak" };
const median: Measure = { kind: "latency-in-scrypts", at, percentile: 50 };

/** @param measured - seconds with responses */
function soak(planned: number, measured: number, memorySamples: number) {
  const targetMiB = Array.from({ length: memorySamples }, () => 100);
  const stream = exampleStream("s", exampleRows(measured, 1, 5));
  return { profile: "soak", phases: [examplePhase("soak", planned, [stream], { targetMiB })] };
}

test.for([
  { what: "growth in a short run", measure: p99Growth, measurement: soak(30, 30, 30), unmeasurable: true },
  { what: "memory in a short run", measure: memoryGrowth, measurement: soak(30, 30, 30), unmeasurable: true },
  { what: "unknown memory", measure: memoryGrowth, measurement: soak(600, 600, 0), unmeasurable: true },
  { what: "growth in a long run", measure: p99Growth, measurement: soak(100, 100, 0), unmeasurable: false },
  {
    what: "growth in an interrupted run",
    measure: p99Growth,
    measurement: soak(600, 30, 30),
    unmeasurable: false,
  },
  {
    what: "too few responses for a median",
    measure: median,
    measurement: soak(30, 30, 30),
    unmeasurable: false,
  },
])("$what: unmeasurable $unmeasurable", ({ measure, measurement, unmeasurable }) => {
  expect(isUnmeasurable(measure, measurement)).toBe(unmeasurable);
});

test.for([
  {
    what: "a measure that the plan rules out leaves the run valid",
    measurement: soak(30, 30, 30),
    reasons: 0,
  },
  {
    what: "a measure that an interruption prevents invalidates the run",
    measurement: soak(600, 30, 30),
    reasons: 1,
  },
])("$what", ({ measurement, reasons }) => {
  const threshold: Threshold = { id: "t", claim: "c", measure: p99Growth, bound: "at-most", pass: 0.1 };
  const result = judgeThreshold(threshold, measurement, { scryptMs: 25, cores: 2 });
  expect(result).toMatchObject({ verdict: "not-judged", reason: expect.stringContaining("windows") });
  expect(reasonsInvalid(measurement, undefined, [threshold], [result])).toHaveLength(reasons);
});
