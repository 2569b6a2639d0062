import type { LoadProfile } from "../support/load/load-profile.ts";
import { challenge } from "../support/load/steps/challenge.ts";
import { jmapRead } from "../support/load/steps/jmap-read.ts";
import { verifyForged } from "../support/load/steps/verify-forged.ts";
import { promptResponses } from "./prompt-responses.ts";

const phase = "soak";
const verifying = { phase, stream: verifyForged.name };

export const soak: LoadProfile = {
  name: "soak",
  question: "Do latency and memory usage stay stable during ten minutes at half of capacity?",
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
        // Requests are sent in pairs: 20 requests per second.
        { model: "open", step: jmapRead, rate: { perSecond: 10 } },
      ],
    },
  ],
  thresholds: [
    {
      id: "verify-forged-soon",
      claim: "At half of capacity, the median latency of verifications is at most 3 S.",
      measure: { kind: "latency-in-scrypts", at: verifying, percentile: 50 },
      bound: "at-most",
      pass: 3,
      warn: 6,
    },
    ...[challenge, jmapRead].map(({ name }) => promptResponses({ phase, stream: name }, 50)),
    {
      id: "p99-growth",
      claim: "The p99 of verifications grows by at most 10 % per hour (lower confidence bound).",
      measure: { kind: "p99-growth", at: verifying },
      bound: "at-most",
      pass: 0.1,
    },
    {
      id: "memory-growth",
      claim: "The target's memory usage grows by at most 10 % per hour (lower confidence bound).",
      measure: { kind: "memory-growth", phase },
      bound: "at-most",
      pass: 0.1,
    },
  ],
};
