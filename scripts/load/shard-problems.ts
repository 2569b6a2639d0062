import type { LoadPhase, LoadRun, LoadStream } from "../../reports/load-format.ts";
import { decodeHistogram } from "../../suites/support/load/figures/latency-histogram.ts";
import { total } from "../../suites/support/load/figures/measurement.ts";
import {
  type LoadProfile,
  type Phase,
  type Stream,
  streamName,
} from "../../suites/support/load/load-profile.ts";
import { phaseSeconds, shardRate } from "../../suites/support/load/run-load-profile.ts";
import { oneShard, shareOfConnections } from "../../suites/support/load/shard.ts";

/**
 * What is wrong with a shard, one line each, and empty for a sound one. It may come from anywhere: it has to follow the plan
 * of its load profile, and its counts have to agree with each other. Names in it are never shown, only those of the plan.
 */
export function shardProblems(run: LoadRun, plan: LoadProfile): string[] {
  const [profile, ...others] = run.profiles;
  if (profile === undefined || others.length > 0) return ["expected one load profile"];
  const problems: string[] = [];
  if ((profile.verdict === "violated") !== profile.violations.length > 0)
    problems.push(`the verdict is ${profile.verdict} with ${profile.violations.length} violations`);
  if (profile.thresholds.length > 0) problems.push("thresholds are judged after merging, not in a shard");
  if (profile.phases.length !== plan.phases.length)
    return [...problems, `expected ${plan.phases.length} phases, found ${profile.phases.length}`];
  for (const [at, planned] of plan.phases.entries()) {
    const phase = profile.phases[at];
    // A later phase may be planned by what an earlier one measured.
    if (phase === undefined || problems.length > 0) break;
    problems.push(...phaseProblems(phase, planned, run, profile.phases.slice(0, at)));
  }
  return problems;
}

function phaseProblems(phase: LoadPhase, plan: Phase, run: LoadRun, earlier: readonly LoadPhase[]): string[] {
  const seconds = phaseSeconds(plan, run.isShort);
  const problems = [
    ...differs("its name", phase.name, plan.name),
    ...differs("isWarmUp", phase.isWarmUp ?? false, plan.isWarmUp ?? false),
    ...differs("its seconds", phase.seconds, seconds),
    ...differs("the number of streams", phase.streams.length, plan.streams.length),
  ];
  if (problems.length === 0) {
    for (const [at, planned] of plan.streams.entries()) {
      const stream = phase.streams[at];
      if (stream === undefined) continue;
      const found = [...planProblems(stream, planned, run, earlier, seconds), ...countProblems(stream)];
      problems.push(...found.map((problem) => `${streamName(planned)}: ${problem}`));
    }
  }
  return problems.map((problem) => `${plan.name}: ${problem}`);
}

function planProblems(
  stream: LoadStream,
  plan: Stream,
  { units, shard }: LoadRun,
  earlier: readonly LoadPhase[],
  seconds: number,
): string[] {
  const problems = [
    ...differs("its name", stream.name, streamName(plan)),
    ...differs("its step", stream.step, plan.step.name),
    ...differs("its model", stream.model, plan.model),
    ...differs("scryptsPerRequest", stream.scryptsPerRequest, plan.step.scryptsPerRequest),
    ...differs("connections", stream.connections, plan.model === "closed" ? plan.connections : undefined),
    ...differs("sendLag", stream.sendLag !== undefined, plan.model === "open"),
  ];
  if (problems.length > 0) return problems;
  if (plan.model === "closed") {
    const hasConnections = shareOfConnections(plan.connections, shard ?? oneShard) > 0;
    return differs("whether requests were sent", total(stream, "sent") > 0, hasConnections);
  }
  const rate = shardRate(plan, { profile: "", phases: earlier }, units, shard ?? oneShard);
  return [
    ...differs("ratePerSecond", stream.ratePerSecond, rate),
    ...differs("the number of scheduled requests", total(stream, "scheduled"), Math.round(rate * seconds)),
  ];
}

/** The counts of a stream, as the recorder of a load generator relates them. */
function countProblems(stream: LoadStream): string[] {
  const { rows, failures, sendLag, model } = stream;
  const isOpen = model === "open";
  const sent = total(stream, "sent");
  const settled = sumOf(
    (["planned", "shed", "unplanned", "failed"] as const).map((count) => total(stream, count)),
  );
  return [
    ...rows.flatMap((row, second) =>
      [
        ...differs("its number", row.second, second),
        ...differs("the count of its latencies", countIn(row.latency), row.planned),
        ...differs(
          "the sum of its statuses",
          sumOf(Object.values(row.statuses)),
          row.planned + row.shed + row.unplanned,
        ),
      ].map((problem) => `second ${second}: ${problem}`),
    ),
    ...differs("the sum of its failures", sumOf(Object.values(failures)), total(stream, "failed")),
    ...(isOpen
      ? [
          ...differs("the count of its send lags", countIn(sendLag ?? ""), sent),
          ...differs("the number of settled requests", settled, sent),
          ...atMost("dropped requests", total(stream, "dropped"), total(stream, "scheduled")),
        ]
      : [
          ...differs("the number of scheduled requests", total(stream, "scheduled"), 0),
          ...atMost("settled requests", settled, sent),
          // A connection for which nothing is left to send drops one request and ends.
          ...atMost("dropped requests", total(stream, "dropped"), stream.connections ?? 0),
        ]),
  ].slice(0, mostProblems);
}

// One wrong figure may show in many rows.
const mostProblems = 3;

/** @returns -1 when it is not a histogram, which no count equals */
function countIn(encoded: string): number {
  try {
    return decodeHistogram(encoded).totalCount;
  } catch (error) {
    if (error instanceof TypeError) return -1;
    throw error;
  }
}

function differs(what: string, found: unknown, expected: unknown): string[] {
  if (found === expected) return [];
  const shown = typeof found === "string" ? "another" : String(found);
  return [`${what}: expected ${String(expected)}, found ${shown}`];
}

function atMost(what: string, found: number, limit: number): string[] {
  return found <= limit ? [] : [`${what}: expected at most ${limit}, found ${found}`];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
