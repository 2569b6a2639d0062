import { type FailureKind, failureKinds } from "./response.ts";
import {
  encodeHistogram,
  type LatencyHistogram,
  newHistogram,
  percentileMs,
  recordMs,
  mergeHistograms,
} from "../figures/latency-histogram.ts";
import type { Row, RowCount } from "../figures/measurement.ts";

export type ResponseClass = "planned" | "shed" | "unplanned";

/** Records counts and latencies of one stream, per second. Times are `performance.now()`, in ms. */
export interface StreamRecorder {
  increment(count: "scheduled" | "sent" | "dropped", atMs: number): void;
  recordSendLag(ms: number): void;
  recordResponse(kind: ResponseClass, status: number, latencyMs: number, atMs: number): void;
  recordFailure(kind: FailureKind, atMs: number): void;
  liveStats(atMs: number): LiveStats;
  readonly failures: Readonly<Record<FailureKind, number>>;
  readonly sendLag: LatencyHistogram;
  rows(): Row[];
}

/** The rate of the last full second; percentiles and counts so far. */
export interface LiveStats {
  readonly plannedPerSecond: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly shed: number;
  /** Unexpected responses and failures. */
  readonly errors: number;
}

type Counts = Record<RowCount, number>;

interface Second {
  readonly counts: Counts;
  readonly statuses: Record<string, number>;
  readonly latency: LatencyHistogram;
}

export function createStreamRecorder(startMs: number): StreamRecorder {
  const seconds: Second[] = [];
  const failures = Object.fromEntries(failureKinds.map((kind) => [kind, 0])) as Record<FailureKind, number>;
  const sendLag = newHistogram();

  function secondAt(atMs: number): Second {
    const second = Math.max(0, Math.floor((atMs - startMs) / 1000));
    while (seconds.length <= second)
      seconds.push({ counts: zeroCounts(), statuses: {}, latency: newHistogram() });
    const row = seconds[second];
    if (row === undefined) throw new RangeError(`no row for second ${second}`);
    return row;
  }
  const sum = (count: RowCount): number => seconds.reduce((total, { counts }) => total + counts[count], 0);

  return {
    failures,
    sendLag,
    increment(count, atMs) {
      secondAt(atMs).counts[count] += 1;
    },
    recordSendLag: (ms) => recordMs(sendLag, ms),
    recordResponse(kind, status, latencyMs, atMs) {
      const { counts, statuses, latency } = secondAt(atMs);
      counts[kind] += 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (kind === "planned") recordMs(latency, latencyMs);
    },
    recordFailure(kind, atMs) {
      secondAt(atMs).counts.failed += 1;
      failures[kind] += 1;
    },
    liveStats(atMs) {
      const last = seconds[Math.floor((atMs - startMs) / 1000) - 1];
      const latency = mergeHistograms(seconds.map((second) => second.latency));
      return {
        plannedPerSecond: last?.counts.planned ?? 0,
        p50Ms: percentileMs(latency, 50),
        p99Ms: percentileMs(latency, 99),
        shed: sum("shed"),
        errors: sum("unplanned") + sum("failed"),
      };
    },
    rows: () =>
      seconds.map(({ counts, statuses, latency }, second) => ({
        second,
        ...counts,
        statuses,
        latency: encodeHistogram(latency),
      })),
  };
}

function zeroCounts(): Counts {
  return { scheduled: 0, sent: 0, dropped: 0, planned: 0, shed: 0, unplanned: 0, failed: 0 };
}
