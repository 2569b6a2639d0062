import { type FailureKind, failureKinds } from "./answer.ts";
import {
  encodeHistogram,
  type LatencyHistogram,
  newHistogram,
  percentileMs,
  recordMs,
  sumOf,
} from "../figures/latency-histogram.ts";
import type { Row, RowCount } from "../figures/measurement.ts";

export type AnswerKind = "planned" | "shed" | "unplanned";

/** Counts what happens to one stream, second by second. Times are `performance.now()`, in ms. */
export interface StreamRecorder {
  count(what: "scheduled" | "sent" | "dropped", atMs: number): void;
  lag(ms: number): void;
  answered(kind: AnswerKind, status: number, latencyMs: number, atMs: number): void;
  failed(kind: FailureKind, atMs: number): void;
  /** What has been measured so far, for a live line: the last full second and the sums. */
  glance(atMs: number): Glance;
  readonly failures: Readonly<Record<FailureKind, number>>;
  readonly sendLag: LatencyHistogram;
  rows(): Row[];
}

export interface Glance {
  readonly plannedPerSecond: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly shed: number;
  /** Unplanned answers and failures. */
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

  function at(atMs: number): Second {
    const second = Math.max(0, Math.floor((atMs - startMs) / 1000));
    while (seconds.length <= second)
      seconds.push({ counts: noCounts(), statuses: {}, latency: newHistogram() });
    const row = seconds[second];
    if (row === undefined) throw new RangeError(`no row of second ${second}`);
    return row;
  }
  const sum = (what: RowCount): number => seconds.reduce((all, { counts }) => all + counts[what], 0);

  return {
    failures,
    sendLag,
    count(what, atMs) {
      at(atMs).counts[what] += 1;
    },
    lag: (ms) => recordMs(sendLag, ms),
    answered(kind, status, latencyMs, atMs) {
      const { counts, statuses, latency } = at(atMs);
      counts[kind] += 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (kind === "planned") recordMs(latency, latencyMs);
    },
    failed(kind, atMs) {
      at(atMs).counts.failed += 1;
      failures[kind] += 1;
    },
    glance(atMs) {
      const last = seconds[Math.floor((atMs - startMs) / 1000) - 1];
      const latency = sumOf(seconds.map((second) => second.latency));
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

function noCounts(): Counts {
  return { scheduled: 0, sent: 0, dropped: 0, planned: 0, shed: 0, unplanned: 0, failed: 0 };
}
