import type { LoadProfile } from "../support/load/load-profile.ts";
import { authorize as step } from "../support/load/steps/authorize.ts";
import { codeRace } from "../support/load/steps/code-race.ts";
import { promptAnswers } from "./prompt-answers.ts";

export const authorize: LoadProfile = {
  name: "authorize",
  question:
    "Are browsers sent to sign in promptly, and does a code give tokens once, however often it is sent?",
  phases: [
    // First, and short: codes are short-lived, and these were issued during the set-up.
    {
      name: "races",
      seconds: 4,
      streams: [
        { model: "open", step, rate: { perSecond: 50 } },
        { model: "open", step: codeRace, rate: { perSecond: 2 } },
      ],
    },
    // A p99 needs a thousand answers.
    { name: "signing in", seconds: 11, streams: [{ model: "open", step, rate: { perSecond: 100 } }] },
  ],
  thresholds: [promptAnswers({ phase: "signing in", stream: "authorize" }, 99)],
};
