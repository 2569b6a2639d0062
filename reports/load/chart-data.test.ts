import { expect, test } from "vitest";
import { cheapBesideScrypt, ladderOf, percentileCurves, timelineOf } from "./chart-data.ts";
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

test("there is a curve for each stream of each measured phase that was answered", () => {
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
  { profile: exampleProfile({ phases: [] }), names: [], why: "nothing" },
  {
    profile: exampleProfile({ phases: [examplePhase("load", 0, 1, [exampleStream("s")])] }),
    names: [],
    why: "no answers",
  },
])("curves have no more of a name than tells them apart: $why", ({ profile, names }) => {
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

test("a stream is one line over all phases, with a gap between them", () => {
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

test("what a closed stream is answered after its end is no rate, and has its latency", () => {
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

test("p99 of a second is of that second alone, and there is none of no answers", () => {
  const [stream] = timelineOf(twoPhases).streams;
  expect(stream?.p99Ms.map(([at]) => at)).toEqual([0.5, 3, 3.5, 4.5]);
  const [first, gap, second, none] = stream?.p99Ms.map(([, ms]) => ms) ?? [];
  expect(first).toBeCloseTo(10, 1);
  expect(second).toBeCloseTo(20, 1);
  expect([gap, none]).toEqual([undefined, undefined]);
});

test("answers are counted over all streams, by what they were", () => {
  expect(timelineOf(twoPhases).answers).toEqual([
    { second: 0.5, planned: 4, shed: 0, unplanned: 0, failed: 0 },
    { second: 3.5, planned: 12, shed: 2, unplanned: 1, failed: 0 },
    { second: 4.5, planned: 0, shed: 0, unplanned: 0, failed: 3 },
  ]);
});

test("cheap streams are shown in units of S in every measured phase", () => {
  const cheap = cheapBesideScrypt(exampleIsolation(), exampleUnits);
  expect(cheap?.phases).toEqual(["before", "saturated", "after"]);
  expect(cheap?.streams.map(({ name }) => name)).toEqual(["challenge", "metadata"]);
  expect(cheap?.limit).toBe(2);
  // Five seconds of a hundred are fewer than a thousand.
  expect(cheap?.isRough).toBe(true);
});

test("p99 in units of S is p99 through S", () => {
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
  const cheap = cheapBesideScrypt(profile, exampleUnits);
  const [before, during, after] = cheap?.streams[0]?.p99InScrypts ?? [];
  expect(before).toBeCloseTo(0.1, 3);
  expect(during).toBeCloseTo(2, 2);
  expect(after).toBeUndefined();
  expect(cheap).toMatchObject({ isRough: false, limit: undefined });
});

test.for([
  { profile: exampleProfile(), why: "nothing cheap" },
  { profile: exampleCapacity(), why: "nothing cheap in any phase" },
  {
    profile: exampleProfile({
      phases: [
        examplePhase("a", 0, 1, [exampleStream("c"), exampleStream("v", { scryptsPerRequest: 1 })]),
        examplePhase("b", 2, 1, [exampleStream("c"), exampleStream("v", { scryptsPerRequest: 1 })]),
      ],
    }),
    why: "never without scrypt",
  },
])("no cheap stream beside scrypt and without it: $why", ({ profile }) => {
  expect(cheapBesideScrypt(profile, exampleUnits)).toBeUndefined();
});

test("a ladder has a step a phase, and the knee in requests a second", () => {
  const ladder = ladderOf(exampleCapacity(), exampleUnits);
  expect(ladder?.steps.map(({ offeredPerSecond }) => Math.round(offeredPerSecond))).toEqual([
    32, 39, 45, 52, 58, 65, 71,
  ]);
  expect(ladder?.steps.map(({ answeredPerSecond }) => answeredPerSecond)).toEqual([
    32, 39, 45, 52, 58, 61, 61,
  ]);
  expect(ladder?.kneePerSecond).toBeCloseTo((0.9 * 2000) / 31, 6);
});

test.for([
  { profile: exampleSpike(), why: "the rate falls again" },
  { profile: exampleProfile(), why: "one phase, closed" },
  { profile: exampleIsolation(), why: "the rate stays" },
  { profile: exampleProfile({ phases: [] }), why: "nothing" },
])("no ladder: $why", ({ profile }) => {
  expect(ladderOf(profile, exampleUnits)).toBeUndefined();
});
