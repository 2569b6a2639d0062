import type { LoadProfile } from "../support/load/load-profile.ts";
import { capability as step } from "../support/load/steps/capability.ts";
import { promptAnswers } from "./prompt-answers.ts";

export const capability: LoadProfile = {
  name: "capability",
  question: "Are capabilities minted promptly, each for the agent that asked?",
  phases: [
    {
      name: "warm-up",
      isWarmUp: true,
      seconds: 1,
      streams: [{ model: "open", step, rate: { perSecond: 50 } }],
    },
    // A p99 needs a thousand answers.
    { name: "minting", seconds: 11, streams: [{ model: "open", step, rate: { perSecond: 100 } }] },
  ],
  thresholds: [promptAnswers({ phase: "minting", stream: "capability" }, 99)],
};
