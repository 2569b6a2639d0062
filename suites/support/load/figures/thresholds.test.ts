import { expect, test } from "vitest";
import { examplePhase, exampleRow, exampleRows, exampleStream } from "./example-measurement.ts";
import type { PhaseMeasurement, ProfileMeasurement, Row } from "./measurement.ts";
import { judgeThreshold, type Measure, measure, type Threshold } from "./thresholds.ts";

// Capacity: 2 cores / 25 ms = 80 evaluations per second.
const units = { scryptMs: 25, cores: 2 };
const at = { phase: "load", stream: "s" };

function measurementOf(...phases: PhaseMeasurement[]): ProfileMeasurement {
  return { profile: "example", phases };
}

function oneStream(rows: readonly Row[], seconds = 10, scryptsPerRequest = 1): ProfileMeasurement {
  return measurementOf(examplePhase("load", seconds, [exampleStream("s", rows, { scryptsPerRequest })]));
}

function judge(
  what: Measure,
  limits: Pick<Threshold, "bound" | "pass" | "warn" | "isAdvisory">,
  measurement: ProfileMeasurement,
): ReturnType<typeof judgeThreshold> {
  return judgeThreshold({ id: "t", claim: "it holds", measure: what, ...limits }, measurement, units);
}

test.for([
  { perSecond: 76, scrypts: 1, efficiency: 0.95, verdict: "pass" },
  { perSecond: 64, scrypts: 1, efficiency: 0.8, verdict: "pass" },
  { perSecond: 56, scrypts: 1, efficiency: 0.7, verdict: "warn" },
  { perSecond: 40, scrypts: 1, efficiency: 0.5, verdict: "missed" },
  { perSecond: 40, scrypts: 2, efficiency: 1, verdict: "pass" },
  { perSecond: 0, scrypts: 1, efficiency: 0, verdict: "missed" },
])(
  "$perSecond responses per second with $scrypts scrypts each have efficiency $efficiency: $verdict",
  ({ perSecond, scrypts, efficiency, verdict }) => {
    const measurement = oneStream(exampleRows(10, perSecond, 200), 10, scrypts);
    expect(
      judge({ kind: "efficiency", at }, { bound: "at-least", pass: 0.8, warn: 0.6 }, measurement),
    ).toMatchObject({ verdict, value: efficiency, kind: "efficiency", limit: 0.8 });
  },
);

test("responses after the end of the phase, shed or unexpected do not count towards efficiency", () => {
  const rows = [
    ...exampleRows(10, 40, 200),
    exampleRow(
      10,
      {},
      Array.from({ length: 400 }, () => 1000),
    ),
  ].map((row) => ({ ...row, shed: 40, unplanned: 40 }));
  expect(measure({ kind: "efficiency", at }, oneStream(rows), units)).toBe(0.5);
});

test("latency includes responses after the end of the phase", () => {
  const rows = [
    ...exampleRows(10, 98, 5),
    exampleRow(
      12,
      {},
      Array.from({ length: 20 }, () => 250),
    ),
  ];
  const what = (percentile: number): Measure => ({ kind: "latency-in-scrypts", at, percentile });
  expect(measure(what(50), oneStream(rows), units)).toBeCloseTo(0.2, 3);
  expect(measure(what(99), oneStream(rows), units)).toBeCloseTo(10, 1);
});

test.for([
  { percentile: 99, responses: 999, needed: 1000 },
  { percentile: 90, responses: 999, needed: 1000 },
  { percentile: 50, responses: 99, needed: 100 },
])("p$percentile of $responses responses is not judged", ({ percentile, responses, needed }) => {
  const rows = exampleRows(1, responses, 5);
  expect(
    judge({ kind: "latency-in-scrypts", at, percentile }, { bound: "at-most", pass: 2 }, oneStream(rows)),
  ).toMatchObject({
    verdict: "not-judged",
    reason: `s in load has ${responses} responses; p${percentile} needs ${needed}`,
  });
});

test("a missed advisory threshold is a warning", () => {
  const slow = oneStream(exampleRows(10, 100, 400));
  const what = { kind: "latency-in-scrypts", at, percentile: 50 } as const;
  expect(judge(what, { bound: "at-most", pass: 2, isAdvisory: true }, slow).verdict).toBe("warn");
  expect(judge(what, { bound: "at-most", pass: 2 }, slow).verdict).toBe("missed");
});

test("absolute measures are in ms and responses per second", () => {
  const measurement = oneStream(exampleRows(10, 100, 5));
  expect(measure({ kind: "latency-ms", at, percentile: 99 }, measurement, units)).toBeCloseTo(5, 2);
  expect(measure({ kind: "rate", at }, measurement, units)).toBe(100);
});

test("a rate ratio needs responses in both streams", () => {
  const other = { phase: "other", stream: "o" };
  const withOther = (perSecond: number): ProfileMeasurement =>
    measurementOf(
      examplePhase("load", 10, [exampleStream("s", exampleRows(10, 100, 1))]),
      examplePhase("other", 5, [exampleStream("o", exampleRows(5, perSecond, 1))]),
    );
  const what = { kind: "rate-ratio", of: at, to: other } as const;
  expect(measure(what, withOther(8), units)).toBe(12.5);
  expect(measure(what, withOther(0), units)).toEqual({
    reason: "o in other has no responses to compare with",
  });
});

test("a phase that an interruption prevented is not judged; an unknown stream is a defect", () => {
  const measurement = oneStream(exampleRows(10, 100, 5));
  const missing = { phase: "later", stream: "s" };
  expect(judge({ kind: "rate", at: missing }, { bound: "at-least", pass: 1 }, measurement)).toMatchObject({
    verdict: "not-judged",
    reason: "the run ended before s in later",
  });
  expect(() => measure({ kind: "rate", at: { phase: "load", stream: "x" } }, measurement, units)).toThrow(
    TypeError,
  );
});

const recovery = {
  kind: "recovery",
  before: { phase: "before", stream: "s" },
  spike: { phase: "spike", stream: "s" },
  after: { phase: "after", stream: "s" },
} as const;

/** 10 requests per second, then 240 for five seconds, then 10 again. The target can answer 80 per second. */
function spike(late: readonly Row[], after: readonly Row[]): ProfileMeasurement {
  return measurementOf(
    examplePhase("before", 10, [exampleStream("s", exampleRows(10, 10, 30))]),
    examplePhase("spike", 5, [exampleStream("s", [...exampleRows(5, 80, 1000), ...late])]),
    examplePhase("after", 20, [exampleStream("s", after)]),
  );
}

// 800 requests in flight at the end of the spike: ten seconds of work at 80 per second.
const draining = Array.from({ length: 10 }, (_, at) =>
  exampleRow(
    5 + at,
    {},
    Array.from({ length: 80 }, () => 5000),
  ),
);
const normal = exampleRows(20, 10, 30);

function slowUntil(second: number, row: (second: number) => Row): Row[] {
  return normal.map((each) => (each.second < second ? row(each.second) : each));
}

test.for([
  { what: "no backlog, and latency as before", late: [], after: normal, value: 0, verdict: "pass" },
  {
    what: "the backlog takes the time that it needs",
    late: draining,
    after: normal,
    value: 1,
    verdict: "pass",
  },
  {
    what: "the backlog takes 40 seconds",
    late: Array.from({ length: 40 }, (_, at) =>
      exampleRow(
        5 + at,
        {},
        Array.from({ length: 20 }, () => 5000),
      ),
    ),
    after: normal,
    value: 4,
    verdict: "missed",
  },
  {
    what: "a small backlog, and slow for 8 seconds after the spike",
    late: [exampleRow(5, { shed: 40 })],
    after: slowUntil(8, (second) => exampleRow(second, {}, [100, 100, 100])),
    value: 9,
    verdict: "missed",
  },
  {
    what: "shedding for 6 seconds after the spike",
    late: [],
    after: slowUntil(6, (second) => exampleRow(second, { shed: 9 }, [30])),
    value: 6,
    verdict: "missed",
  },
  {
    what: "only failures for 4 seconds after the spike",
    late: [],
    after: slowUntil(4, (second) => exampleRow(second, { failed: 10 })),
    value: 4,
    verdict: "missed",
  },
])("recovery: $what", ({ late, after, value, verdict }) => {
  const result = judge(recovery, { bound: "at-most", pass: 3 }, spike(late, after));
  expect(result).toMatchObject({ verdict, value });
});

test("p99 has recovered at twice its earlier value, which counts as at least S", () => {
  // p99 before is 30 ms, and S is 25 ms.
  expect(measure(recovery, spike([], exampleRows(20, 10, 59)), units)).toBe(0);
  expect(measure(recovery, spike([], exampleRows(20, 10, 61)), units)).toBe(20);
});

test("recovery needs responses before the spike", () => {
  const measurement = spike([], normal);
  const silent = examplePhase("before", 10, [exampleStream("s", [exampleRow(0, { shed: 5 })])]);
  expect(measure(recovery, measurementOf(silent, ...measurement.phases.slice(1)), units)).toEqual({
    reason: "s in before has no responses",
  });
});

interface Step {
  readonly share: number;
  readonly latencyMs?: number;
  readonly lost?: Partial<Record<"shed" | "unplanned" | "failed", number>>;
}

function steppedRates(steps: readonly Step[]): { what: Measure; measurement: ProfileMeasurement } {
  const phases = steps.map(({ share, latencyMs = 50, lost = {} }) => {
    const rows = exampleRows(5, 20, latencyMs).map((row) => (row.second === 0 ? { ...row, ...lost } : row));
    return examplePhase(`${share}`, 5, [exampleStream("s", rows, { ratePerSecond: share * 80 })]);
  });
  return {
    what: { kind: "knee", steps: steps.map(({ share }) => ({ phase: `${share}`, stream: "s" })) },
    measurement: measurementOf(...phases),
  };
}

test.for([
  {
    why: "the target keeps up at every rate",
    steps: [{ share: 0.5 }, { share: 0.7 }, { share: 0.9 }],
    value: 0.9,
  },
  {
    why: "p99 above 10 S",
    steps: [{ share: 0.5 }, { share: 0.7, latencyMs: 260 }, { share: 0.9 }],
    value: 0.5,
  },
  { why: "2 % shed", steps: [{ share: 0.5 }, { share: 0.7, lost: { shed: 2 } }], value: 0.5 },
  { why: "1 % shed is tolerated", steps: [{ share: 0.5, lost: { shed: 1 } }], value: 0.5 },
  { why: "2 % failed", steps: [{ share: 0.5 }, { share: 0.7, lost: { failed: 2 } }], value: 0.5 },
  {
    why: "2 % with an unexpected status",
    steps: [{ share: 0.5 }, { share: 0.7, lost: { unplanned: 2 } }],
    value: 0.5,
  },
  { why: "the first rate is too high", steps: [{ share: 0.5, latencyMs: 9000 }], value: 0 },
])("the knee is at $value of capacity: $why", ({ steps, value }) => {
  const { what, measurement } = steppedRates(steps);
  expect(measure(what, measurement, units)).toBeCloseTo(value, 6);
});

test("an interrupted run has a knee only if it was reached before", () => {
  const { what, measurement } = steppedRates([{ share: 0.5 }, { share: 0.7 }]);
  const cut = { ...measurement, phases: measurement.phases.slice(0, 1) };
  expect(measure(what, cut, units)).toEqual({ reason: "the run ended before s in 0.7" });
  const early = steppedRates([{ share: 0.5, latencyMs: 9000 }, { share: 0.7 }]);
  expect(
    measure(early.what, { ...early.measurement, phases: early.measurement.phases.slice(0, 1) }, units),
  ).toBe(0);
});

test("growth of latency and memory is judged", () => {
  const rows = exampleRows(120, 10, 20).map((row) =>
    exampleRow(
      row.second,
      {},
      Array.from({ length: 10 }, () => 20 + row.second),
    ),
  );
  const soak = measurementOf({
    ...examplePhase("load", 120, [exampleStream("s", rows)]),
    health: {
      generatorCores: 0,
      loopLagP99Ms: 0,
      clockStepMs: 0,
      targetMiB: Array.from({ length: 120 }, () => 90),
    },
  });
  const limits = { bound: "at-most", pass: 0.1 } as const;
  expect(judge({ kind: "p99-growth", at }, limits, soak).verdict).toBe("missed");
  expect(judge({ kind: "memory-growth", phase: "load" }, limits, soak)).toMatchObject({
    verdict: "pass",
    value: 0,
  });
  expect(judge({ kind: "memory-growth", phase: "other" }, limits, soak).verdict).toBe("not-judged");
});

test("shedding does not avoid judgement: a few fast responses to many requests are judged", () => {
  const rows = Array.from({ length: 10 }, (_, second) =>
    exampleRow(
      second,
      { scheduled: 200, sent: 200, shed: 190 },
      Array.from({ length: 10 }, () => 1),
    ),
  );
  const measurement = oneStream(rows);
  expect(measure({ kind: "answered-share", at }, measurement, units)).toBeCloseTo(0.05);
  expect(measure({ kind: "latency-in-scrypts", at, percentile: 99 }, measurement, units)).toBeCloseTo(
    1 / units.scryptMs,
    2,
  );
});

test("a latency threshold without any response is missed", () => {
  const rows = Array.from({ length: 10 }, (_, second) =>
    exampleRow(second, { scheduled: 200, sent: 200, failed: 200 }),
  );
  const what = { kind: "latency-in-scrypts", at, percentile: 99 } as const;
  const result = judgeThreshold(
    { id: "t", claim: "c", measure: what, bound: "at-most", pass: 2 },
    oneStream(rows),
    units,
  );
  expect(result).toMatchObject({ verdict: "missed", reason: expect.stringContaining("none of 2000") });
  const advisory = judgeThreshold(
    { id: "t", claim: "c", measure: what, bound: "at-most", pass: 2, isAdvisory: true },
    oneStream(rows),
    units,
  );
  expect(advisory.verdict).toBe("not-judged");
});
