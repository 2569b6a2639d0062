import type { LoadProfile } from "../support/load/load-profile.ts";
import { replayAtOnce, replayLater } from "../support/load/steps/replays.ts";

export const replay: LoadProfile = {
  name: "replay",
  question: "Does one proof of work open one session, however often and however fast it is sent?",
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
      claim:
        "A challenge that was used before is refused within a quarter of a scrypt time, half of the times.",
      measure: {
        kind: "latency-in-scrypts",
        at: { phase: "later", stream: "replay-later" },
        percentile: 50,
      },
      bound: "at-most",
      pass: 0.25,
      isAdvice: true,
    },
  ],
};
