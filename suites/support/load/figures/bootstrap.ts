import {
  decodeHistogram,
  type LatencyHistogram,
  sparse,
  type SparseHistogram,
  sumOfSparse,
} from "./latency-histogram.ts";
import type { PhaseMeasurement, ProfileMeasurement, Row, StreamMeasurement } from "./measurement.ts";
import { type Measure, measure, type Units } from "./thresholds.ts";

export interface BootstrapOptions {
  readonly resamples?: number;
  /** The same seed gives the same interval. */
  readonly seed?: number;
}

const usualSeed = 0x5eed;
const fewestSeconds = 2;

/**
 * 95 % interval of a figure: what it would have been, had the seconds of its phases come in other numbers. Whole seconds are
 * drawn with replacement, the same ones for all streams of a phase, since what slows one slows the others.
 *
 * @returns undefined for a figure that rests on the order of the seconds or on single steps, and when there is no figure
 */
export function bootstrapInterval(
  what: Measure,
  measurement: ProfileMeasurement,
  units: Units,
  { resamples = 200, seed = usualSeed }: BootstrapOptions = {},
): readonly [number, number] | undefined {
  const names = phasesDrawnFrom(what);
  if (names === undefined) return undefined;
  const phases = measurement.phases.filter(({ name }) => names.includes(name));
  if (phases.some(({ seconds }) => seconds < fewestSeconds)) return undefined;
  const readLatency = createLatencyReader();
  const random = seededRandom(seed);
  const figures: number[] = [];
  for (let round = 0; round < resamples; round += 1) {
    const drawn = { ...measurement, phases: phases.map((phase) => resample(phase, random)) };
    const figure = measure(what, drawn, units, readLatency);
    // A draw may fall below the fewest samples that the figure needs; it then says nothing.
    if (typeof figure === "number") figures.push(figure);
  }
  if (figures.length < resamples / 2) return undefined;
  figures.sort((a, b) => a - b);
  const at = (share: number): number => figures[Math.round(share * (figures.length - 1))] ?? 0;
  return [at(0.025), at(0.975)];
}

function phasesDrawnFrom(what: Measure): readonly string[] | undefined {
  switch (what.kind) {
    case "efficiency":
    case "latency-in-scrypts":
    case "latency-ms":
    case "answered-share":
    case "rate":
      return [what.at.phase];
    case "rate-ratio":
      return [what.of.phase, what.to.phase];
    case "recovery":
    case "knee":
    case "p99-growth":
    case "memory-growth":
      return undefined;
  }
}

function resample(phase: PhaseMeasurement, random: () => number): PhaseMeasurement {
  const last = Math.max(-1, ...phase.streams.map(({ rows }) => rows.at(-1)?.second ?? -1));
  const within = drawnSeconds(0, Math.ceil(phase.seconds), random);
  // What came after the phase's end counts into latencies and not into rates, and must stay there.
  const later = drawnSeconds(Math.ceil(phase.seconds), last + 1, random);
  const seconds = [...within, ...later];
  return { ...phase, streams: phase.streams.map((stream) => withSeconds(stream, seconds)) };
}

/** As many as there are from `begin` to before `end`, out of these, with replacement. */
function drawnSeconds(begin: number, end: number, random: () => number): number[] {
  const count = Math.max(0, end - begin);
  return Array.from({ length: count }, () => begin + Math.floor(random() * count));
}

function withSeconds(stream: StreamMeasurement, seconds: readonly number[]): StreamMeasurement {
  const bySecond = new Map(stream.rows.map((row) => [row.second, row]));
  const rows = seconds.flatMap((drawn, second): Row[] => {
    const row = bySecond.get(drawn);
    return row === undefined ? [] : [{ ...row, second }];
  });
  return { ...stream, rows };
}

function createLatencyReader(): (stream: Pick<StreamMeasurement, "rows">) => LatencyHistogram {
  const decoded = new Map<string, SparseHistogram>();
  function read(text: string): SparseHistogram {
    const known = decoded.get(text) ?? sparse(decodeHistogram(text));
    decoded.set(text, known);
    return known;
  }
  return ({ rows }) => sumOfSparse(rows.map(({ latency }) => read(latency)));
}

/** mulberry32: 32 bits of state are plenty for a few thousand draws. */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
