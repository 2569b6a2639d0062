import type { LoadProfileRun, LoadRun, LoadStream } from "../load-format.ts";
import { latencyOf, percentileCurve, percentileMs, samplesForP99 } from "./latency.ts";
import { measuredPhases } from "./stream-stats.ts";

export type Point = readonly [x: number, y: number];

/** `y` is undefined in a gap. */
export type GapPoint = readonly [x: number, y: number | undefined];

export interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Latency in ms over 1 / (1 - percentile), for each stream with responses in each measured phase. */
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
  /** The phases, in seconds since the start of the first one. */
  readonly bands: readonly { name: string; from: number; to: number; isWarmUp: boolean }[];
  /** By name, across all phases. */
  readonly streams: readonly {
    name: string;
    /** Responses with an expected status per second. For closed-loop streams only within the phase. */
    perSecond: readonly GapPoint[];
    p99Ms: readonly GapPoint[];
  }[];
  /** All streams, per second. */
  readonly responses: readonly {
    second: number;
    planned: number;
    shed: number;
    unplanned: number;
    failed: number;
  }[];
}

/** Values per second. Each point is in the middle of its second. */
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
      const segments = phases.flatMap((phase) => {
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
          segments.map((rows) =>
            rows.filter(({ isRate }) => isRate).map(({ at, row }) => [at, row.planned] as const),
          ),
        ),
        p99Ms: withGaps(
          segments.map((rows) =>
            rows.map(({ at, row }) => [at, percentileMs(latencyOf({ rows: [row] }), 99)] as const),
          ),
        ),
      };
    }),
    responses: phases.flatMap((phase) => responsesPerSecond(phase.streams, startOf(phase.startedAt))),
  };
}

/** Joins the segments of a line, with a gap between them. */
function withGaps(segments: readonly (readonly GapPoint[])[]): GapPoint[] {
  return segments.flatMap((segment, at) => {
    const [first] = segment;
    return at === 0 || first === undefined
      ? [...segment]
      : [[first[0] - 0.5, undefined] as const, ...segment];
  });
}

function responsesPerSecond(streams: readonly LoadStream[], start: number): Timeline["responses"] {
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

export interface CheapUnderLoad {
  readonly phases: readonly string[];
  readonly streams: readonly {
    name: string;
    /** p99 in each phase in units of S; undefined without responses. */
    p99InScrypts: readonly (number | undefined)[];
  }[];
  /** Whether a p99 has too few responses. */
  readonly isUnreliable: boolean;
  /** The strictest latency threshold. */
  readonly limit: number | undefined;
}

/** Streams without scrypt that ran both with and without scrypt load; undefined if there are none. */
export function cheapUnderScryptLoad(
  profile: LoadProfileRun,
  units: LoadRun["units"],
): CheapUnderLoad | undefined {
  const phases = measuredPhases(profile.phases);
  const isBusy = phases.map(({ streams }) => streams.some(isExpensive));
  const cheap = [
    ...new Set(
      phases.flatMap(({ streams }) => streams.filter((it) => !isExpensive(it)).map(({ name }) => name)),
    ),
  ].filter((name) => {
    const busyWhilePresent = phases.map(({ streams }, at) =>
      streams.some((it) => it.name === name) ? isBusy[at] : undefined,
    );
    return busyWhilePresent.includes(true) && busyWhilePresent.includes(false);
  });
  if (cheap.length === 0) return undefined;
  let isUnreliable = false;
  const streams = cheap.map((name) => ({
    name,
    p99InScrypts: phases.map((phase) => {
      const stream = phase.streams.find((it) => it.name === name);
      if (stream === undefined) return undefined;
      const latency = latencyOf(stream);
      if (latency.totalCount > 0 && latency.totalCount < samplesForP99) isUnreliable = true;
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
    isUnreliable,
    limit: limits.length === 0 ? undefined : Math.min(...limits),
  };
}

function isExpensive({ scryptsPerRequest }: LoadStream): boolean {
  return scryptsPerRequest > 0;
}

export interface Ramp {
  readonly stream: string;
  readonly steps: readonly {
    offeredPerSecond: number;
    respondedPerSecond: number;
    p99Ms: number | undefined;
  }[];
  /** The highest sustained rate, from the threshold. */
  readonly kneePerSecond: number | undefined;
}

const minSteps = 3;

/** One stream with an offered rate that increases in every phase; undefined for other profiles. */
export function rampOf(profile: LoadProfileRun, { scryptMs, cores }: LoadRun["units"]): Ramp | undefined {
  const phases = measuredPhases(profile.phases);
  const [name] = phases.map(({ streams: [stream] }) => stream?.name);
  const steps = phases.flatMap((phase) => {
    const stream = phase.streams.find((it) => it.name === name);
    if (stream?.ratePerSecond === undefined) return [];
    const within = stream.rows.filter(({ second }) => second < phase.seconds);
    return [
      {
        offeredPerSecond: stream.ratePerSecond,
        respondedPerSecond: within.reduce((sum, { planned }) => sum + planned, 0) / phase.seconds,
        p99Ms: percentileMs(latencyOf(stream), 99),
      },
    ];
  });
  const isRising = steps.every(({ offeredPerSecond }, at) => {
    const before = steps[at - 1];
    return before === undefined || offeredPerSecond > before.offeredPerSecond;
  });
  if (name === undefined || steps.length < minSteps || steps.length < phases.length || !isRising)
    return undefined;
  const knee = profile.thresholds.find(({ kind }) => kind === "knee")?.value;
  return {
    stream: name,
    steps,
    kneePerSecond: knee === undefined || knee === 0 ? undefined : (knee * 1000 * cores) / scryptMs,
  };
}
