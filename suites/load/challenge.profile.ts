import type { LoadProfile } from "../support/load/load-profile.ts";
import { challenge as step } from "../support/load/steps/challenge.ts";

const half = { ofMeasured: 0.5, phase: "16 connections", stream: step.name };

export const challenge: LoadProfile = {
  name: "challenge",
  question:
    "How many challenges per second can the target issue, and what is their latency at half that rate?",
  phases: [
    { name: "warm-up", isWarmUp: true, seconds: 2, streams: [{ model: "closed", step, connections: 8 }] },
    {
      name: "1 connection",
      seconds: 3,
      shortSeconds: 1,
      streams: [{ model: "closed", step, connections: 1 }],
    },
    {
      name: "16 connections",
      seconds: 4,
      shortSeconds: 2,
      streams: [{ model: "closed", step, connections: 16 }],
    },
    {
      name: "64 connections",
      seconds: 4,
      shortSeconds: 2,
      streams: [{ model: "closed", step, connections: 64 }],
    },
    {
      // Opens the connections that the next phase uses.
      name: "warm-up at half",
      isWarmUp: true,
      seconds: 2,
      streams: [{ model: "open", step, rate: half }],
    },
    {
      name: "half",
      seconds: 6,
      shortSeconds: 3,
      streams: [
        {
          model: "open",
          step,
          rate: half,
        },
      ],
    },
  ],
  thresholds: [
    {
      id: "prompt-at-half",
      claim: "At half the maximum rate, the p99 of challenges is at most 2 S.",
      measure: { kind: "latency-in-scrypts", at: { phase: "half", stream: "challenge" }, percentile: 99 },
      bound: "at-most",
      pass: 2,
      warn: 5,
    },
  ],
};
