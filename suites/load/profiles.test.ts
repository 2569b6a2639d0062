import { describe, expect, test } from "vitest";
import { type LoadProfile, type Phase, type Stream, streamName } from "../support/load/load-profile.ts";
import type { StreamRef } from "../support/load/figures/measurement.ts";
import { fixedRate, secondsOf } from "../support/load/run-load-profile.ts";
import { jmapRead } from "../support/load/steps/jmap-read.ts";
import { streamsOf, type Units } from "../support/load/figures/thresholds.ts";
import { defaultLoadProfiles, loadProfiles } from "./profiles.ts";

test("a run takes all profiles in this order, and these five when it is not told", () => {
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

// From one slow core to many: how much is offered as a share of capacity depends on it.
const machines: readonly Units[] = [
  { scryptMs: 33, cores: 1 },
  { scryptMs: 25, cores: 2 },
  { scryptMs: 60, cores: 2 },
  { scryptMs: 33, cores: 16 },
];

/** Answers that a stream can have, when it is one whose rate is known beforehand. */
function mostAnswers(stream: Stream, seconds: number, units: Units): number | undefined {
  if (stream.model === "closed" || "ofMeasured" in stream.rate) return undefined;
  const perVolley = stream.step === jmapRead ? 2 : 1;
  const { scryptsPerRequest } = stream.step;
  const rate = fixedRate(stream.rate, units);
  const capacity = (1000 * units.cores) / units.scryptMs;
  return (
    seconds * perVolley * (scryptsPerRequest === 0 ? rate : Math.min(rate, capacity / scryptsPerRequest))
  );
}

describe.for(loadProfiles)("$name", (profile) => {
  const { phases, thresholds } = profile;

  test("has names that tell its phases, streams and thresholds apart", () => {
    const lists = [
      phases.map(({ name }) => name),
      ...phases.map(({ streams }) => streams.map(streamName)),
      thresholds.map(({ id }) => id),
    ];
    for (const names of lists) expect(names).toEqual([...new Set(names)]);
  });

  test("judges what it measures, and never a warm-up", () => {
    const refs = thresholds.flatMap(({ measure }) => streamsOf(measure));
    expect(refs.filter((ref) => streamAt(profile, ref) === undefined)).toEqual([]);
    const named = [
      ...refs.map(({ phase }) => phase),
      ...thresholds.flatMap(({ measure }) => (measure.kind === "memory-growth" ? [measure.phase] : [])),
    ];
    expect(named.filter((name) => phaseOf(profile, name)?.isWarmUp !== undefined)).toEqual([]);
    expect(named.filter((name) => phaseOf(profile, name) === undefined)).toEqual([]);
  });

  test.for([true, false])("offers as much as its percentiles need (short: %s)", (isShort) => {
    const tooFew = thresholds.flatMap(({ id, measure }) => {
      if (measure.kind !== "latency-in-scrypts") return [];
      const phase = phaseOf(profile, measure.at.phase);
      const stream = streamAt(profile, measure.at);
      if (phase === undefined || stream === undefined) return [id];
      const needed = measure.percentile > 50 ? 1000 : 100;
      const least = machines
        .map((units) => mostAnswers(stream, secondsOf(phase, isShort), units))
        .filter((answers) => answers !== undefined);
      return least.some((answers) => answers < needed) ? [id] : [];
    });
    expect(tooFew).toEqual([]);
  });
});

describe("the spike tells a bounded queue from an endless one", () => {
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
    const seconds = phase === undefined ? 0 : secondsOf(phase, isShort);
    const pass = threshold?.pass ?? 0;
    // Who comes when 64 wait on one core, and is the one after the one that is computed.
    expect(64 + 1).toBeLessThanOrEqual(pass);
    // Who comes in the middle of the spike waits for all that came before and could not be done meanwhile.
    const middleMs = ((times - 1) * seconds * 1000) / 2;
    expect(middleMs / scryptMs).toBeGreaterThan(pass);
  });
});

test("a short ladder is still long enough to overrun ten scrypt times above capacity", () => {
  const capacity = loadProfiles.find(({ name }) => name === "capacity");
  const top = capacity?.phases.at(-1);
  const seconds = top === undefined ? 0 : secondsOf(top, true);
  const [stream] = top?.streams ?? [];
  const share = stream?.model === "open" && "ofCapacity" in stream.rate ? stream.rate.ofCapacity : 0;
  expect(((share - 1) * seconds * 1000) / 33).toBeGreaterThan(10);
});
