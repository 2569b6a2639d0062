import type { FailureKind } from "../engines/answer.ts";
import { decodeHistogram, type LatencyHistogram, sumOf } from "./latency-histogram.ts";

/** One second of one stream. Counts belong to the second in which they happened, an answer to the one in which it came. */
export interface Row {
  /** From the beginning of the phase. */
  readonly second: number;
  /** Open streams: requests that were due. */
  readonly scheduled: number;
  readonly sent: number;
  /** Due, and not sent: nothing to send was left, or too much was under way. */
  readonly dropped: number;
  /** Answered as the document wants it. */
  readonly planned: number;
  /** Answered with 429, or with 503 and `Retry-After`. */
  readonly shed: number;
  /** Answered with anything else. */
  readonly unplanned: number;
  readonly failed: number;
  /** How many answers had which HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Latency of the planned answers: HdrHistogram in base64, µs. */
  readonly latency: string;
}

export interface StreamMeasurement {
  readonly name: string;
  readonly step: string;
  readonly model: "closed" | "open";
  /** Closed streams. */
  readonly connections?: number;
  /** Open streams: what was asked for. */
  readonly ratePerSecond?: number;
  readonly scryptsPerRequest: number;
  readonly failures: Readonly<Record<FailureKind, number>>;
  /** Open streams: from when a request was due to when it was sent; HdrHistogram in base64, µs. */
  readonly sendLag?: string;
  readonly rows: readonly Row[];
}

/** How well the generator and its machine did during a phase. */
export interface Health {
  /** Processor time of this process per second, in cores. */
  readonly generatorCores: number;
  readonly loopLagP99Ms: number;
  /** Processor time that neither this process nor the target used, in cores; undefined where it cannot be told. */
  readonly foreignCores?: number;
  readonly targetCores?: number;
  /** Resident memory of the target, a sample a second, in MiB; empty where it cannot be told. */
  readonly targetMiB: readonly number[];
  /** By how much the wall clock moved against the monotonic one, in ms. */
  readonly clockStepMs: number;
}

export interface PhaseMeasurement {
  readonly name: string;
  readonly isWarmUp?: true;
  /** As planned; rows of later seconds hold what was still under way at its end. */
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

/** Where a figure is taken from. */
export interface StreamRef {
  readonly phase: string;
  readonly stream: string;
}

/** @throws {TypeError} when the measurement has no such stream: a defect of a profile */
export function findStream(
  { profile, phases }: ProfileMeasurement,
  { phase, stream }: StreamRef,
): { phase: PhaseMeasurement; stream: StreamMeasurement } | undefined {
  const foundPhase = phases.find(({ name }) => name === phase);
  // A run that was interrupted ends before its last phases.
  if (foundPhase === undefined) return undefined;
  const found = foundPhase.streams.find(({ name }) => name === stream);
  if (found === undefined) throw new TypeError(`profile ${profile}: phase ${phase} has no stream ${stream}`);
  return { phase: foundPhase, stream: found };
}

export type RowCount = "scheduled" | "sent" | "dropped" | "planned" | "shed" | "unplanned" | "failed";

export function total({ rows }: Pick<StreamMeasurement, "rows">, count: RowCount): number {
  return rows.reduce((sum, row) => sum + row[count], 0);
}

/** Planned answers a second, those that came after the phase's end left out. */
export function plannedPerSecond({ rows }: Pick<StreamMeasurement, "rows">, seconds: number): number {
  const within = rows.filter(({ second }) => second < seconds);
  return within.reduce((sum, { planned }) => sum + planned, 0) / seconds;
}

export function latencyOf({ rows }: Pick<StreamMeasurement, "rows">): LatencyHistogram {
  return sumOf(rows.filter(({ latency }) => latency !== "").map(({ latency }) => decodeHistogram(latency)));
}
