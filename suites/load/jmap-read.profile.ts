import type { LoadProfile } from "../support/load/load-profile.ts";
import { jmapRead as step } from "../support/load/steps/jmap-read.ts";
import { promptAnswers } from "./prompt-answers.ts";

export const jmapRead: LoadProfile = {
  name: "jmap-read",
  question: "Does everybody get their own mail, and promptly, while others read theirs at the same moment?",
  phases: [
    {
      name: "warm-up",
      isWarmUp: true,
      seconds: 1,
      streams: [{ model: "open", step, rate: { perSecond: 25 } }],
    },
    // Pairs of requests: 100 a second. A p99 needs a thousand answers.
    { name: "reading", seconds: 11, streams: [{ model: "open", step, rate: { perSecond: 50 } }] },
  ],
  thresholds: [promptAnswers({ phase: "reading", stream: "jmap-read" }, 99)],
};
