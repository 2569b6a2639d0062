import type { LoadProfile } from "../support/load/load-profile.ts";
import { verifyForged as step } from "../support/load/steps/verify-forged.ts";

export const verifyForged: LoadProfile = {
  name: "verify-forged",
  question: "Does verification use every core of the target when forged proofs of work saturate it?",
  phases: [
    { name: "warm-up", isWarmUp: true, seconds: 2, streams: [{ model: "closed", step, connections: 16 }] },
    {
      name: "saturated",
      seconds: 12,
      shortSeconds: 6,
      streams: [{ model: "closed", step, connections: 16 }],
    },
  ],
  thresholds: [
    {
      id: "efficiency",
      claim: "Efficiency (verifications per second × S / cores) is at least 0.8.",
      measure: { kind: "efficiency", at: { phase: "saturated", stream: "verify-forged" } },
      bound: "at-least",
      pass: 0.8,
      warn: 0.6,
    },
  ],
};
