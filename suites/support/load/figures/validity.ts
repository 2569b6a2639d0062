import { decodeHistogram, percentileMs } from "./latency-histogram.ts";
import {
  latencyOf,
  type PhaseMeasurement,
  type ProfileMeasurement,
  type StreamRef,
  total,
} from "./measurement.ts";
import { isUnmeasurable } from "./unmeasurable.ts";
import { type Measure, streamsOf, type Threshold, type ThresholdResult } from "./thresholds.ts";

/** S in ms and the CPU usage of the machine, before and after a profile. */
export interface Calibration {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Busy cores while the target was idle: the larger value of before and after. */
  readonly idleCores?: number;
}

/** Why a measurement is invalid. */
export interface InvalidReason {
  /**
   * `machine`: noise from other programs, or a saturated generator; a retry on a quiet machine may succeed.
   * `not-judged`: one threshold could not be judged; what the others say stands.
   */
  readonly cause: "machine" | "measurement" | "not-judged";
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
 * Why a measurement is invalid, and what to do about it. Empty when it is valid.
 *
 * A late or saturated generator makes the target look slower, never faster. Passed thresholds therefore stand, and lateness
 * matters only for missed thresholds on the affected phase and streams.
 */
export function reasonsInvalid(
  measurement: ProfileMeasurement,
  calibration: Calibration | undefined,
  thresholds: readonly Threshold[],
  results: readonly ThresholdResult[],
): InvalidReason[] {
  const phases = measurement.phases.filter(({ isWarmUp }) => !isWarmUp);
  const reasons = phases.flatMap(phaseReasons);
  const missed = results.filter(({ verdict }) => verdict === "missed").map(({ id }) => id);
  const missedMeasures = thresholds
    .filter(({ id }) => missed.includes(id))
    .map((threshold) => threshold.measure);
  reasons.push(...phases.flatMap((phase) => latenessReasons(phase, missedMeasures)));
  const unmeasurable = thresholds
    .filter((threshold) => isUnmeasurable(threshold.measure, measurement))
    .map(({ id }) => id);
  reasons.push(...phases.flatMap((phase) => unansweredStreamReasons(phase, thresholds)));
  for (const { id, verdict, reason, claim } of results)
    if (verdict === "not-judged" && !unmeasurable.includes(id))
      reasons.push({
        cause: "not-judged",
        text: `not judged: ${claim} ${reason ?? ""}; run it longer, or do not interrupt it`,
      });
  if (calibration?.idleCores !== undefined && calibration.idleCores > limits.foreignCores)
    reasons.push(
      machineReason(
        `${calibration.idleCores.toFixed(2)} cores were busy while the target was idle (limit ${limits.foreignCores}); run it on a quiet machine`,
      ),
    );
  if (calibration !== undefined && usesScryptTime(thresholds)) {
    const { beforeMs, afterMs } = calibration;
    const drift = Math.abs(afterMs - beforeMs) / Math.min(afterMs, beforeMs);
    if (drift > limits.scryptDrift)
      reasons.push(
        machineReason(
          `S was ${beforeMs.toFixed(1)} ms before and ${afterMs.toFixed(1)} ms after the profile: a drift of ${percent(drift)} (limit ${percent(limits.scryptDrift)}); run it on a quiet machine`,
        ),
      );
  }
  return reasons;
}

function usesScryptTime(thresholds: readonly Threshold[]): boolean {
  const independentKinds: readonly Measure["kind"][] = [
    "answered-share",
    "rate-ratio",
    "latency-ms",
    "rate",
    "memory-growth",
  ];
  return thresholds.some(({ measure }) => !independentKinds.includes(measure.kind));
}

function phaseReasons(phase: PhaseMeasurement): InvalidReason[] {
  const { health, name } = phase;
  const reasons: InvalidReason[] = [];
  if (health.foreignCores !== undefined && health.foreignCores > limits.foreignCores)
    reasons.push(
      machineReason(
        `${name}: other programs used ${health.foreignCores.toFixed(2)} cores (limit ${limits.foreignCores}); run it on a quiet machine`,
      ),
    );
  if (health.clockStepMs > limits.clockStepMs)
    reasons.push(
      machineReason(
        `${name}: the wall clock was adjusted by ${Math.round(health.clockStepMs)} ms; run it again`,
      ),
    );
  for (const stream of phase.streams) {
    const scheduled = total(stream, "scheduled");
    const sent = scheduled - total(stream, "dropped");
    if (stream.model === "open" && scheduled > 0 && sent / scheduled < limits.sentShare)
      reasons.push(
        machineReason(
          `${name}/${stream.name}: only ${sent} of ${scheduled} scheduled requests were sent (limit ${percent(limits.sentShare)}): the prepared requests ran out, or too many were in flight; use --shard`,
        ),
      );
    if (stream.model === "closed" && total(stream, "dropped") > 0)
      reasons.push(
        measurementReason(`${name}/${stream.name}: the prepared requests ran out; run it with --short`),
      );
  }
  return reasons;
}

/** A stream without a threshold exists for its invariants; if every response was shed, they were not checked. */
function unansweredStreamReasons(phase: PhaseMeasurement, thresholds: readonly Threshold[]): InvalidReason[] {
  const timed = thresholds
    .flatMap(({ measure }) => streamsOf(measure))
    .filter((ref) => ref.phase === phase.name);
  return phase.streams
    .filter(({ name }) => !timed.some(({ stream }) => stream === name))
    .filter((stream) => total(stream, "sent") > 0 && total(stream, "planned") === 0)
    .map((stream) =>
      measurementReason(
        `${phase.name}/${stream.name}: none of ${total(stream, "sent")} requests got an expected response, so nothing was judged; check the target's rate limits`,
      ),
    );
}

function latenessReasons(phase: PhaseMeasurement, missed: readonly Measure[]): InvalidReason[] {
  const { health, name } = phase;
  const reasons: InvalidReason[] = [];
  const isInPhase = (ref: StreamRef): boolean => ref.phase === name;
  if (
    health.generatorCores > limits.generatorCores &&
    missed.some((measure) => streamsOf(measure).some(isInPhase))
  )
    reasons.push(
      machineReason(
        `${name}: the generator used ${health.generatorCores.toFixed(2)} cores (limit ${limits.generatorCores}) and may have been the bottleneck; use --shard`,
      ),
    );
  if (
    health.loopLagP99Ms > limits.loopLagP99Ms &&
    missed.some((measure) => streamsOf(measure).some(isInPhase))
  )
    reasons.push(
      machineReason(
        `${name}: the p99 of the generator's event loop delay was ${health.loopLagP99Ms.toFixed(0)} ms (limit ${limits.loopLagP99Ms} ms); run it on a quiet machine`,
      ),
    );
  const timed = missed.filter(isLatencyMeasure).flatMap(streamsOf).filter(isInPhase);
  for (const stream of phase.streams) {
    if (!timed.some((ref) => ref.stream === stream.name)) continue;
    const lagMs = percentileMs(decodeHistogram(stream.sendLag ?? ""), 99);
    const p99Ms = percentileMs(latencyOf(stream), 99);
    if (lagMs !== undefined && p99Ms !== undefined && lagMs > limits.lagShareOfP99 * p99Ms)
      reasons.push(
        machineReason(
          `${name}/${stream.name}: the p99 of the send lag was ${lagMs.toFixed(1)} ms, more than ${percent(limits.lagShareOfP99)} of the latency p99 of ${p99Ms.toFixed(1)} ms; run it on a quiet machine`,
        ),
      );
  }
  return reasons;
}

function isLatencyMeasure({ kind }: Measure): boolean {
  return !["efficiency", "answered-share", "rate", "rate-ratio", "memory-growth"].includes(kind);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function machineReason(text: string): InvalidReason {
  return { cause: "machine", text };
}

function measurementReason(text: string): InvalidReason {
  return { cause: "measurement", text };
}
