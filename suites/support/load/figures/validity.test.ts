import { expect, test } from "vitest";
import { encodedMs, examplePhase, exampleRow, exampleRows, exampleStream } from "./example-measurement.ts";
import type { Health, PhaseMeasurement, StreamMeasurement } from "./measurement.ts";
import { judgeThreshold, type Threshold } from "./thresholds.ts";
import { type Calibration, reasonsInvalid } from "./validity.ts";

const units = { scryptMs: 25, cores: 2 };
const at = { phase: "load", stream: "s" };
const prompt: Threshold = {
  id: "prompt",
  claim: "99 of 100 come within two scrypt times",
  measure: { kind: "latency-in-scrypts", at, percentile: 99 },
  bound: "at-most",
  pass: 2,
};
const efficient: Threshold = {
  id: "efficient",
  claim: "the cores are busy",
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

function loaded(streams: readonly StreamMeasurement[], health: Partial<Health> = {}): PhaseMeasurement {
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

test("what was measured well has no reason against it, be it passed or missed", () => {
  expect(reasons([loaded([probes(5, 0.4)])])).toEqual([]);
  expect(reasons([loaded([probes(500, 0.4)])])).toEqual([]);
});

test("a machine that is busy while nothing is asked of the target makes even a pass say nothing", () => {
  const phases = [loaded([probes(5, 0.4)])];
  expect(reasons(phases, [prompt], { ...steady, idleCores: 0.1 })).toEqual([]);
  expect(reasons(phases, [prompt], { ...steady, idleCores: 0.9 })).toEqual([
    expect.stringContaining("0.90 cores were busy while nothing was asked of the target"),
  ]);
});

test.for<{ health: Partial<Health>; reason: string }>([
  { health: { foreignCores: 0.21 }, reason: "other programs used 0.21 cores" },
  { health: { clockStepMs: 51 }, reason: "the wall clock was set by 51 ms" },
])("$health makes even a pass say nothing", ({ health, reason }) => {
  expect(reasons([loaded([probes(5, 0.4)], health)])).toEqual([expect.stringContaining(`load: ${reason}`)]);
});

test.for<Partial<Health>>([{ foreignCores: 0.2 }, { generatorCores: 0.8 }, { clockStepMs: 50 }, {}])(
  "%j is tolerated",
  (health) => {
    expect(reasons([loaded([probes(5, 0.4)], health)])).toEqual([]);
  },
);

test("nothing in a warm-up counts", () => {
  const rough = {
    ...loaded([probes(500, 400)], { foreignCores: 2 }),
    name: "warm-up",
    isWarmUp: true,
  } as const;
  expect(reasons([rough, loaded([probes(500, 0.4)])])).toEqual([]);
});

test.for([
  {
    what: "a late event loop",
    late: loaded([probes(500, 0.4)], { loopLagP99Ms: 21 }),
    says: "event loop was late by 21 ms",
  },
  {
    what: "a busy generator",
    late: loaded([probes(500, 0.4)], { generatorCores: 0.81 }),
    says: "the generator used 0.81 cores",
  },
  { what: "late sending", late: loaded([probes(500, 60)]), says: "requests went out 60.0 ms late" },
])("$what voids a missed latency, and not one that passed in spite of it", ({ late, says }) => {
  expect(reasons([late])).toEqual([expect.stringContaining(says)]);
  expect(reasons([late], [{ ...prompt, pass: 1000 }])).toEqual([]);
});

test("cheap answers of a few milliseconds, sent one millisecond late, do not excuse idle cores", () => {
  const phases = [loaded([probes(2, 1), verifications(40)])];
  expect(reasons(phases, [prompt, efficient])).toEqual([]);
});

test("lateness in another phase than the one that is judged says nothing of it", () => {
  const idle = { ...loaded([probes(2, 1)], { loopLagP99Ms: 30 }), name: "before" };
  expect(reasons([idle, loaded([probes(500, 1)])])).toEqual([]);
});

test("a late event loop voids missed efficiency: closed connections wait for it", () => {
  const phases = [loaded([verifications(40)], { loopLagP99Ms: 30 })];
  expect(reasons(phases, [efficient])).toEqual([expect.stringContaining("event loop")]);
});

test.for([
  { dropped: 10, count: 0 },
  { dropped: 11, count: 1 },
])("of 1000 requests that were due, $dropped were not sent", ({ dropped, count }) => {
  const stream = probes(5, 0.4);
  const rows = stream.rows.map((row) => (row.second === 0 ? { ...row, dropped } : row));
  expect(reasons([loaded([{ ...stream, rows }])])).toHaveLength(count);
});

test("a closed stream that ran out of requests is no saturation", () => {
  const stream = verifications(70);
  const rows = [...stream.rows, exampleRow(10, { dropped: 1 })];
  expect(reasons([loaded([{ ...stream, rows }])], [efficient])).toEqual([
    expect.stringContaining("they ran out"),
  ]);
});

test("too few answers for a p99 are neither pass nor miss", () => {
  const stream = exampleStream("s", exampleRows(10, 10, 5));
  expect(reasons([loaded([stream])])).toEqual([
    expect.stringContaining("s in load has 100 answers; p99 needs 1000"),
  ]);
});

const ratio: Threshold = {
  id: "ratio",
  claim: "as many as of the other",
  measure: { kind: "rate-ratio", of: at, to: at },
  bound: "at-least",
  pass: 1,
};

test.for<{ calibration: Calibration | undefined; thresholds: Threshold[]; count: number; why: string }>([
  { calibration: { beforeMs: 25, afterMs: 28 }, thresholds: [prompt], count: 0, why: "12 %" },
  { calibration: { beforeMs: 25, afterMs: 29 }, thresholds: [prompt], count: 1, why: "16 % slower" },
  { calibration: { beforeMs: 29, afterMs: 25 }, thresholds: [prompt], count: 1, why: "16 % faster" },
  {
    calibration: { beforeMs: 25, afterMs: 50 },
    thresholds: [ratio],
    count: 0,
    why: "no figure is in scrypts",
  },
  { calibration: undefined, thresholds: [prompt], count: 0, why: "the profile gave S" },
])("$why: the drift of S gives $count reasons", ({ calibration, thresholds, count }) => {
  const phases = [loaded([probes(5, 0.4)])];
  const results = thresholds.map((threshold) =>
    judgeThreshold(threshold, { profile: "example", phases }, units),
  );
  expect(reasonsInvalid({ profile: "example", phases }, calibration, thresholds, results)).toHaveLength(
    count,
  );
});

test("a stream that was always turned away is no evidence, unless a threshold says so itself", () => {
  const shed = Array.from({ length: 10 }, (_, second) => exampleRow(second, { sent: 4, shed: 4 }));
  const race = exampleStream("race", shed, { scryptsPerRequest: 0 });
  const once = exampleStream("race", [exampleRow(0, { sent: 4, shed: 3 }, [5])], { scryptsPerRequest: 0 });
  expect(reasons([loaded([probes(5, 0.4), race])])).toEqual([
    expect.stringContaining("load/race: none of 40 requests was answered as planned"),
  ]);
  expect(reasons([loaded([probes(5, 0.4), once])])).toEqual([]);
});

test("a busy machine is told from a measurement that a quiet one would not mend", () => {
  const causes = (phase: PhaseMeasurement): string[] =>
    reasonsInvalid({ profile: "example", phases: [phase] }, undefined, [], []).map(({ cause }) => cause);
  const closed = verifications(70);
  const ranOut = { ...closed, rows: [...closed.rows, exampleRow(10, { dropped: 1 })] };
  expect(causes(loaded([probes(5, 0.4)], { foreignCores: 1 }))).toEqual(["machine"]);
  expect(causes(loaded([ranOut]))).toEqual(["measurement"]);
});
