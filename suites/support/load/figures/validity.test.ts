import { expect, test } from "vitest";
import { encodedMs, examplePhase, exampleRow, exampleRows, exampleStream } from "./example-measurement.ts";
import type { Health, PhaseMeasurement, StreamMeasurement } from "./measurement.ts";
import { judgeThreshold, type Threshold } from "./thresholds.ts";
import { type Calibration, reasonsInvalid } from "./validity.ts";

const units = { scryptMs: 25, cores: 2 };
const at = { phase: "load", stream: "s" };
const prompt: Threshold = {
  id: "prompt",
  claim: "The p99 is at most 2 S.",
  measure: { kind: "latency-in-scrypts", at, percentile: 99 },
  bound: "at-most",
  pass: 2,
};
const efficient: Threshold = {
  id: "efficient",
  claim: "Efficiency is at least 0.8.",
  measure: { kind: "efficiency", at: { phase: "load", stream: "v" } },
  bound: "at-least",
  pass: 0.8,
};
const steady: Calibration = { beforeMs: 25, afterMs: 26 };

function probes(latencyMs: number, lagMs: number): StreamMeasurement {
  const lag = Array.from({ length: 1000 }, () => lagMs);
  return exampleStream("s", exampleRows(10, 100, latencyMs), {
    scryptsPerRequest: 0,
    sendLag: encodedMs(lag),
  });
}

function verifications(perSecond: number): StreamMeasurement {
  return exampleStream("v", exampleRows(10, perSecond, 300), { model: "closed", connections: 16 });
}

function loadPhase(streams: readonly StreamMeasurement[], health: Partial<Health> = {}): PhaseMeasurement {
  return examplePhase("load", 10, streams, health);
}

function reasons(
  phases: readonly PhaseMeasurement[],
  thresholds: readonly Threshold[] = [prompt],
  calibration: Calibration | undefined = steady,
): string[] {
  const measurement = { profile: "example", phases };
  const results = thresholds.map((threshold) => judgeThreshold(threshold, measurement, units));
  return reasonsInvalid(measurement, calibration, thresholds, results).map(({ text }) => text);
}

test("a sound measurement is valid, passed or missed", () => {
  expect(reasons([loadPhase([probes(5, 0.4)])])).toEqual([]);
  expect(reasons([loadPhase([probes(500, 0.4)])])).toEqual([]);
});

test("a machine that is busy while the target is idle invalidates even a pass", () => {
  const phases = [loadPhase([probes(5, 0.4)])];
  expect(reasons(phases, [prompt], { ...steady, idleCores: 0.1 })).toEqual([]);
  expect(reasons(phases, [prompt], { ...steady, idleCores: 0.9 })).toEqual([
    expect.stringContaining("0.90 cores were busy while the target was idle"),
  ]);
});

test.for<{ health: Partial<Health>; reason: string }>([
  { health: { foreignCores: 0.21 }, reason: "other programs used 0.21 cores" },
  { health: { clockStepMs: 51 }, reason: "the wall clock was adjusted by 51 ms" },
])("$health invalidates even a pass", ({ health, reason }) => {
  expect(reasons([loadPhase([probes(5, 0.4)], health)])).toEqual([
    expect.stringContaining(`load: ${reason}`),
  ]);
});

test.for<Partial<Health>>([{ foreignCores: 0.2 }, { generatorCores: 0.8 }, { clockStepMs: 50 }, {}])(
  "%j is tolerated",
  (health) => {
    expect(reasons([loadPhase([probes(5, 0.4)], health)])).toEqual([]);
  },
);

test("a warm-up cannot invalidate a run", () => {
  const rough = {
    ...loadPhase([probes(500, 400)], { foreignCores: 2 }),
    name: "warm-up",
    isWarmUp: true,
  } as const;
  expect(reasons([rough, loadPhase([probes(500, 0.4)])])).toEqual([]);
});

test.for([
  {
    what: "a late event loop",
    late: loadPhase([probes(500, 0.4)], { loopLagP99Ms: 21 }),
    says: "event loop delay was 21 ms",
  },
  {
    what: "a busy generator",
    late: loadPhase([probes(500, 0.4)], { generatorCores: 0.81 }),
    says: "the generator used 0.81 cores",
  },
  { what: "late sending", late: loadPhase([probes(500, 60)]), says: "send lag was 60.0 ms" },
])("$what invalidates a missed latency threshold, not a passed one", ({ late, says }) => {
  expect(reasons([late])).toEqual([expect.stringContaining(says)]);
  expect(reasons([late], [{ ...prompt, pass: 1000 }])).toEqual([]);
});

test("send lag of a cheap stream does not invalidate a missed efficiency threshold", () => {
  const phases = [loadPhase([probes(2, 1), verifications(40)])];
  expect(reasons(phases, [prompt, efficient])).toEqual([]);
});

test("lateness in another phase does not matter", () => {
  const idle = { ...loadPhase([probes(2, 1)], { loopLagP99Ms: 30 }), name: "before" };
  expect(reasons([idle, loadPhase([probes(500, 1)])])).toEqual([]);
});

test("a late event loop invalidates a missed efficiency threshold", () => {
  const phases = [loadPhase([verifications(40)], { loopLagP99Ms: 30 })];
  expect(reasons(phases, [efficient])).toEqual([expect.stringContaining("event loop")]);
});

test.for([
  { dropped: 10, count: 0 },
  { dropped: 11, count: 1 },
])("$dropped of 1,000 scheduled requests dropped gives $count reasons", ({ dropped, count }) => {
  const stream = probes(5, 0.4);
  const rows = stream.rows.map((row) => (row.second === 0 ? { ...row, dropped } : row));
  expect(reasons([loadPhase([{ ...stream, rows }])])).toHaveLength(count);
});

test("a closed-loop stream that ran out of requests is invalid", () => {
  const stream = verifications(70);
  const rows = [...stream.rows, exampleRow(10, { dropped: 1 })];
  expect(reasons([loadPhase([{ ...stream, rows }])], [efficient])).toEqual([
    expect.stringContaining("ran out"),
  ]);
});

test("too few responses for a p99 invalidate the profile", () => {
  const stream = exampleStream("s", exampleRows(10, 10, 5));
  expect(reasons([loadPhase([stream])])).toEqual([
    expect.stringContaining("s in load has 100 responses; p99 needs 1000"),
  ]);
});

const ratio: Threshold = {
  id: "ratio",
  claim: "The rates are equal.",
  measure: { kind: "rate-ratio", of: at, to: at },
  bound: "at-least",
  pass: 1,
};

test.for<{ calibration: Calibration | undefined; thresholds: Threshold[]; count: number; why: string }>([
  { calibration: { beforeMs: 25, afterMs: 28 }, thresholds: [prompt], count: 0, why: "12 % slower" },
  { calibration: { beforeMs: 25, afterMs: 29 }, thresholds: [prompt], count: 1, why: "16 % slower" },
  { calibration: { beforeMs: 29, afterMs: 25 }, thresholds: [prompt], count: 1, why: "16 % faster" },
  {
    calibration: { beforeMs: 25, afterMs: 50 },
    thresholds: [ratio],
    count: 0,
    why: "no threshold depends on S",
  },
  { calibration: undefined, thresholds: [prompt], count: 0, why: "S is set in the profile" },
])("drift of S gives $count reasons: $why", ({ calibration, thresholds, count }) => {
  const phases = [loadPhase([probes(5, 0.4)])];
  const results = thresholds.map((threshold) =>
    judgeThreshold(threshold, { profile: "example", phases }, units),
  );
  expect(reasonsInvalid({ profile: "example", phases }, calibration, thresholds, results)).toHaveLength(
    count,
  );
});

test("a stream without a threshold and without an expected response is invalid", () => {
  const shed = Array.from({ length: 10 }, (_, second) => exampleRow(second, { sent: 4, shed: 4 }));
  const race = exampleStream("race", shed, { scryptsPerRequest: 0 });
  const once = exampleStream("race", [exampleRow(0, { sent: 4, shed: 3 }, [5])], { scryptsPerRequest: 0 });
  expect(reasons([loadPhase([probes(5, 0.4), race])])).toEqual([
    expect.stringContaining("load/race: none of 40 requests got an expected response"),
  ]);
  expect(reasons([loadPhase([probes(5, 0.4), once])])).toEqual([]);
});

test("a noisy machine and an unsound measurement are different causes", () => {
  const causes = (phase: PhaseMeasurement): string[] =>
    reasonsInvalid({ profile: "example", phases: [phase] }, undefined, [], []).map(({ cause }) => cause);
  const closed = verifications(70);
  const ranOut = { ...closed, rows: [...closed.rows, exampleRow(10, { dropped: 1 })] };
  expect(causes(loadPhase([probes(5, 0.4)], { foreignCores: 1 }))).toEqual(["machine"]);
  expect(causes(loadPhase([ranOut]))).toEqual(["measurement"]);
});
