import { encodeHistogram, newHistogram, recordMs } from "./latency-histogram.ts";
import type { Health, PhaseMeasurement, Row, StreamMeasurement } from "./measurement.ts";

export function exampleRow(
  second: number,
  changes: Partial<Omit<Row, "latency">>,
  latenciesMs: number[] = [],
): Row {
  return {
    second,
    scheduled: 0,
    sent: 0,
    dropped: 0,
    planned: latenciesMs.length,
    shed: 0,
    unplanned: 0,
    failed: 0,
    statuses: latenciesMs.length === 0 ? {} : { 200: latenciesMs.length },
    ...changes,
    latency: encodedMs(latenciesMs),
  };
}

/** Rows with the same number of expected responses, all with the same latency. */
export function exampleRows(seconds: number, perSecond: number, latencyMs: number): Row[] {
  return Array.from({ length: seconds }, (_, second) =>
    exampleRow(
      second,
      { scheduled: perSecond, sent: perSecond },
      Array.from({ length: perSecond }, () => latencyMs),
    ),
  );
}

export function exampleStream(
  name: string,
  rows: readonly Row[],
  changes: Partial<StreamMeasurement> = {},
): StreamMeasurement {
  return {
    name,
    step: name,
    model: "open",
    scryptsPerRequest: 1,
    failures: { reset: 0, timeout: 0, "refused-connection": 0, "closed-early": 0 },
    rows,
    ...changes,
  };
}

export const healthy: Health = { generatorCores: 0.2, loopLagP99Ms: 1, targetMiB: [], clockStepMs: 0 };

export function examplePhase(
  name: string,
  seconds: number,
  streams: readonly StreamMeasurement[],
  health: Partial<Health> = {},
): PhaseMeasurement {
  return { name, seconds, startedAt: "2026-01-01T00:00:00.000Z", streams, health: { ...healthy, ...health } };
}

export function encodedMs(latenciesMs: readonly number[]): string {
  const histogram = newHistogram();
  for (const ms of latenciesMs) recordMs(histogram, ms);
  return encodeHistogram(histogram);
}
