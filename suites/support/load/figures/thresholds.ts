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

/** What figures are expressed in, so that they mean the same on another machine. */
export interface Units {
  /** S: one scrypt evaluation on one core of the target, ms. */
  readonly scryptMs: number;
  /** C: cores of the target. */
  readonly cores: number;
}

/** How a figure is made from a measurement. */
export type Measure =
  /** Planned answers a second × scrypts each × S / C: the share of the target's cores that went into scrypt. */
  | { readonly kind: "efficiency"; readonly at: StreamRef }
  /** A latency percentile, in units of S. */
  | { readonly kind: "latency-in-scrypts"; readonly at: StreamRef; readonly percentile: number }
  /** Planned answers for each request that was sent: what was shed, wrong or lost lowers it. */
  | { readonly kind: "answered-share"; readonly at: StreamRef }
  /** Planned answers a second of one stream for each of another. */
  | { readonly kind: "rate-ratio"; readonly of: StreamRef; readonly to: StreamRef }
  /** Seconds until p99 after a spike is back to twice that before it, for each second that the backlog needs by itself. */
  | {
      readonly kind: "recovery";
      readonly before: StreamRef;
      readonly spike: StreamRef;
      readonly after: StreamRef;
    }
  /** The highest step of a ladder, as a share of capacity, whose p99 stayed within 10 S and whose losses within 1 %. */
  | { readonly kind: "knee"; readonly steps: readonly StreamRef[] }
  /** Lower end of the 95 % confidence interval of the growth an hour, as a share of the median. */
  | { readonly kind: "p99-growth"; readonly at: StreamRef }
  | { readonly kind: "memory-growth"; readonly phase: string }
  /** For absolute limits, which only a user's profile asks for. */
  | { readonly kind: "latency-ms"; readonly at: StreamRef; readonly percentile: number }
  | { readonly kind: "rate"; readonly at: StreamRef };

/** The streams that a figure is taken from. */
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
  /** Unique in its profile. */
  readonly id: string;
  /** What must hold, in words. */
  readonly claim: string;
  readonly measure: Measure;
  readonly bound: "at-least" | "at-most";
  readonly pass: number;
  /** Between `pass` and this it is a warning; without it there is no middle. */
  readonly warn?: number;
  /** It never fails a run: the document does not ask for it. */
  readonly isAdvice?: true;
}

export type ThresholdVerdict = "pass" | "warn" | "missed" | "not-judged";

export interface ThresholdResult {
  readonly id: string;
  readonly claim: string;
  /** What the figure is, and so its unit. */
  readonly kind: Measure["kind"];
  readonly bound: "at-least" | "at-most";
  readonly limit: number;
  readonly verdict: ThresholdVerdict;
  readonly value?: number;
  /** Why it was not judged. */
  readonly reason?: string;
}

// Fewer, and the 99th percentile is a matter of ten requests.
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
      // An advice cannot be missed, and what nobody saw is no warning either.
      verdict: value.isMissed && !threshold.isAdvice ? "missed" : "not-judged",
      reason: value.reason,
    };
  return { ...common, value, verdict: verdictOf(threshold, value) };
}

function verdictOf({ bound, pass, warn, isAdvice }: Threshold, value: number): ThresholdVerdict {
  const holds = (limit: number): boolean => (bound === "at-least" ? value >= limit : value <= limit);
  if (holds(pass)) return "pass";
  return isAdvice || (warn !== undefined && holds(warn)) ? "warn" : "missed";
}

interface Unmeasured {
  readonly reason: string;
  /** There is no figure because the target did so badly. */
  readonly isMissed?: true;
}

/**
 * @param readLatency - for a caller that takes the same figure hundreds of times and keeps what it decoded
 * @returns the figure, or why there is none
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
        ? { reason: `nothing was sent by ${what.at.stream} in ${what.at.phase}` }
        : total(found.stream, "planned") / sent;
    }
    case "rate-ratio": {
      const [of, to] = [findStream(measurement, what.of), findStream(measurement, what.to)];
      if (of === undefined) return notReached(what.of);
      if (to === undefined) return notReached(what.to);
      const rate = plannedPerSecond(to.stream, to.phase.seconds);
      if (rate === 0)
        return { reason: `${what.to.stream} in ${what.to.phase} had no answer to compare with` };
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
  // Enough were sent: that few were answered is the target's doing, and no reason to leave it unjudged.
  if (latency.totalCount < needed && total(found.stream, "sent") < needed) {
    return {
      reason: `${at.stream} in ${at.phase} has ${latency.totalCount} answers; p${percentile} needs ${needed}`,
    };
  }
  return (
    percentileMs(latency, percentile) ?? {
      reason: `none of ${total(found.stream, "sent")} requests of ${at.stream} in ${at.phase} was answered as planned`,
      isMissed: true,
    }
  );
}

const toleratedFactor = 2;

function recovery(
  { before, spike, after }: { before: StreamRef; spike: StreamRef; after: StreamRef },
  measurement: ProfileMeasurement,
  { scryptMs, cores }: Units,
): number | Unmeasured {
  const [calm, storm, calmAgain] = [before, spike, after].map((ref) => findStream(measurement, ref));
  if (calm === undefined) return notReached(before);
  if (storm === undefined) return notReached(spike);
  if (calmAgain === undefined) return notReached(after);
  const usualMs = percentileMs(latencyOf(calm.stream), 99);
  if (usualMs === undefined) return { reason: `${before.stream} in ${before.phase} had no answers` };
  // A target that was quicker than scrypt before had luck with few samples.
  const limitMs = toleratedFactor * Math.max(usualMs, scryptMs);
  // What is still under way when the spike ends is answered in rows after its last second, and only then does the calm begin.
  const late = storm.stream.rows.filter((row) => row.second >= storm.phase.seconds && endedIn(row) > 0);
  const drainSeconds = (late.at(-1)?.second ?? storm.phase.seconds - 1) + 1 - storm.phase.seconds;
  const lastBad = calmAgain.stream.rows.findLast(
    (row) => row.second < calmAgain.phase.seconds && isSlow(row, limitMs),
  );
  const backlog = late.reduce((sum, { planned, shed }) => sum + planned + shed, 0);
  const capacityPerSecond = (1000 * cores) / scryptMs;
  const backlogSeconds = (backlog * storm.stream.scryptsPerRequest) / capacityPerSecond;
  return (drainSeconds + (lastBad === undefined ? 0 : lastBad.second + 1)) / Math.max(1, backlogSeconds);
}

/** Whether one in a hundred was not answered, or answered later than this. */
function isSlow(row: Row, limitMs: number): boolean {
  if (endedIn(row) - row.planned > endedIn(row) / 100) return true;
  return (percentileMs(latencyOf({ rows: [row] }), 99) ?? 0) > limitMs;
}

function endedIn({ planned, shed, unplanned, failed }: Row): number {
  return planned + shed + unplanned + failed;
}

const kneeP99InScrypts = 10;
const kneeLoss = 0.01;

function knee(
  steps: readonly StreamRef[],
  measurement: ProfileMeasurement,
  units: Units,
): number | Unmeasured {
  let best = 0;
  for (const ref of steps) {
    const found = findStream(measurement, ref);
    if (found === undefined) return notReached(ref);
    const { stream } = found;
    const p99 = percentileMs(latencyOf(stream), 99);
    const lost = total(stream, "shed") + total(stream, "unplanned") + total(stream, "failed");
    const isHeld =
      p99 !== undefined &&
      p99 <= kneeP99InScrypts * units.scryptMs &&
      lost <= kneeLoss * total(stream, "scheduled");
    if (!isHeld) break;
    best = ((stream.ratePerSecond ?? 0) * units.scryptMs) / (1000 * units.cores);
  }
  return best;
}
