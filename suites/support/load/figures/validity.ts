import { decodeHistogram, percentileMs } from "./latency-histogram.ts";
import {
  latencyOf,
  type PhaseMeasurement,
  type ProfileMeasurement,
  type StreamRef,
  total,
} from "./measurement.ts";
import { isOutOfReach } from "./out-of-reach.ts";
import { type Measure, streamsOf, type Threshold, type ThresholdResult } from "./thresholds.ts";

/** The machine before and after: the time of one scrypt, ms, and how busy it was. */
export interface Calibration {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Cores that were busy while nothing was asked of the target, the worse of before and after. */
  readonly idleCores?: number;
}

/** Why a measurement says nothing about its target. */
export interface InvalidReason {
  /** `machine`: other programs, or the generator at its own limit, so that the same on a quieter machine may be valid. */
  readonly cause: "machine" | "measurement";
  readonly text: string;
}

const limits = {
  generatorCores: 0.8,
  loopLagP99Ms: 20,
  sentShare: 0.99,
  lagShareOfP99: 0.1,
  scryptDrift: 0.15,
  foreignCores: 0.2,
  clockStepMs: 50,
};

/**
 * Why a measurement says nothing about its target, and what to do: the generator or its machine did badly. Empty when it may
 * be judged.
 *
 * A generator that was late or at its own limit makes a target look slower, never faster: what passed in spite of it stands,
 * and only a missed threshold becomes void, when it is taken from the very phase and streams.
 */
export function reasonsInvalid(
  measurement: ProfileMeasurement,
  calibration: Calibration | undefined,
  thresholds: readonly Threshold[],
  results: readonly ThresholdResult[],
): InvalidReason[] {
  const phases = measurement.phases.filter(({ isWarmUp }) => !isWarmUp);
  const reasons = phases.flatMap(reasonsOfPhase);
  const missed = results.filter(({ verdict }) => verdict === "missed").map(({ id }) => id);
  const missedMeasures = thresholds
    .filter(({ id }) => missed.includes(id))
    .map((threshold) => threshold.measure);
  reasons.push(...phases.flatMap((phase) => reasonsOfLateness(phase, missedMeasures)));
  const outOfReach = thresholds
    .filter((threshold) => isOutOfReach(threshold.measure, measurement))
    .map(({ id }) => id);
  reasons.push(...phases.flatMap((phase) => reasonsOfSilence(phase, thresholds)));
  for (const { id, verdict, reason, claim } of results)
    if (verdict === "not-judged" && !outOfReach.includes(id))
      reasons.push(ofMeasurement(`not judged: ${claim}: ${reason ?? ""}; let it run longer, or to its end`));
  if (calibration?.idleCores !== undefined && calibration.idleCores > limits.foreignCores)
    reasons.push(
      ofMachine(
        `${calibration.idleCores.toFixed(2)} cores were busy while nothing was asked of the target, more than ${limits.foreignCores}; run it on a quiet machine`,
      ),
    );
  if (calibration !== undefined && usesScryptTime(thresholds)) {
    const { beforeMs, afterMs } = calibration;
    const drift = Math.abs(afterMs - beforeMs) / Math.min(afterMs, beforeMs);
    if (drift > limits.scryptDrift)
      reasons.push(
        ofMachine(
          `one scrypt took ${beforeMs.toFixed(1)} ms before and ${afterMs.toFixed(1)} ms after: the machine changed by ${percent(drift)}, more than ${percent(limits.scryptDrift)}; run it again when nothing else runs`,
        ),
      );
  }
  return reasons;
}

function usesScryptTime(thresholds: readonly Threshold[]): boolean {
  const without: readonly Measure["kind"][] = [
    "answered-share",
    "rate-ratio",
    "latency-ms",
    "rate",
    "memory-growth",
  ];
  return thresholds.some(({ measure }) => !without.includes(measure.kind));
}

function reasonsOfPhase(phase: PhaseMeasurement): InvalidReason[] {
  const { health, name } = phase;
  const reasons: InvalidReason[] = [];
  if (health.foreignCores !== undefined && health.foreignCores > limits.foreignCores)
    reasons.push(
      ofMachine(
        `${name}: other programs used ${health.foreignCores.toFixed(2)} cores, more than ${limits.foreignCores}; run it on a quiet machine`,
      ),
    );
  if (health.clockStepMs > limits.clockStepMs)
    reasons.push(
      ofMachine(`${name}: the wall clock was set by ${Math.round(health.clockStepMs)} ms; run it again`),
    );
  for (const stream of phase.streams) {
    const scheduled = total(stream, "scheduled");
    const sent = scheduled - total(stream, "dropped");
    if (stream.model === "open" && scheduled > 0 && sent / scheduled < limits.sentShare)
      reasons.push(
        ofMachine(
          `${name}/${stream.name}: ${sent} of ${scheduled} requests were sent, less than ${percent(limits.sentShare)}: what the set-up had made ran out, or too much was under way; use --shard`,
        ),
      );
    if (stream.model === "closed" && total(stream, "dropped") > 0)
      reasons.push(
        ofMeasurement(
          `${name}/${stream.name}: the set-up had made too few requests, and they ran out; run it with --short`,
        ),
      );
  }
  return reasons;
}

/** Streams that are there for their answers alone, of which none came: a race that was always turned away shows nothing. */
function reasonsOfSilence(phase: PhaseMeasurement, thresholds: readonly Threshold[]): InvalidReason[] {
  const timed = thresholds
    .flatMap(({ measure }) => streamsOf(measure))
    .filter((ref) => ref.phase === phase.name);
  return phase.streams
    .filter(({ name }) => !timed.some(({ stream }) => stream === name))
    .filter((stream) => total(stream, "sent") > 0 && total(stream, "planned") === 0)
    .map((stream) =>
      ofMeasurement(
        `${phase.name}/${stream.name}: none of ${total(stream, "sent")} requests was answered as planned, so that nothing was judged; is a limit of the target in the way?`,
      ),
    );
}

function reasonsOfLateness(phase: PhaseMeasurement, missed: readonly Measure[]): InvalidReason[] {
  const { health, name } = phase;
  const reasons: InvalidReason[] = [];
  const isIn = (ref: StreamRef): boolean => ref.phase === name;
  if (
    health.generatorCores > limits.generatorCores &&
    missed.some((measure) => streamsOf(measure).some(isIn))
  )
    reasons.push(
      ofMachine(
        `${name}: the generator used ${health.generatorCores.toFixed(2)} cores, more than ${limits.generatorCores}: it may have been the limit; use --shard`,
      ),
    );
  if (health.loopLagP99Ms > limits.loopLagP99Ms && missed.some((measure) => streamsOf(measure).some(isIn)))
    reasons.push(
      ofMachine(
        `${name}: the generator's event loop was late by ${health.loopLagP99Ms.toFixed(0)} ms (p99), more than ${limits.loopLagP99Ms}; run it on a quiet machine`,
      ),
    );
  const timed = missed.filter(isOfLatency).flatMap(streamsOf).filter(isIn);
  for (const stream of phase.streams) {
    if (!timed.some((ref) => ref.stream === stream.name)) continue;
    const lagMs = percentileMs(decodeHistogram(stream.sendLag ?? ""), 99);
    const p99Ms = percentileMs(latencyOf(stream), 99);
    if (lagMs !== undefined && p99Ms !== undefined && lagMs > limits.lagShareOfP99 * p99Ms)
      reasons.push(
        ofMachine(
          `${name}/${stream.name}: requests went out ${lagMs.toFixed(1)} ms late (p99), more than ${percent(limits.lagShareOfP99)} of the p99 of ${p99Ms.toFixed(1)} ms; run it on a quiet machine`,
        ),
      );
  }
  return reasons;
}

function isOfLatency({ kind }: Measure): boolean {
  return !["efficiency", "answered-share", "rate", "rate-ratio", "memory-growth"].includes(kind);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function ofMachine(text: string): InvalidReason {
  return { cause: "machine", text };
}

function ofMeasurement(text: string): InvalidReason {
  return { cause: "measurement", text };
}
