import type { LoadProfile, OpenStream } from "../support/load/load-profile.ts";
import { challenge } from "../support/load/steps/challenge.ts";
import { metadata } from "../support/load/steps/metadata.ts";
import { promptAnswers } from "./prompt-answers.ts";

const streams: readonly OpenStream[] = [challenge, metadata].map((step) => ({
  model: "open",
  step,
  rate: { perSecond: 100 },
  newConnections: true,
}));
const phase = "churn";

export const churn: LoadProfile = {
  name: "churn",
  question: "Does the target take a new connection for each request, two hundred a second, and lose none?",
  phases: [
    { name: "warm-up", isWarmUp: true, seconds: 1, streams },
    // A p99 needs a thousand answers.
    { name: phase, seconds: 11, streams },
  ],
  thresholds: streams.map(({ step: { name } }) => promptAnswers({ phase, stream: name }, 99)),
};
