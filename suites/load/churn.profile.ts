import type { LoadProfile, OpenStream } from "../support/load/load-profile.ts";
import { challenge } from "../support/load/steps/challenge.ts";
import { metadata } from "../support/load/steps/metadata.ts";
import { promptResponses } from "./prompt-responses.ts";

const streams: readonly OpenStream[] = [challenge, metadata].map((step) => ({
  model: "open",
  step,
  rate: { perSecond: 100 },
  newConnections: true,
}));
const phase = "churn";

export const churn: LoadProfile = {
  name: "churn",
  question: "Does the target handle 200 new connections per second, one per request, without losing any?",
  phases: [
    { name: "warm-up", isWarmUp: true, seconds: 1, streams },
    // A p99 needs 1,000 responses.
    { name: phase, seconds: 11, streams },
  ],
  thresholds: streams.map(({ step: { name } }) => promptResponses({ phase, stream: name }, 99)),
};
