import type { LoadProfile, OpenStream } from "../support/load/load-profile.ts";
import { challenge } from "../support/load/steps/challenge.ts";
import { metadata } from "../support/load/steps/metadata.ts";
import { verifyForged } from "../support/load/steps/verify-forged.ts";

// A p99 needs 1,000 responses.
const probes: readonly OpenStream[] = [challenge, metadata].map((step) => ({
  model: "open",
  step,
  rate: { perSecond: 100 },
}));

export const isolation: LoadProfile = {
  name: "isolation",
  question: "Do cheap requests stay fast while proof-of-work verification saturates every core?",
  phases: [
    { name: "warm-up", isWarmUp: true, seconds: 1, streams: probes },
    { name: "before", seconds: 6, shortSeconds: 4, streams: probes },
    {
      name: "saturated",
      seconds: 12,
      streams: [...probes, { model: "closed", step: verifyForged, connections: 16 }],
    },
    { name: "after", seconds: 4, shortSeconds: 3, streams: probes },
  ],
  thresholds: [
    ...probes.map(
      ({ step: { name } }) =>
        ({
          id: `${name}-while-saturated`,
          claim: `While verification saturates every core, the p99 of ${name} is at most 2 S.`,
          measure: {
            kind: "latency-in-scrypts",
            at: { phase: "saturated", stream: name },
            percentile: 99,
          },
          bound: "at-most",
          pass: 2,
          warn: 5,
        }) as const,
    ),
    ...probes.map(
      ({ step: { name } }) =>
        ({
          id: `${name}-answered`,
          claim: `While verification saturates every core, at least 99 % of ${name} requests succeed and are not shed.`,
          measure: { kind: "answered-share", at: { phase: "saturated", stream: name } },
          bound: "at-least",
          pass: 0.99,
          warn: 0.9,
        }) as const,
    ),
    {
      id: "efficiency",
      claim: "Cheap requests do not starve verification: its efficiency is at least 0.8.",
      measure: { kind: "efficiency", at: { phase: "saturated", stream: "verify-forged" } },
      bound: "at-least",
      pass: 0.8,
      warn: 0.6,
    },
  ],
};
