import {
  type LoadProfile,
  type Phase,
  type Stream,
  streamName,
} from "../../suites/support/load/load-profile.ts";
import { demandOf, fixedRate, phaseSeconds } from "../../suites/support/load/run-load-profile.ts";
import type { Shard } from "../../suites/support/load/shard.ts";
import type { Units } from "../../suites/support/load/figures/thresholds.ts";
import { UsageError } from "../usage-error.ts";

/** What a run will do. */
export interface Plan {
  readonly profiles: readonly PlannedProfile[];
  /** Duration without setup. */
  readonly seconds: number;
  /** Estimated CPU time that the target spends on scrypt. */
  readonly scryptSeconds: number;
  /** Proofs of work that this machine has to solve during setup. */
  readonly proofs: number;
  /** Estimated time to solve them. */
  readonly solvingSeconds: number;
}

interface PlannedProfile {
  readonly name: string;
  readonly seconds: number;
  readonly streams: readonly string[];
  readonly proofs: number;
}

export interface PlanBasis {
  readonly units: Units;
  readonly isShort: boolean;
  readonly shard: Shard;
  /** The target's difficulty. */
  readonly difficultyBits: number;
  /** The solver's speed on this machine, all threads together. */
  readonly hashesPerSecond: number;
}

// A proof expires with its challenge, after 300 s.
const maxSolvingSeconds = 240;

/** @throws {UsageError} with the calculation, when this machine cannot solve the proofs before the first expires */
export function planLoad(profiles: readonly LoadProfile[], basis: PlanBasis): Plan {
  const { units, isShort, shard, difficultyBits, hashesPerSecond } = basis;
  const plans = profiles.map((profile) => {
    const phases = profile.phases.map((phase) => ({ phase, seconds: phaseSeconds(phase, isShort) }));
    const streams = phases.flatMap(({ phase, seconds }) =>
      phase.streams.map((stream) => ({ phase, stream, seconds })),
    );
    const proofs = streams.reduce(
      (sum, { stream, seconds }) =>
        sum + stream.step.proofsPerRequest * demandOf(stream, seconds, units, shard).requests,
      0,
    );
    return {
      name: profile.name,
      seconds: phases.reduce((sum, { seconds }) => sum + seconds, 0),
      streams: streams.map(({ phase, stream, seconds }) => describeStream(phase, stream, seconds, units)),
      proofs,
      scryptSeconds: streams.reduce(
        (sum, { stream, seconds }) => sum + scryptSeconds(stream, seconds, units),
        0,
      ),
    };
  });
  const solvingSeconds = (proofs: number): number => (proofs * 2 ** difficultyBits) / hashesPerSecond;
  for (const { name, proofs } of plans) {
    if (solvingSeconds(proofs) <= maxSolvingSeconds) continue;
    throw new UsageError(
      `load profile ${name} needs ${proofs} proofs of work: × 2^${difficultyBits} hashes each ÷ ${Math.round(hashesPerSecond)} hashes/s on this machine = ${Math.round(solvingSeconds(proofs))} s, but proofs expire after ${maxSolvingSeconds} s; lower the target's difficulty, use --short or --shard, or select other load profiles with --profile`,
    );
  }
  const sum = (read: (profile: (typeof plans)[number]) => number): number =>
    plans.reduce((total, profile) => total + read(profile), 0);
  const proofs = sum((profile) => profile.proofs);
  return {
    profiles: plans,
    seconds: sum(({ seconds }) => seconds),
    scryptSeconds: sum((profile) => profile.scryptSeconds),
    proofs,
    solvingSeconds: solvingSeconds(proofs),
  };
}

export function renderPlan({ profiles, seconds, scryptSeconds, proofs, solvingSeconds }: Plan): string {
  const lines = profiles.flatMap(({ name, seconds: each, streams }) => [
    `  ${name}, ${each} s`,
    ...streams.map((stream) => `    ${stream}`),
  ]);
  return [
    "plan:",
    ...lines,
    `  total: ${seconds} s of load, about ${Math.round(scryptSeconds)} s of scrypt on the target; ${proofs} proofs of work to solve first, about ${Math.ceil(solvingSeconds)} s`,
  ].join("\n");
}

function describeStream(phase: Phase, stream: Stream, seconds: number, units: Units): string {
  const offered =
    stream.model === "closed"
      ? `closed loop, ${stream.connections} connection${stream.connections === 1 ? "" : "s"}`
      : "ofMeasured" in stream.rate
        ? `open loop at ${stream.rate.ofMeasured} × the rate measured in ${stream.rate.phase}`
        : `open loop at ${fixedRate(stream.rate, units).toFixed(1)}/s, ${Math.round(fixedRate(stream.rate, units) * seconds)} in total`;
  return `${phase.name}: ${streamName(stream)}, ${offered}, ${seconds} s`;
}

/** A closed-loop stream saturates all cores. */
function scryptSeconds(stream: Stream, seconds: number, units: Units): number {
  const { scryptsPerRequest } = stream.step;
  if (scryptsPerRequest === 0) return 0;
  const max = seconds * units.cores;
  if (stream.model === "closed" || "ofMeasured" in stream.rate) return max;
  return Math.min(max, (fixedRate(stream.rate, units) * seconds * scryptsPerRequest * units.scryptMs) / 1000);
}
