import type { LoadProfile } from "../support/load/load-profile.ts";
import { verifyForged } from "../support/load/steps/verify-forged.ts";
import { verifyValid as step } from "../support/load/steps/verify-valid.ts";

export const verifyValid: LoadProfile = {
  name: "verify-valid",
  question: "Does every valid proof of work open a session, and quickly, at a quarter of capacity?",
  phases: [
    {
      name: "warm-up",
      isWarmUp: true,
      seconds: 1,
      streams: [{ model: "closed", step: verifyForged, connections: 4 }],
    },
    // Each proof costs the generator 2^difficulty hashes during setup. A median needs 100 responses.
    {
      name: "quarter",
      seconds: 15,
      streams: [{ model: "open", step, rate: { ofCapacity: 0.25 } }],
    },
  ],
  thresholds: [
    {
      id: "soon",
      claim: "At a quarter of capacity, the median latency of sessions is at most 3 S.",
      measure: {
        kind: "latency-in-scrypts",
        at: { phase: "quarter", stream: "verify-valid" },
        percentile: 50,
      },
      bound: "at-most",
      pass: 3,
      warn: 6,
    },
  ],
};
