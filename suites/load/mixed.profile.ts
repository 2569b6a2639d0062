import type { LoadProfile, OpenStream } from "../support/load/load-profile.ts";
import type { LoadStep } from "../support/load/load-step.ts";
import { authorize } from "../support/load/steps/authorize.ts";
import { challenge } from "../support/load/steps/challenge.ts";
import { jmapRead } from "../support/load/steps/jmap-read.ts";
import { metadata } from "../support/load/steps/metadata.ts";
import { refresh } from "../support/load/steps/refresh.ts";
import { verifyValid } from "../support/load/steps/verify-valid.ts";
import { promptResponses } from "./prompt-responses.ts";

const phase = "everything";

function openStream(step: LoadStep, perSecond: number): OpenStream {
  return { model: "open", step, rate: { perSecond } };
}

export const mixed: LoadProfile = {
  name: "mixed",
  question: "Does the target handle a typical mix of requests, 100 per second in total?",
  phases: [
    {
      name: phase,
      seconds: 20,
      shortSeconds: 10,
      streams: [
        openStream(challenge, 30),
        // Requests are sent in pairs: 40 requests per second.
        openStream(jmapRead, 20),
        openStream(refresh, 15),
        openStream(authorize, 5),
        openStream(metadata, 5),
        // Set up last: a proof of work expires with its challenge.
        openStream(verifyValid, 5),
      ],
    },
  ],
  // The other streams have too few requests for a latency threshold; their responses are still checked.
  thresholds: [challenge, jmapRead, refresh].map(({ name }) => promptResponses({ phase, stream: name }, 50)),
};
