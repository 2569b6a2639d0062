import type { LoadProfile, OpenStream } from "../support/load/load-profile.ts";
import type { LoadStep } from "../support/load/load-step.ts";
import { authorize } from "../support/load/steps/authorize.ts";
import { challenge } from "../support/load/steps/challenge.ts";
import { jmapRead } from "../support/load/steps/jmap-read.ts";
import { metadata } from "../support/load/steps/metadata.ts";
import { refresh } from "../support/load/steps/refresh.ts";
import { verifyValid } from "../support/load/steps/verify-valid.ts";
import { promptAnswers } from "./prompt-answers.ts";

const phase = "everything";

function offered(step: LoadStep, perSecond: number): OpenStream {
  return { model: "open", step, rate: { perSecond } };
}

export const mixed: LoadProfile = {
  name: "mixed",
  question:
    "Does everything go on beside everything else, a hundred requests a second in the shares of a usual day?",
  phases: [
    {
      name: phase,
      seconds: 20,
      shortSeconds: 10,
      streams: [
        offered(challenge, 30),
        // Pairs: 40 requests a second.
        offered(jmapRead, 20),
        offered(refresh, 15),
        offered(authorize, 5),
        offered(metadata, 5),
        // The last to be made ready: a proof is good as long as its challenge.
        offered(verifyValid, 5),
      ],
    },
  ],
  // The others are too few to judge by time; their answers are held to the document all the same.
  thresholds: [challenge, jmapRead, refresh].map(({ name }) => promptAnswers({ phase, stream: name }, 50)),
};
