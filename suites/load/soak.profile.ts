import type { LoadProfile } from "../support/load/load-profile.ts";
import { challenge } from "../support/load/steps/challenge.ts";
import { jmapRead } from "../support/load/steps/jmap-read.ts";
import { verifyForged } from "../support/load/steps/verify-forged.ts";
import { promptAnswers } from "./prompt-answers.ts";

const phase = "soak";
const verifying = { phase, stream: verifyForged.name };

export const soak: LoadProfile = {
  name: "soak",
  question: "Does ten minutes of half its capacity leave the target as quick and as small as it was?",
  phases: [
    {
      name: "warm-up",
      isWarmUp: true,
      seconds: 5,
      shortSeconds: 2,
      streams: [{ model: "closed", step: verifyForged, connections: 4 }],
    },
    {
      name: phase,
      seconds: 600,
      shortSeconds: 30,
      streams: [
        { model: "open", step: verifyForged, rate: { ofCapacity: 0.5 } },
        { model: "open", step: challenge, rate: { perSecond: 20 } },
        // Pairs: 20 requests a second.
        { model: "open", step: jmapRead, rate: { perSecond: 10 } },
      ],
    },
  ],
  thresholds: [
    {
      id: "verify-forged-soon",
      claim: "At half of capacity, half of the verifications end within three scrypt times.",
      measure: { kind: "latency-in-scrypts", at: verifying, percentile: 50 },
      bound: "at-most",
      pass: 3,
      warn: 6,
    },
    ...[challenge, jmapRead].map(({ name }) => promptAnswers({ phase, stream: name }, 50)),
    {
      id: "p99-growth",
      claim: "The p99 of verifications does not certainly grow by more than a tenth an hour.",
      measure: { kind: "p99-growth", at: verifying },
      bound: "at-most",
      pass: 0.1,
    },
    {
      id: "memory-growth",
      claim: "The target's memory does not certainly grow by more than a tenth an hour.",
      measure: { kind: "memory-growth", phase },
      bound: "at-most",
      pass: 0.1,
    },
  ],
};
