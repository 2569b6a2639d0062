import { percentileMs } from "./latency-histogram.ts";
import {
  findStream,
  latencyOf,
  plannedPerSecond,
  type ProfileMeasurement,
  type Row,
  type StreamRef,
  total,
} from "./measurement.ts";
import { slopeOfP99, slopeOfMemory } from "./slope.ts";

/** The units of thresholds, which make them comparable across machines. */
export interface Units {
  /** S: the time of one scrypt evaluation on one core of the target, in ms. */
  readonly scryptMs: number;
  /** C: the number of cores of the target. */
  readonly cores: number;
}

/** What a threshold measures. A response counts when its status is expected. */
export type Measure =
  /** Responses per second × scrypts per request × S / C: the share of the target's CPU time spent on scrypt. */
  | { readonly kind: "efficiency"; readonly at: StreamRef }
  /** A latency percentile, in units of S. */
  | { readonly kind: "latency-in-scrypts"; readonly at: StreamRef; readonly percentile: number }
  /** Responses / sent requests. Shed, unexpected and failed ones lower it. */
  | { readonly kind: "answered-share"; readonly at: StreamRef }
  /** The response rate of one stream relative to that of another. */
  | { readonly kind: "rate-ratio"; readonly of: StreamRef; readonly to: StreamRef }
  /** The time until p99 falls to twice its value before the spike, relative to the time that the backlog needs. */
  | {
      readonly kind: "recovery";
      readonly before: StreamRef;
      readonly spike: StreamRef;
      readonly after: StreamRef;
    }
  /** The highest offered rate, as a share of capacity, with a p99 of at most 10 S and losses of at most 1 %. */
  | { readonly kind: "knee"; readonly steps: readonly StreamRef[] }
  /** Lower bound of the 95 % confidence interval of the growth per hour, relative to the median. */
  | { readonly kind: "p99-growth"; readonly at: StreamRef }
  | { readonly kind: "memory-growth"; readonly phase: string }
  /** Absolute limits, used only by the target's profile. */
  | { readonly kind: "latency-ms"; readonly at: StreamRef; readonly percentile: number }
  | { readonly kind: "rate"; readonly at: StreamRef };

/** The streams that a measure reads. */
export function streamsOf(measure: Measure): readonly StreamRef[] {
  switch (measure.kind) {
    case "efficiency":
    case "latency-in-scrypts":
    case "latency-ms":
    case "answered-share":
    case "rate":
    case "p99-growth":
      return [measure.at];
    case "rate-ratio":
      return [measure.of, measure.to];
    case "recovery":
      return [measure.before, measure.spike, measure.after];
    case "knee":
      return measure.steps;
    case "memory-growth":
      return [];
  }
}

export interface Threshold {
  /** Unique in its profile, and permanent. */
  readonly id: string;
  /** What must hold, as one sentence. */
  readonly claim: string;
  readonly measure: Measure;
  readonly bound: "at-least" | "at-most";
  readonly pass: number;
  /** A value between `pass` and `warn` is a warning. */
  readonly warn?: number;
  /** At most a warning, because the document does not require it. */
  readonly isAdvisory?: true;
}

export type ThresholdVerdict = "pass" | "warn" | "missed" | "not-judged";

export interface ThresholdResult {
  readonly id: string;
  readonly claim: string;
  /** Determines the unit of the value. */
  readonly kind: Measure["kind"];
  readonly bound: "at-least" | "at-most";
  readonly limit: number;
  readonly verdict: ThresholdVerdict;
  readonly value?: number;
  /** Why it was not judged. */
  readonly reason?: string;
}

// With 1,000 samples, ten are above the p99.
export const samplesForP99 = 1000;
const samplesForMedian = 100;

export function judgeThreshold(
  threshold: Threshold,
  measurement: ProfileMeasurement,
  units: Units,
): ThresholdResult {
  const { id, claim, bound, pass } = threshold;
  const common = { id, claim, kind: threshold.measure.kind, bound, limit: pass };
  const value = measure(threshold.measure, measurement, units);
  if (typeof value !== "number")
    return {
      ...common,
      verdict: value.isMissed && !threshold.isAdvisory ? "missed" : "not-judged",
      reason: value.reason,
    };
  return { ...common, value, verdict: verdictOf(threshold, value) };
}

function verdictOf({ bound, pass, warn, isAdvisory }: Threshold, value: number): ThresholdVerdict {
  const holds = (limit: number): boolean => (bound === "at-least" ? value >= limit : value <= limit);
  if (holds(pass)) return "pass";
  return isAdvisory || (warn !== undefined && holds(warn)) ? "warn" : "missed";
}

interface Unmeasured {
  readonly reason: string;
  /** There is no value because no request succeeded. */
  readonly isMissed?: true;
}

/**
 * @param readLatency - lets the bootstrap cache decoded histograms
 * @returns the value, or why there is none
 */
export function measure(
  what: Measure,
  measurement: ProfileMeasurement,
  units: Units,
  readLatency = latencyOf,
): number | Unmeasured {
  const { scryptMs, cores } = units;
  switch (what.kind) {
    case "efficiency": {
      const found = findStream(measurement, what.at);
      if (found === undefined) return notReached(what.at);
      const rate = plannedPerSecond(found.stream, found.phase.seconds) * found.stream.scryptsPerRequest;
      return (rate * scryptMs) / (1000 * cores);
    }
    case "latency-in-scrypts": {
      const latency = latencyMs(measurement, what.at, what.percentile, readLatency);
      return typeof latency === "number" ? latency / scryptMs : latency;
    }
    case "latency-ms":
      return latencyMs(measurement, what.at, what.percentile, readLatency);
    case "rate": {
      const found = findStream(measurement, what.at);
      return found === undefined ? notReached(what.at) : plannedPerSecond(found.stream, found.phase.seconds);
    }
    case "answered-share": {
      const found = findStream(measurement, what.at);
      if (found === undefined) return notReached(what.at);
      const sent = total(found.stream, "sent");
      return sent === 0
        ? { reason: `${what.at.stream} in ${what.at.phase} sent no requests` }
        : total(found.stream, "planned") / sent;
    }
    case "rate-ratio": {
      const [of, to] = [findStream(measurement, what.of), findStream(measurement, what.to)];
      if (of === undefined) return notReached(what.of);
      if (to === undefined) return notReached(what.to);
      const rate = plannedPerSecond(to.stream, to.phase.seconds);
      if (rate === 0)
        return { reason: `${what.to.stream} in ${what.to.phase} has no responses to compare with` };
      return plannedPerSecond(of.stream, of.phase.seconds) / rate;
    }
    case "recovery":
      return recovery(what, measurement, units);
    case "knee":
      return knee(what.steps, measurement, units);
    case "p99-growth": {
      const found = findStream(measurement, what.at);
      return found === undefined ? notReached(what.at) : slopeOfP99(found.stream.rows);
    }
    case "memory-growth": {
      const phase = measurement.phases.find(({ name }) => name === what.phase);
      return phase === undefined
        ? notReached({ phase: what.phase, stream: "memory" })
        : slopeOfMemory(phase.health.targetMiB);
    }
  }
}

function notReached({ phase, stream }: StreamRef): Unmeasured {
  return { reason: `the run ended before ${stream} in ${phase}` };
}

function latencyMs(
  measurement: ProfileMeasurement,
  at: StreamRef,
  percentile: number,
  readLatency: typeof latencyOf,
): number | Unmeasured {
  const found = findStream(measurement, at);
  if (found === undefined) return notReached(at);
  const latency = readLatency(found.stream);
  const needed = percentile > 50 ? samplesForP99 : samplesForMedian;
  // If enough requests were sent, too few responses are the target's fault and the threshold is judged.
  if (latency.totalCount < needed && total(found.stream, "sent") < needed) {
    return {
      reason: `${at.stream} in ${at.phase} has ${latency.totalCount} responses; p${percentile} needs ${needed}`,
    };
  }
  return (
    percentileMs(latency, percentile) ?? {
      reason: `none of ${total(found.stream, "sent")} requests of ${at.stream} in ${at.phase} got an expected response`,
      isMissed: true,
    }
  );
}

const recoveredFactor = 2;

function recovery(
  { before, spike, after }: { before: StreamRef; spike: StreamRef; after: StreamRef },
  measurement: ProfileMeasurement,
  { scryptMs, cores }: Units,
): number | Unmeasured {
  const [foundBefore, foundSpike, foundAfter] = [before, spike, after].map((ref) =>
    findStream(measurement, ref),
  );
  if (foundBefore === undefined) return notReached(before);
  if (foundSpike === undefined) return notReached(spike);
  if (foundAfter === undefined) return notReached(after);
  const p99BeforeMs = percentileMs(latencyOf(foundBefore.stream), 99);
  if (p99BeforeMs === undefined) return { reason: `${before.stream} in ${before.phase} has no responses` };
  // A p99 below S before the spike would be an artefact of few samples.
  const limitMs = recoveredFactor * Math.max(p99BeforeMs, scryptMs);
  // Rows after the spike's last second hold the responses to its backlog; the next phase starts only after these.
  const late = foundSpike.stream.rows.filter(
    (row) => row.second >= foundSpike.phase.seconds && completed(row) > 0,
  );
  const drainSeconds = (late.at(-1)?.second ?? foundSpike.phase.seconds - 1) + 1 - foundSpike.phase.seconds;
  const lastSlow = foundAfter.stream.rows.findLast(
    (row) => row.second < foundAfter.phase.seconds && isSlow(row, limitMs),
  );
  const backlog = late.reduce((sum, { planned, shed }) => sum + planned + shed, 0);
  const capacityPerSecond = (1000 * cores) / scryptMs;
  const backlogSeconds = (backlog * foundSpike.stream.scryptsPerRequest) / capacityPerSecond;
  return (drainSeconds + (lastSlow === undefined ? 0 : lastSlow.second + 1)) / Math.max(1, backlogSeconds);
}

/** Whether more than 1 % of requests did not succeed, or p99 exceeds the limit. */
function isSlow(row: Row, limitMs: number): boolean {
  if (completed(row) - row.planned > completed(row) / 100) return true;
  return (percentileMs(latencyOf({ rows: [row] }), 99) ?? 0) > limitMs;
}

function completed({ planned, shed, unplanned, failed }: Row): number {
  return planned + shed + unplanned + failed;
}

const maxKneeP99InScrypts = 10;
const maxKneeLoss = 0.01;

function knee(
  steps: readonly StreamRef[],
  measurement: ProfileMeasurement,
  units: Units,
): number | Unmeasured {
  let knee = 0;
  for (const ref of steps) {
    const found = findStream(measurement, ref);
    if (found === undefined) return notReached(ref);
    const { stream } = found;
    const p99 = percentileMs(latencyOf(stream), 99);
    const losses = total(stream, "shed") + total(stream, "unplanned") + total(stream, "failed");
    const keepsUp =
      p99 !== undefined &&
      p99 <= maxKneeP99InScrypts * units.scryptMs &&
      losses <= maxKneeLoss * total(stream, "scheduled");
    if (!keepsUp) break;
    knee = ((stream.ratePerSecond ?? 0) * units.scryptMs) / (1000 * units.cores);
  }
  return knee;
}
