import type { LoadProfile } from "../support/load/load-profile.ts";
import { verifyForged as step } from "../support/load/steps/verify-forged.ts";

export const verifyForged: LoadProfile = {
  name: "verify-forged",
  question: "Do all cores of the target work when forged proofs of work keep it busy?",
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
      claim:
        "Verifications keep the target's cores busy: verifications a second × S / cores is at least 0.8.",
      measure: { kind: "efficiency", at: { phase: "saturated", stream: "verify-forged" } },
      bound: "at-least",
      pass: 0.8,
      warn: 0.6,
    },
  ],
};
