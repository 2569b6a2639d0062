import type { StreamRef } from "../support/load/figures/measurement.ts";
import type { Threshold } from "../support/load/figures/thresholds.ts";

const shares = { 50: "Half of the", 90: "Nine of ten", 99: "99 of 100" } as const;

/** What is no scrypt is answered within two scrypt times, as long as the target is not overloaded. */
export function promptAnswers(at: StreamRef, percentile: keyof typeof shares): Threshold {
  return {
    id: `${at.stream}-prompt`,
    claim: `${shares[percentile]} answers of ${at.stream} come within two scrypt times.`,
    measure: { kind: "latency-in-scrypts", at, percentile },
    bound: "at-most",
    pass: 2,
    warn: 5,
  };
}
