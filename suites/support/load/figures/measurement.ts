import type { FailureKind } from "../engines/response.ts";
import { decodeHistogram, type LatencyHistogram, mergeHistograms } from "./latency-histogram.ts";

/** One second of one stream. A response counts in the second in which it arrived. */
export interface Row {
  /** Since the start of the phase. */
  readonly second: number;
  /** Open-loop streams: requests that were due. */
  readonly scheduled: number;
  readonly sent: number;
  /** Due but not sent: the supply was empty, or too many requests were in flight. */
  readonly dropped: number;
  /** Responses with an expected status. */
  readonly planned: number;
  /** Responses with 429, or 503 with `Retry-After`. */
  readonly shed: number;
  /** Responses with any other status. */
  readonly unplanned: number;
  /** Requests without a response. */
  readonly failed: number;
  /** Number of responses by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Latency of the responses with an expected status: HdrHistogram in base64, µs. */
  readonly latency: string;
}

export interface StreamMeasurement {
  readonly name: string;
  readonly step: string;
  readonly model: "closed" | "open";
  /** Closed-loop streams. */
  readonly connections?: number;
  /** Open-loop streams: the offered rate. */
  readonly ratePerSecond?: number;
  readonly scryptsPerRequest: number;
  readonly failures: Readonly<Record<FailureKind, number>>;
  /** Open-loop streams: delay between the scheduled and the actual send time; HdrHistogram in base64, µs. */
  readonly sendLag?: string;
  readonly rows: readonly Row[];
}

/** Resource usage of the generator, its machine and the target during a phase. */
export interface Health {
  /** CPU usage of this process, in cores. */
  readonly generatorCores: number;
  readonly loopLagP99Ms: number;
  /** CPU usage of other processes, in cores; undefined when unknown. */
  readonly foreignCores?: number;
  readonly targetCores?: number;
  /** Resident memory of the target in MiB, sampled once per second; empty when unknown. */
  readonly targetMiB: readonly number[];
  /** Drift of the wall clock relative to the monotonic clock, in ms. */
  readonly clockStepMs: number;
}

export interface PhaseMeasurement {
  readonly name: string;
  readonly isWarmUp?: true;
  /** The planned duration; later rows hold responses to requests in flight at its end. */
  readonly seconds: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly streams: readonly StreamMeasurement[];
  readonly health: Health;
}

export interface ProfileMeasurement {
  readonly profile: string;
  readonly phases: readonly PhaseMeasurement[];
}

/** A stream of a phase, by name. */
export interface StreamRef {
  readonly phase: string;
  readonly stream: string;
}

/** @throws {TypeError} when the phase has no such stream, which is a defect of the profile */
export function findStream(
  { profile, phases }: ProfileMeasurement,
  { phase, stream }: StreamRef,
): { phase: PhaseMeasurement; stream: StreamMeasurement } | undefined {
  const foundPhase = phases.find(({ name }) => name === phase);
  // An interrupted run has no later phases.
  if (foundPhase === undefined) return undefined;
  const found = foundPhase.streams.find(({ name }) => name === stream);
  if (found === undefined) throw new TypeError(`profile ${profile}: phase ${phase} has no stream ${stream}`);
  return { phase: foundPhase, stream: found };
}

export type RowCount = "scheduled" | "sent" | "dropped" | "planned" | "shed" | "unplanned" | "failed";

/** Of all seconds of a stream. */
export function total({ rows }: Pick<StreamMeasurement, "rows">, count: RowCount): number {
  return rows.reduce((sum, row) => sum + row[count], 0);
}

/** Responses with an expected status per second, within the phase. */
export function plannedPerSecond({ rows }: Pick<StreamMeasurement, "rows">, seconds: number): number {
  const within = rows.filter(({ second }) => second < seconds);
  return within.reduce((sum, { planned }) => sum + planned, 0) / seconds;
}

/** Of the responses of a stream that had an expected status. */
export function latencyOf({ rows }: Pick<StreamMeasurement, "rows">): LatencyHistogram {
  return mergeHistograms(
    rows.filter(({ latency }) => latency !== "").map(({ latency }) => decodeHistogram(latency)),
  );
}
