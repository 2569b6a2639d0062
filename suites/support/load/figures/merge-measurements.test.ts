import fc from "fast-check";
import { expect, test } from "vitest";
import { encodedMs, examplePhase, exampleRow, exampleStream } from "./example-measurement.ts";
import { decodeHistogram, percentileMs } from "./latency-histogram.ts";
import {
  latencyOf,
  type PhaseMeasurement,
  type ProfileMeasurement,
  type StreamMeasurement,
} from "./measurement.ts";
import { mergeMeasurements, ShardMismatchError } from "./merge-measurements.ts";

function profileOf(...phases: PhaseMeasurement[]): ProfileMeasurement {
  return { profile: "example", phases };
}

function onlyStream({ phases }: ProfileMeasurement): StreamMeasurement {
  const [stream] = phases[0]?.streams ?? [];
  if (stream === undefined) throw new TypeError("the merged measurement has no stream");
  return stream;
}

interface Event {
  readonly second: number;
  readonly latencyMs: number;
  readonly shard: number;
}

const shards = 4;
const event: fc.Arbitrary<Event> = fc.record({
  second: fc.nat({ max: 6 }),
  latencyMs: fc.double({ min: Math.log(0.01), max: Math.log(600_000), noNaN: true }).map(Math.exp),
  shard: fc.nat({ max: shards - 1 }),
});

/** Like the recorder: a row for every second up to that of the last response. */
function recorded(events: readonly Event[]): ProfileMeasurement {
  const last = Math.max(-1, ...events.map(({ second }) => second));
  const rows = Array.from({ length: last + 1 }, (_, second) => {
    const latencies = events.filter((each) => each.second === second).map(({ latencyMs }) => latencyMs);
    return exampleRow(second, { scheduled: latencies.length, sent: latencies.length }, latencies);
  });
  const lag = encodedMs(events.map(({ latencyMs }) => latencyMs / 10));
  return profileOf(examplePhase("load", 5, [exampleStream("s", rows, { ratePerSecond: 10, sendLag: lag })]));
}

function countsOf({ rows }: StreamMeasurement): unknown[] {
  return rows.map((row) => ({ ...row, latency: "" }));
}

test("merging shards gives the counts and percentiles of the whole run", () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 200 }), (events) => {
      const parts = Array.from({ length: shards }, (_, index) =>
        recorded(events.filter(({ shard }) => shard === index)),
      );
      const merged = onlyStream(mergeMeasurements(parts));
      const whole = onlyStream(recorded(events));
      expect(countsOf(merged)).toEqual(countsOf(whole));
      for (const percentile of [1, 50, 90, 99, 99.9, 100]) {
        const of = (stream: StreamMeasurement): number => percentileMs(latencyOf(stream), percentile) ?? 0;
        expect(Math.abs(of(merged) / of(whole) - 1)).toBeLessThanOrEqual(0.001);
        const lagOf = ({ sendLag = "" }: StreamMeasurement): number =>
          percentileMs(decodeHistogram(sendLag), percentile) ?? 0;
        expect(Math.abs(lagOf(merged) / lagOf(whole) - 1)).toBeLessThanOrEqual(0.001);
      }
    }),
    { seed: 1, numRuns: 50 },
  );
});

test("a slow shard shows in the merged percentiles", () => {
  const part = (ms: number): ProfileMeasurement =>
    profileOf(
      examplePhase("load", 1, [
        exampleStream("s", [
          exampleRow(
            0,
            {},
            Array.from({ length: 100 }, () => ms),
          ),
        ]),
      ]),
    );
  const merged = mergeMeasurements([part(10), part(10), part(10), part(900)]);
  expect(percentileMs(latencyOf(onlyStream(merged)), 75)).toBeCloseTo(10, 1);
  expect(percentileMs(latencyOf(onlyStream(merged)), 76)).toBeCloseTo(900, -1);
});

test("rates and failures are added, the number of connections is not", () => {
  const part = profileOf(
    examplePhase("load", 1, [
      exampleStream(
        "open",
        [exampleRow(0, { dropped: 1, shed: 2, unplanned: 3, failed: 4, statuses: { 503: 2, 500: 3 } })],
        {
          ratePerSecond: 12.5,
          failures: { reset: 1, timeout: 2, "refused-connection": 0, "closed-early": 1 },
        },
      ),
      exampleStream("closed", [], { model: "closed", connections: 16 }),
    ]),
  );
  const [open, closed] = mergeMeasurements([part, part]).phases[0]?.streams ?? [];
  expect(open).toMatchObject({
    ratePerSecond: 25,
    failures: { reset: 2, timeout: 4, "refused-connection": 0, "closed-early": 2 },
    rows: [{ dropped: 2, shed: 4, unplanned: 6, failed: 8, statuses: { 503: 4, 500: 6 }, latency: "" }],
  });
  expect(closed).toMatchObject({ connections: 16, rows: [] });
  expect(closed).not.toHaveProperty("ratePerSecond");
  expect(closed).not.toHaveProperty("sendLag");
});

test("merged health has the worst generator values, and the target values of a shard that has them", () => {
  const near = examplePhase("load", 1, [], {
    generatorCores: 0.1,
    loopLagP99Ms: 9,
    clockStepMs: 1,
    foreignCores: 0.1,
    targetCores: 1.9,
    targetMiB: [80, 81],
  });
  const far = examplePhase("load", 1, [], { generatorCores: 0.7, loopLagP99Ms: 2, clockStepMs: 3 });
  expect(mergeMeasurements([profileOf(far), profileOf(near)]).phases[0]?.health).toEqual({
    generatorCores: 0.7,
    loopLagP99Ms: 9,
    clockStepMs: 3,
    foreignCores: 0.1,
    targetCores: 1.9,
    targetMiB: [80, 81],
  });
  expect(mergeMeasurements([profileOf(far)]).phases[0]?.health).not.toHaveProperty("targetCores");
});

test("a merged phase starts when the first shard started it", () => {
  const startedPhase = (startedAt: string): ProfileMeasurement =>
    profileOf({ ...examplePhase("load", 1, []), startedAt });
  const merged = mergeMeasurements([
    startedPhase("2026-01-01T00:00:01.200Z"),
    startedPhase("2026-01-01T00:00:01.100Z"),
  ]);
  expect(merged.phases[0]?.startedAt).toBe("2026-01-01T00:00:01.100Z");
});

const stream = exampleStream("s", []);
const plan = profileOf(examplePhase("load", 5, [stream]));

test.for<{ what: string; other: ProfileMeasurement; found: string }>([
  { what: "profile", other: { ...plan, profile: "other" }, found: "other" },
  { what: "phase name", other: profileOf(examplePhase("calm", 5, [stream])), found: "calm" },
  { what: "phase length", other: profileOf(examplePhase("load", 3, [stream])), found: "load, 3 s" },
  { what: "additional phase", other: profileOf(...plan.phases, ...plan.phases), found: "load, 5 s: s" },
  { what: "missing phase", other: profileOf(), found: "found" },
  { what: "stream", other: profileOf(examplePhase("load", 5, [exampleStream("t", [])])), found: "t (open" },
  {
    what: "load model",
    other: profileOf(examplePhase("load", 5, [{ ...stream, model: "closed", connections: 4 }])),
    found: "4 connections",
  },
])("a shard that differs is rejected, naming the difference: $what", ({ other, found }) => {
  expect(() => mergeMeasurements([plan, plan, other])).toThrow(ShardMismatchError);
  expect(() => mergeMeasurements([plan, plan, other])).toThrow(found);
  expect(() => mergeMeasurements([plan, plan, other])).toThrow("shard 3 has a different");
});

test("an empty list of shards is rejected", () => {
  expect(() => mergeMeasurements([])).toThrow(ShardMismatchError);
});
