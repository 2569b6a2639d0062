import { expect, test } from "vitest";
import { cheapUnderScryptLoad, rampOf, percentileCurves, timelineOf } from "./chart-data.ts";
import {
  exampleCapacity,
  exampleIsolation,
  examplePhase,
  exampleProfile,
  exampleRow,
  exampleSpike,
  exampleStream,
  exampleUnits,
} from "./example-load-run.ts";

function times(count: number, ms: number): number[] {
  return Array.from({ length: count }, () => ms);
}

test("there is a curve for each stream with responses in each measured phase", () => {
  expect(percentileCurves(exampleIsolation()).map(({ name }) => name)).toEqual([
    "before: challenge",
    "before: metadata",
    "saturated: challenge",
    "saturated: metadata",
    "saturated: verify-forged",
    "after: challenge",
    "after: metadata",
  ]);
});

test.for([
  { profile: exampleProfile(), names: ["verify-forged"], why: "one phase" },
  { profile: exampleSpike(), names: ["before", "spike", "after"], why: "one stream" },
  { profile: exampleProfile({ phases: [] }), names: [], why: "no phases" },
  {
    profile: exampleProfile({ phases: [examplePhase("load", 0, 1, [exampleStream("s")])] }),
    names: [],
    why: "no responses",
  },
])("curve names are as short as is unambiguous: $why", ({ profile, names }) => {
  expect(percentileCurves(profile).map(({ name }) => name)).toEqual(names);
});

const twoPhases = exampleProfile({
  phases: [
    examplePhase("warm-up", 0, 1, [exampleStream("s", { rows: [exampleRow(0, times(4, 10))] })], {
      isWarmUp: true,
    }),
    examplePhase("load", 3, 2, [
      exampleStream("s", {
        rows: [exampleRow(0, times(5, 20), { shed: 2 }), exampleRow(1, [], { failed: 3 })],
      }),
      exampleStream("t", { rows: [exampleRow(0, times(7, 1), { unplanned: 1 })] }),
    ]),
  ],
});

test("a stream is one line across phases, with gaps between them", () => {
  const { bands, streams } = timelineOf(twoPhases);
  expect(bands).toEqual([
    { name: "warm-up", from: 0, to: 1, isWarmUp: true },
    { name: "load", from: 3, to: 5, isWarmUp: false },
  ]);
  expect(streams.map(({ name, perSecond }) => ({ name, perSecond }))).toEqual([
    {
      name: "s",
      perSecond: [
        [0.5, 4],
        [3, undefined],
        [3.5, 5],
        [4.5, 0],
      ],
    },
    { name: "t", perSecond: [[3.5, 7]] },
  ]);
});

test("responses of a closed-loop stream after its end count towards latency only", () => {
  const rows = [exampleRow(0, times(9, 5)), exampleRow(1, times(2, 50))];
  const [closed, open] = (["closed", "open"] as const).map(
    (model) =>
      timelineOf(
        exampleProfile({ phases: [examplePhase("load", 0, 1, [exampleStream("s", { model, rows })])] }),
      ).streams[0],
  );
  expect(closed?.perSecond).toEqual([[0.5, 9]]);
  expect(closed?.p99Ms).toHaveLength(2);
  expect(open?.perSecond).toEqual([
    [0.5, 9],
    [1.5, 2],
  ]);
});

test("p99 is per second, and undefined without responses", () => {
  const [stream] = timelineOf(twoPhases).streams;
  expect(stream?.p99Ms.map(([at]) => at)).toEqual([0.5, 3, 3.5, 4.5]);
  const [first, gap, second, none] = stream?.p99Ms.map(([, ms]) => ms) ?? [];
  expect(first).toBeCloseTo(10, 1);
  expect(second).toBeCloseTo(20, 1);
  expect([gap, none]).toEqual([undefined, undefined]);
});

test("responses of all streams are counted by class", () => {
  expect(timelineOf(twoPhases).responses).toEqual([
    { second: 0.5, planned: 4, shed: 0, unplanned: 0, failed: 0 },
    { second: 3.5, planned: 12, shed: 2, unplanned: 1, failed: 0 },
    { second: 4.5, planned: 0, shed: 0, unplanned: 0, failed: 3 },
  ]);
});

test("cheap streams are shown in units of S in every measured phase", () => {
  const cheap = cheapUnderScryptLoad(exampleIsolation(), exampleUnits);
  expect(cheap?.phases).toEqual(["before", "saturated", "after"]);
  expect(cheap?.streams.map(({ name }) => name)).toEqual(["challenge", "metadata"]);
  expect(cheap?.limit).toBe(2);
  // The last phase has only 500 responses.
  expect(cheap?.isUnreliable).toBe(true);
});

test("p99 in units of S is p99 / S", () => {
  const verifying = exampleStream("v", { scryptsPerRequest: 1, rows: [exampleRow(0, times(5, 200))] });
  const probe = (ms: number): ReturnType<typeof exampleStream> =>
    exampleStream("c", { rows: [exampleRow(0, times(1000, ms))] });
  const profile = exampleProfile({
    phases: [
      examplePhase("before", 0, 1, [probe(3.1)]),
      examplePhase("during", 2, 1, [probe(62), verifying]),
      examplePhase("after", 4, 1, [exampleStream("c")]),
    ],
    thresholds: [],
  });
  const cheap = cheapUnderScryptLoad(profile, exampleUnits);
  const [before, during, after] = cheap?.streams[0]?.p99InScrypts ?? [];
  expect(before).toBeCloseTo(0.1, 3);
  expect(during).toBeCloseTo(2, 2);
  expect(after).toBeUndefined();
  expect(cheap).toMatchObject({ isUnreliable: false, limit: undefined });
});

test.for([
  { profile: exampleProfile(), why: "no cheap stream" },
  { profile: exampleCapacity(), why: "only streams with scrypt" },
  {
    profile: exampleProfile({
      phases: [
        examplePhase("a", 0, 1, [exampleStream("c"), exampleStream("v", { scryptsPerRequest: 1 })]),
        examplePhase("b", 2, 1, [exampleStream("c"), exampleStream("v", { scryptsPerRequest: 1 })]),
      ],
    }),
    why: "scrypt load in every phase",
  },
])("no cheap stream with and without scrypt load: $why", ({ profile }) => {
  expect(cheapUnderScryptLoad(profile, exampleUnits)).toBeUndefined();
});

test("a ramp has one step per phase, and its knee in requests per second", () => {
  const ramp = rampOf(exampleCapacity(), exampleUnits);
  expect(ramp?.steps.map(({ offeredPerSecond }) => Math.round(offeredPerSecond))).toEqual([
    32, 39, 45, 52, 58, 65, 71,
  ]);
  expect(ramp?.steps.map(({ respondedPerSecond }) => respondedPerSecond)).toEqual([
    32, 39, 45, 52, 58, 61, 61,
  ]);
  expect(ramp?.kneePerSecond).toBeCloseTo((0.9 * 2000) / 31, 6);
});

test.for([
  { profile: exampleSpike(), why: "the rate decreases" },
  { profile: exampleProfile(), why: "one closed-loop phase" },
  { profile: exampleIsolation(), why: "a constant rate" },
  { profile: exampleProfile({ phases: [] }), why: "no phases" },
])("no ramp: $why", ({ profile }) => {
  expect(rampOf(profile, exampleUnits)).toBeUndefined();
});
