import { describe, expect, test } from "vitest";
import { type LoadProfile, type Phase, type Stream, streamName } from "../support/load/load-profile.ts";
import type { StreamRef } from "../support/load/figures/measurement.ts";
import { fixedRate, phaseSeconds } from "../support/load/run-load-profile.ts";
import { jmapRead } from "../support/load/steps/jmap-read.ts";
import { streamsOf, type Units } from "../support/load/figures/thresholds.ts";
import { defaultLoadProfiles, loadProfiles } from "./profiles.ts";

test("all profiles run in this order, and these five by default", () => {
  expect(loadProfiles.map(({ name }) => name)).toEqual([
    "challenge",
    "verify-valid",
    "verify-forged",
    "forged-cheap",
    "replay",
    "capability",
    "jmap-read",
    "refresh",
    "authorize",
    "mixed",
    "isolation",
    "spike",
    "soak",
    "capacity",
    "churn",
  ]);
  expect(defaultLoadProfiles.map(({ name }) => name)).toEqual([
    "challenge",
    "verify-forged",
    "forged-cheap",
    "replay",
    "isolation",
  ]);
});

function phaseOf({ phases }: LoadProfile, name: string): Phase | undefined {
  return phases.find((phase) => phase.name === name);
}

function streamAt(profile: LoadProfile, { phase, stream }: StreamRef): Stream | undefined {
  return phaseOf(profile, phase)?.streams.find((candidate) => streamName(candidate) === stream);
}

// Rates that are a share of capacity depend on the machine.
const machines: readonly Units[] = [
  { scryptMs: 33, cores: 1 },
  { scryptMs: 25, cores: 2 },
  { scryptMs: 60, cores: 2 },
  { scryptMs: 33, cores: 16 },
];

/** The most responses that a stream can have; undefined when its rate is not known in advance. */
function maxResponses(stream: Stream, seconds: number, units: Units): number | undefined {
  if (stream.model === "closed" || "ofMeasured" in stream.rate) return undefined;
  const perBatch = stream.step === jmapRead ? 2 : 1;
  const { scryptsPerRequest } = stream.step;
  const rate = fixedRate(stream.rate, units);
  const capacity = (1000 * units.cores) / units.scryptMs;
  return seconds * perBatch * (scryptsPerRequest === 0 ? rate : Math.min(rate, capacity / scryptsPerRequest));
}

describe.for(loadProfiles)("$name", (profile) => {
  const { phases, thresholds } = profile;

  test("has unique names for its phases, streams and thresholds", () => {
    const lists = [
      phases.map(({ name }) => name),
      ...phases.map(({ streams }) => streams.map(streamName)),
      thresholds.map(({ id }) => id),
    ];
    for (const names of lists) expect(names).toEqual([...new Set(names)]);
  });

  test("has thresholds only on streams that it measures, and none on a warm-up", () => {
    const refs = thresholds.flatMap(({ measure }) => streamsOf(measure));
    expect(refs.filter((ref) => streamAt(profile, ref) === undefined)).toEqual([]);
    const named = [
      ...refs.map(({ phase }) => phase),
      ...thresholds.flatMap(({ measure }) => (measure.kind === "memory-growth" ? [measure.phase] : [])),
    ];
    expect(named.filter((name) => phaseOf(profile, name)?.isWarmUp !== undefined)).toEqual([]);
    expect(named.filter((name) => phaseOf(profile, name) === undefined)).toEqual([]);
  });

  test.for([true, false])("sends enough requests for its percentiles (short: %s)", (isShort) => {
    const insufficient = thresholds.flatMap(({ id, measure }) => {
      if (measure.kind !== "latency-in-scrypts") return [];
      const phase = phaseOf(profile, measure.at.phase);
      const stream = streamAt(profile, measure.at);
      if (phase === undefined || stream === undefined) return [id];
      const needed = measure.percentile > 50 ? 1000 : 100;
      const counts = machines
        .map((units) => maxResponses(stream, phaseSeconds(phase, isShort), units))
        .filter((count) => count !== undefined);
      return counts.some((count) => count < needed) ? [id] : [];
    });
    expect(insufficient).toEqual([]);
  });
});

describe("the spike distinguishes a bounded queue from an unbounded one", () => {
  const spike = loadProfiles.find(({ name }) => name === "spike");
  const phase = spike?.phases.find(({ name }) => name === "spike");
  const threshold = spike?.thresholds.find(({ id }) => id === "bounded-wait");
  const [flood] = phase?.streams ?? [];
  const times = flood?.model === "open" && "ofCapacity" in flood.rate ? flood.rate.ofCapacity : Number.NaN;

  test.for([
    { isShort: true, scryptMs: 33 },
    { isShort: true, scryptMs: 55 },
    { isShort: false, scryptMs: 55 },
    { isShort: false, scryptMs: 70 },
  ])("S = $scryptMs ms, short: $isShort", ({ isShort, scryptMs }) => {
    const seconds = phase === undefined ? 0 : phaseSeconds(phase, isShort);
    const pass = threshold?.pass ?? 0;
    // The last of 64 queued requests on one core waits for the running evaluation too.
    expect(64 + 1).toBeLessThanOrEqual(pass);
    // With an unbounded queue, a request in the middle of the spike waits for the backlog so far.
    const middleMs = ((times - 1) * seconds * 1000) / 2;
    expect(middleMs / scryptMs).toBeGreaterThan(pass);
  });
});

test("even in a short run, the top step of capacity pushes latency above 10 S", () => {
  const capacity = loadProfiles.find(({ name }) => name === "capacity");
  const top = capacity?.phases.at(-1);
  const seconds = top === undefined ? 0 : phaseSeconds(top, true);
  const [stream] = top?.streams ?? [];
  const share = stream?.model === "open" && "ofCapacity" in stream.rate ? stream.rate.ofCapacity : 0;
  expect(((share - 1) * seconds * 1000) / 33).toBeGreaterThan(10);
});
