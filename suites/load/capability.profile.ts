import type { LoadProfile } from "../support/load/load-profile.ts";
import { capability as step } from "../support/load/steps/capability.ts";
import { promptResponses } from "./prompt-responses.ts";

export const capability: LoadProfile = {
  name: "capability",
  question: "Are capabilities minted quickly, and each for the agent that requested it?",
  phases: [
    {
      name: "warm-up",
      isWarmUp: true,
      seconds: 1,
      streams: [{ model: "open", step, rate: { perSecond: 50 } }],
    },
    // A p99 needs 1,000 responses.
    { name: "minting", seconds: 11, streams: [{ model: "open", step, rate: { perSecond: 100 } }] },
  ],
  thresholds: [promptResponses({ phase: "minting", stream: "capability" }, 99)],
};
