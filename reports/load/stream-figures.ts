import type { LoadPhase, LoadRun, LoadStream } from "../load-format.ts";
import { latencyOf, percentileMs, samplesForP99 } from "./latency.ts";

/** What one stream of one phase comes down to. */
export interface StreamFigures {
  readonly phase: string;
  readonly stream: string;
  readonly model: "closed" | "open";
  /** Connections of a closed stream, requests a second of an open one. */
  readonly offered: number;
  /** Planned answers. */
  readonly answers: number;
  /** Planned answers a second, those after the phase's end left out. */
  readonly perSecond: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
  /** Of so few answers that its p99 is a matter of chance. */
  readonly isP99Rough: boolean;
  readonly shed: number;
  /** Answers that the document does not name, and requests that were not answered at all. */
  readonly errors: number;
  /** Share of the target's cores that scrypt kept busy; of requests that cost scrypt. */
  readonly efficiency: number | undefined;
}

type Counted = "planned" | "shed" | "unplanned" | "failed";

export function figuresOf(phase: LoadPhase, stream: LoadStream, units: LoadRun["units"]): StreamFigures {
  const { rows, scryptsPerRequest } = stream;
  const sum = (count: Counted, within = rows): number => within.reduce((all, row) => all + row[count], 0);
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
    answers: sum("planned"),
    perSecond,
    p50Ms: percentileMs(latency, 50),
    p99Ms: percentileMs(latency, 99),
    maxMs: percentileMs(latency, 100),
    isP99Rough: latency.totalCount < samplesForP99,
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
