import { jmapAs, jmapBody, methodResponses } from "../support/actors/jmap.ts";
import { agentResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { freshGrant } from "../support/material/grants.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { expectNotSent, harmlessCall, readOnlyTrial, trySendingAlone } from "./send-attempts.ts";
import { sendCall } from "./submissions.ts";

/** JMAP may refuse a token for a single inbox altogether (C-08). Document, "Authentication", OAuth 2.0 path 6 and 11. */
export const singleInboxChecks = [
  check({
    id: "SCOPE-14/single-inbox",
    claim: "A `mail.read` token for a single inbox sends nothing, where JMAP serves it at all.",
    needs: ["human"],
    async act(target) {
      const trial = await readOnlyTrial(target);
      const { accountId } = trial.route.from;
      const resource = agentResource(target, accountId);
      const { tokens } = await freshGrant(target.setup, { resource, scope: "mail.read" });
      const token = tokens.access_token;
      const served = await jmapAs(target.setup, token, accountId, jmapBody([harmlessCall]));
      if (methodResponses(served) === undefined)
        throw new NotApplicableError("JMAP serves no token for a single inbox");
      return trySendingAlone(target, { ...trial, token }, sendCall(trial.message));
    },
    assert: expectNotSent,
  }),
];
