import type { LoadProfile } from "../support/load/load-profile.ts";
import { jmapRead as step } from "../support/load/steps/jmap-read.ts";
import { promptResponses } from "./prompt-responses.ts";

export const jmapRead: LoadProfile = {
  name: "jmap-read",
  question: "Do concurrent readers get only their own mail, and quickly?",
  phases: [
    {
      name: "warm-up",
      isWarmUp: true,
      seconds: 1,
      streams: [{ model: "open", step, rate: { perSecond: 25 } }],
    },
    // Requests are sent in pairs: 100 requests per second. A p99 needs 1,000 responses.
    { name: "reading", seconds: 11, streams: [{ model: "open", step, rate: { perSecond: 50 } }] },
  ],
  thresholds: [promptResponses({ phase: "reading", stream: "jmap-read" }, 99)],
};
