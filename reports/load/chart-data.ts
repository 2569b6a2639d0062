import type { LoadProfileRun, LoadRun, LoadStream } from "../load-format.ts";
import { latencyOf, percentileCurve, percentileMs, samplesForP99 } from "./latency.ts";
import { measuredPhases } from "./stream-figures.ts";

export type Point = readonly [x: number, y: number];

/** Undefined where there is a gap. */
export type GapPoint = readonly [x: number, y: number | undefined];

export interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Latency in ms over 1 / (1 - p), a line for each stream of each measured phase that was answered. */
export function percentileCurves({ phases }: LoadProfileRun): Curve[] {
  const measured = measuredPhases(phases);
  return measured
    .flatMap((phase) =>
      phase.streams.map((stream) => ({
        name: curveName(phase.name, stream.name, measured),
        points: percentileCurve(latencyOf(stream)),
      })),
    )
    .filter(({ points }) => points.length > 0);
}

function curveName(phase: string, stream: string, phases: LoadProfileRun["phases"]): string {
  const streams = new Set(phases.flatMap(({ streams: all }) => all.map(({ name }) => name)));
  if (phases.length === 1 || phase === stream) return stream;
  return streams.size === 1 ? phase : `${phase}: ${stream}`;
}

export interface Timeline {
  /** Seconds since the profile's first phase began. */
  readonly bands: readonly { name: string; from: number; to: number; isWarmUp: boolean }[];
  /** One a name, whatever the phase. */
  readonly streams: readonly {
    name: string;
    /** Planned answers a second. Of a closed stream within its phase: what comes later is no rate. */
    perSecond: readonly GapPoint[];
    p99Ms: readonly GapPoint[];
  }[];
  /** Of all streams together, in each second. */
  readonly answers: readonly {
    second: number;
    planned: number;
    shed: number;
    unplanned: number;
    failed: number;
  }[];
}

/** What happened second by second. A point stands in the middle of its second. */
export function timelineOf({ phases }: LoadProfileRun): Timeline {
  const beginMs = Math.min(...phases.map(({ startedAt }) => Date.parse(startedAt)));
  const startOf = (startedAt: string): number => (Date.parse(startedAt) - beginMs) / 1000;
  const names = [...new Set(phases.flatMap(({ streams }) => streams.map(({ name }) => name)))];
  return {
    bands: phases.map(({ name, startedAt, seconds, isWarmUp }) => ({
      name,
      from: startOf(startedAt),
      to: startOf(startedAt) + seconds,
      isWarmUp: isWarmUp ?? false,
    })),
    streams: names.map((name) => {
      const pieces = phases.flatMap((phase) => {
        const stream = phase.streams.find((each) => each.name === name);
        const start = startOf(phase.startedAt);
        return stream === undefined
          ? []
          : [
              stream.rows.map((row) => ({
                at: start + row.second + 0.5,
                row,
                isRate: stream.model === "open" || row.second < phase.seconds,
              })),
            ];
      });
      return {
        name,
        perSecond: withGaps(
          pieces.map((rows) =>
            rows.filter(({ isRate }) => isRate).map(({ at, row }) => [at, row.planned] as const),
          ),
        ),
        p99Ms: withGaps(
          pieces.map((rows) =>
            rows.map(({ at, row }) => [at, percentileMs(latencyOf({ rows: [row] }), 99)] as const),
          ),
        ),
      };
    }),
    answers: phases.flatMap((phase) => answersOf(phase.streams, startOf(phase.startedAt))),
  };
}

/** One line of several pieces: a point without a value before each piece but the first keeps them apart. */
function withGaps(pieces: readonly (readonly GapPoint[])[]): GapPoint[] {
  return pieces.flatMap((piece, at) => {
    const [first] = piece;
    return at === 0 || first === undefined ? [...piece] : [[first[0] - 0.5, undefined] as const, ...piece];
  });
}

function answersOf(streams: readonly LoadStream[], start: number): Timeline["answers"] {
  const bySecond = Map.groupBy(
    streams.flatMap(({ rows }) => rows),
    ({ second }) => second,
  );
  return [...bySecond]
    .toSorted(([a], [b]) => a - b)
    .map(([second, rows]) => {
      const sum = (count: "planned" | "shed" | "unplanned" | "failed"): number =>
        rows.reduce((all, row) => all + row[count], 0);
      return {
        second: start + second + 0.5,
        planned: sum("planned"),
        shed: sum("shed"),
        unplanned: sum("unplanned"),
        failed: sum("failed"),
      };
    });
}

export interface CheapBeside {
  readonly phases: readonly string[];
  readonly streams: readonly {
    name: string;
    /** p99 in each of the phases, in units of S; undefined without answers. */
    p99InScrypts: readonly (number | undefined)[];
  }[];
  /** Whether some p99 is of fewer answers than make one. */
  readonly isRough: boolean;
  /** Of the thresholds on it, the strictest. */
  readonly limit: number | undefined;
}

/**
 * Requests that need no scrypt, while others keep it busy and while none do: undefined unless some stream was offered both
 * ways.
 */
export function cheapBesideScrypt(profile: LoadProfileRun, units: LoadRun["units"]): CheapBeside | undefined {
  const phases = measuredPhases(profile.phases);
  const isBusy = phases.map(({ streams }) => streams.some(isExpensive));
  const cheap = [
    ...new Set(
      phases.flatMap(({ streams }) => streams.filter((it) => !isExpensive(it)).map(({ name }) => name)),
    ),
  ].filter((name) => {
    const seenWhen = phases.map(({ streams }, at) =>
      streams.some((it) => it.name === name) ? isBusy[at] : undefined,
    );
    return seenWhen.includes(true) && seenWhen.includes(false);
  });
  if (cheap.length === 0) return undefined;
  let isRough = false;
  const streams = cheap.map((name) => ({
    name,
    p99InScrypts: phases.map((phase) => {
      const stream = phase.streams.find((it) => it.name === name);
      if (stream === undefined) return undefined;
      const latency = latencyOf(stream);
      if (latency.totalCount > 0 && latency.totalCount < samplesForP99) isRough = true;
      const p99 = percentileMs(latency, 99);
      return p99 === undefined ? undefined : p99 / units.scryptMs;
    }),
  }));
  const limits = profile.thresholds
    .filter(({ kind, bound }) => kind === "latency-in-scrypts" && bound === "at-most")
    .map(({ limit }) => limit);
  return {
    phases: phases.map(({ name }) => name),
    streams,
    isRough,
    limit: limits.length === 0 ? undefined : Math.min(...limits),
  };
}

function isExpensive({ scryptsPerRequest }: LoadStream): boolean {
  return scryptsPerRequest > 0;
}

export interface Ladder {
  readonly stream: string;
  readonly steps: readonly {
    offeredPerSecond: number;
    answeredPerSecond: number;
    p99Ms: number | undefined;
  }[];
  /** The highest rate that the target kept up with, when a threshold says so. */
  readonly kneePerSecond: number | undefined;
}

const fewestSteps = 3;

/** One stream offered at ever higher rates, phase by phase; undefined when the profile does no such thing. */
export function ladderOf(profile: LoadProfileRun, { scryptMs, cores }: LoadRun["units"]): Ladder | undefined {
  const phases = measuredPhases(profile.phases);
  const [name] = phases.map(({ streams: [stream] }) => stream?.name);
  const steps = phases.flatMap((phase) => {
    const stream = phase.streams.find((it) => it.name === name);
    if (stream?.ratePerSecond === undefined) return [];
    const within = stream.rows.filter(({ second }) => second < phase.seconds);
    return [
      {
        offeredPerSecond: stream.ratePerSecond,
        answeredPerSecond: within.reduce((sum, { planned }) => sum + planned, 0) / phase.seconds,
        p99Ms: percentileMs(latencyOf(stream), 99),
      },
    ];
  });
  const isRising = steps.every(({ offeredPerSecond }, at) => {
    const before = steps[at - 1];
    return before === undefined || offeredPerSecond > before.offeredPerSecond;
  });
  if (name === undefined || steps.length < fewestSteps || steps.length < phases.length || !isRising)
    return undefined;
  const knee = profile.thresholds.find(({ kind }) => kind === "knee")?.value;
  return {
    stream: name,
    steps,
    kneePerSecond: knee === undefined || knee === 0 ? undefined : (knee * 1000 * cores) / scryptMs,
  };
}
