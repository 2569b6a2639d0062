import type { LoadPhase, LoadRun, LoadStream } from "../load-format.ts";
import { latencyOf, percentileMs, samplesForP99 } from "./latency.ts";

/** Summary of one stream in one phase. */
export interface StreamStats {
  readonly phase: string;
  readonly stream: string;
  readonly model: "closed" | "open";
  /** Connections of a closed-loop stream, requests per second of an open-loop one. */
  readonly offered: number;
  /** Responses with an expected status per second, within the phase. */
  readonly perSecond: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
  /** Fewer than 1,000 responses. */
  readonly isP99Unreliable: boolean;
  readonly shed: number;
  /** Responses with an unexpected status, and requests without a response. */
  readonly errors: number;
  /** Share of the target's CPU time spent on scrypt; undefined for requests without scrypt. */
  readonly efficiency: number | undefined;
}

type ResponseCount = "planned" | "shed" | "unplanned" | "failed";

export function statsOf(phase: LoadPhase, stream: LoadStream, units: LoadRun["units"]): StreamStats {
  const { rows, scryptsPerRequest } = stream;
  const sum = (count: ResponseCount, within = rows): number =>
    within.reduce((all, row) => all + row[count], 0);
  const perSecond =
    sum(
      "planned",
      rows.filter(({ second }) => second < phase.seconds),
    ) / phase.seconds;
  const latency = latencyOf(stream);
  return {
    phase: phase.name,
    stream: stream.name,
    model: stream.model,
    offered: stream.connections ?? stream.ratePerSecond ?? 0,
    perSecond,
    p50Ms: percentileMs(latency, 50),
    p99Ms: percentileMs(latency, 99),
    maxMs: percentileMs(latency, 100),
    isP99Unreliable: latency.totalCount < samplesForP99,
    shed: sum("shed"),
    errors: sum("unplanned") + sum("failed"),
    efficiency:
      scryptsPerRequest > 0
        ? (perSecond * scryptsPerRequest * units.scryptMs) / (1000 * units.cores)
        : undefined,
  };
}

export function measuredPhases(phases: readonly LoadPhase[]): LoadPhase[] {
  return phases.filter(({ isWarmUp }) => isWarmUp !== true);
}
