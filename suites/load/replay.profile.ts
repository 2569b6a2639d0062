import type { LoadProfile } from "../support/load/load-profile.ts";
import { replayAtOnce, replayLater } from "../support/load/steps/replays.ts";

export const replay: LoadProfile = {
  name: "replay",
  question:
    "Does each proof of work open only one session when it is sent several times, concurrently or later?",
  phases: [
    {
      name: "at once",
      seconds: 6,
      shortSeconds: 4,
      streams: [{ model: "open", step: replayAtOnce, rate: { perSecond: 4 } }],
    },
    {
      name: "later",
      seconds: 4,
      shortSeconds: 3,
      streams: [{ model: "open", step: replayLater, rate: { perSecond: 60 } }],
    },
  ],
  thresholds: [
    {
      id: "spent-is-cheap",
      claim: "The median latency of rejecting a used challenge is at most 0.25 S.",
      measure: {
        kind: "latency-in-scrypts",
        at: { phase: "later", stream: "replay-later" },
        percentile: 50,
      },
      bound: "at-most",
      pass: 0.25,
      isAdvisory: true,
    },
  ],
};
