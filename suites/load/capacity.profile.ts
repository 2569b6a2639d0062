import type { LoadProfile } from "../support/load/load-profile.ts";
import { verifyForged as step } from "../support/load/steps/verify-forged.ts";

const percents = [50, 60, 70, 80, 90, 100, 110, 120, 130];
const steps = percents.map((percent) => ({ phase: `${percent} %`, stream: step.name, share: percent / 100 }));

export const capacity: LoadProfile = {
  name: "capacity",
  question: "At what share of its theoretical scrypt capacity does the target saturate?",
  phases: [
    { name: "warm-up", isWarmUp: true, seconds: 1, streams: [{ model: "closed", step, connections: 4 }] },
    ...steps.map(({ phase, share }) => ({
      name: phase,
      seconds: 5,
      shortSeconds: 2,
      streams: [{ model: "open", step, rate: { ofCapacity: share } } as const],
    })),
  ],
  thresholds: [
    {
      id: "knee",
      claim:
        "At up to 80 % of capacity, the p99 of verifications is at most 10 S and at most 1 % of requests are lost.",
      measure: { kind: "knee", steps: steps.map(({ phase, stream }) => ({ phase, stream })) },
      bound: "at-least",
      pass: 0.8,
      warn: 0.6,
    },
  ],
};
