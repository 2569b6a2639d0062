import type { LoadProfile } from "../support/load/load-profile.ts";
import { authorize as step } from "../support/load/steps/authorize.ts";
import { codeRace } from "../support/load/steps/code-race.ts";
import { promptResponses } from "./prompt-responses.ts";

export const authorize: LoadProfile = {
  name: "authorize",
  question: "Are authorization requests fast, and can each authorization code be redeemed only once?",
  phases: [
    // First and short, because the codes are issued during setup and expire soon.
    {
      name: "races",
      seconds: 4,
      streams: [
        { model: "open", step, rate: { perSecond: 50 } },
        { model: "open", step: codeRace, rate: { perSecond: 2 } },
      ],
    },
    // A p99 needs 1,000 responses.
    { name: "signing in", seconds: 11, streams: [{ model: "open", step, rate: { perSecond: 100 } }] },
  ],
  thresholds: [promptResponses({ phase: "signing in", stream: "authorize" }, 99)],
};
