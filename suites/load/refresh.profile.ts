import type { LoadProfile } from "../support/load/load-profile.ts";
import { refreshRace } from "../support/load/steps/refresh-race.ts";
import { refresh as step } from "../support/load/steps/refresh.ts";
import { promptResponses } from "./prompt-responses.ts";

export const refresh: LoadProfile = {
  name: "refresh",
  question: "Does each refresh token work exactly once, also when requests race for it?",
  phases: [
    {
      name: "refreshing",
      seconds: 11,
      shortSeconds: 6,
      streams: [
        { model: "open", step, rate: { perSecond: 20 } },
        // Alternates a race with a replay of the raced token.
        { model: "open", step: refreshRace, rate: { perSecond: 2 } },
      ],
    },
  ],
  thresholds: [promptResponses({ phase: "refreshing", stream: "refresh" }, 50)],
};
