import type { LoadProfile } from "../support/load/load-profile.ts";
import { refreshRace } from "../support/load/steps/refresh-race.ts";
import { refresh as step } from "../support/load/steps/refresh.ts";
import { promptAnswers } from "./prompt-answers.ts";

export const refresh: LoadProfile = {
  name: "refresh",
  question: "Does every refresh token work once and no more, one after the other and in races?",
  phases: [
    {
      name: "refreshing",
      seconds: 11,
      shortSeconds: 6,
      streams: [
        { model: "open", step, rate: { perSecond: 20 } },
        // A race and a reuse in turn.
        { model: "open", step: refreshRace, rate: { perSecond: 2 } },
      ],
    },
  ],
  thresholds: [promptAnswers({ phase: "refreshing", stream: "refresh" }, 50)],
};
