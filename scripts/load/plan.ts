import {
  type LoadProfile,
  type Phase,
  type Stream,
  streamName,
} from "../../suites/support/load/load-profile.ts";
import { demandOf, fixedRate, secondsOf } from "../../suites/support/load/run-load-profile.ts";
import type { Shard } from "../../suites/support/load/shard.ts";
import type { Units } from "../../suites/support/load/figures/thresholds.ts";
import { UsageError } from "../usage-error.ts";

/** What a run is going to ask of its target. */
export interface Plan {
  readonly profiles: readonly PlannedProfile[];
  /** Of measuring, set-up left out. */
  readonly seconds: number;
  /** Of processor time that the target spends on scrypt. */
  readonly scryptSeconds: number;
  /** That this machine has to find before the load begins. */
  readonly proofs: number;
  /** What finding them takes here, about. */
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
  /** That the target asks for. */
  readonly difficultyBits: number;
  /** Of this machine's solver, all threads together. */
  readonly hashesPerSecond: number;
}

// A proof is good as long as its challenge, which lives 300 s.
const mostSolvingSeconds = 240;

/** @throws {UsageError} with the sum, when this machine cannot find the proofs while the first is still good */
export function planLoad(profiles: readonly LoadProfile[], basis: PlanBasis): Plan {
  const { units, isShort, shard, difficultyBits, hashesPerSecond } = basis;
  const ofProfiles = profiles.map((profile) => {
    const phases = profile.phases.map((phase) => ({ phase, seconds: secondsOf(phase, isShort) }));
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
      streams: streams.map(({ phase, stream, seconds }) => lineOf(phase, stream, seconds, units)),
      proofs,
      scryptSeconds: streams.reduce(
        (sum, { stream, seconds }) => sum + scryptSeconds(stream, seconds, units),
        0,
      ),
    };
  });
  const solvingSeconds = (proofs: number): number => (proofs * 2 ** difficultyBits) / hashesPerSecond;
  for (const { name, proofs } of ofProfiles) {
    if (solvingSeconds(proofs) <= mostSolvingSeconds) continue;
    throw new UsageError(
      `load profile ${name} needs ${proofs} proofs of work: × 2^${difficultyBits} hashes each ÷ ${Math.round(hashesPerSecond)} hashes a second on this machine = ${Math.round(solvingSeconds(proofs))} s, and the first would expire before the last is found (${mostSolvingSeconds} s at most); lower the target's difficulty for this run, use --short, spread it with --shard, or name the other load profiles with --profile`,
    );
  }
  const sum = (of: (profile: (typeof ofProfiles)[number]) => number): number =>
    ofProfiles.reduce((total, profile) => total + of(profile), 0);
  const proofs = sum((profile) => profile.proofs);
  return {
    profiles: ofProfiles,
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
    "the plan:",
    ...lines,
    `  together ${seconds} s of load, about ${Math.round(scryptSeconds)} s of scrypt on the target; ${proofs} proofs of work to find here first, about ${Math.ceil(solvingSeconds)} s`,
  ].join("\n");
}

function lineOf(phase: Phase, stream: Stream, seconds: number, units: Units): string {
  const offered =
    stream.model === "closed"
      ? `${stream.connections} connections, each as fast as it is answered`
      : "ofMeasured" in stream.rate
        ? `${stream.rate.ofMeasured} of the rate measured with ${stream.rate.phase}`
        : `${fixedRate(stream.rate, units).toFixed(1)} a second, ${Math.round(fixedRate(stream.rate, units) * seconds)} in all`;
  return `${phase.name}: ${streamName(stream)}, ${offered}, ${seconds} s`;
}

/** A closed stream of scrypts takes all that there is. */
function scryptSeconds(stream: Stream, seconds: number, units: Units): number {
  const { scryptsPerRequest } = stream.step;
  if (scryptsPerRequest === 0) return 0;
  const most = seconds * units.cores;
  if (stream.model === "closed" || "ofMeasured" in stream.rate) return most;
  return Math.min(
    most,
    (fixedRate(stream.rate, units) * seconds * scryptsPerRequest * units.scryptMs) / 1000,
  );
}
