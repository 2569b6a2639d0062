import type { StreamRef } from "../support/load/figures/measurement.ts";
import type { Threshold } from "../support/load/figures/thresholds.ts";

/** Unless the target is overloaded, requests that need no scrypt are answered within 2 S. */
export function promptResponses(at: StreamRef, percentile: 50 | 99): Threshold {
  return {
    id: `${at.stream}-prompt`,
    claim: `The p${percentile} of ${at.stream} is at most 2 S.`,
    measure: { kind: "latency-in-scrypts", at, percentile },
    bound: "at-most",
    pass: 2,
    warn: 5,
  };
}
