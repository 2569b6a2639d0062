import {
  decodeHistogram,
  type LatencyHistogram,
  toSparse,
  type SparseHistogram,
  mergeSparse,
} from "./latency-histogram.ts";
import type { PhaseMeasurement, ProfileMeasurement, Row, StreamMeasurement } from "./measurement.ts";
import { type Measure, measure, type Units } from "./thresholds.ts";

export interface BootstrapOptions {
  readonly resamples?: number;
  /** The same seed gives the same interval. */
  readonly seed?: number;
}

const defaultSeed = 0x5eed;
const minSeconds = 2;

/**
 * 95 % bootstrap confidence interval of a measured value. Resamples whole seconds with replacement, the same ones for all
 * streams of a phase because their latencies are correlated.
 *
 * @returns undefined for a measure that depends on the order of the seconds, and when there are too few samples
 */
export function bootstrapInterval(
  what: Measure,
  measurement: ProfileMeasurement,
  units: Units,
  { resamples = 200, seed = defaultSeed }: BootstrapOptions = {},
): readonly [number, number] | undefined {
  const names = resampledPhases(what);
  if (names === undefined) return undefined;
  const phases = measurement.phases.filter(({ name }) => names.includes(name));
  if (phases.some(({ seconds }) => seconds < minSeconds)) return undefined;
  const readLatency = createCachedLatencyReader();
  const random = seededRandom(seed);
  const values: number[] = [];
  for (let round = 0; round < resamples; round += 1) {
    const resampled = { ...measurement, phases: phases.map((phase) => resample(phase, random)) };
    const value = measure(what, resampled, units, readLatency);
    // A resample may have too few responses for the measure.
    if (typeof value === "number") values.push(value);
  }
  if (values.length < resamples / 2) return undefined;
  values.sort((a, b) => a - b);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? 0;
  return [at(0.025), at(0.975)];
}

function resampledPhases(what: Measure): readonly string[] | undefined {
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
  const within = resampleSeconds(0, Math.ceil(phase.seconds), random);
  // Responses after the end of the phase count towards latency but not towards the rate, so they are resampled separately.
  const later = resampleSeconds(Math.ceil(phase.seconds), last + 1, random);
  const seconds = [...within, ...later];
  return { ...phase, streams: phase.streams.map((stream) => withSeconds(stream, seconds)) };
}

/** Draws `end - begin` seconds from [begin, end) with replacement. */
function resampleSeconds(begin: number, end: number, random: () => number): number[] {
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

function createCachedLatencyReader(): (stream: Pick<StreamMeasurement, "rows">) => LatencyHistogram {
  const decoded = new Map<string, SparseHistogram>();
  function read(text: string): SparseHistogram {
    const known = decoded.get(text) ?? toSparse(decodeHistogram(text));
    decoded.set(text, known);
    return known;
  }
  return ({ rows }) => mergeSparse(rows.map(({ latency }) => read(latency)));
}

/** mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
