import { openSession, solvedChallenge } from "../support/actors/agent.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { recommend } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { newUsername } from "../support/material/usernames.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { namedAgent } from "./named-agent.ts";
import { correctLogin, expectRefused } from "./session-requests.ts";

const afterWrongKey = recommend({
  id: "POW-38",
  claim: "After a login with a right proof of work and an unknown `apiKey`, its challenge opens no session.",
  async act(target) {
    const login = await correctLogin(target);
    const { jwt } = login.challenge;
    const wrong = await openSession(target.setup, jwt, { ...login.proof, apiKey: unguessable() });
    if (isSuccess(wrong)) {
      throw new InconclusiveError("precondition-missing", "the unknown apiKey opened a session", {
        exchange: wrong,
        explainedBy: "POW-44",
      });
    }
    return openSession(target, jwt, { ...login.proof, apiKey: login.apiKey });
  },
  assert: expectRefused,
});

const afterTakenName = recommend({
  id: "POW-38/taken-name",
  claim:
    "After a signup with a right proof of work and the `username` of another agent, its challenge opens no session.",
  async act(target) {
    const { username: taken } = await target.setup.once("pow:named-agent", namedAgent);
    const { challenge, proof } = await solvedChallenge(target.setup);
    const refused = await openSession(target.setup, challenge.jwt, { ...proof, username: taken });
    if (isSuccess(refused)) throw new NotApplicableError("two agents may have one name");
    target.spend("sign_ups");
    return openSession(target, challenge.jwt, { ...proof, username: await newUsername(target) });
  },
  assert: (exchange) => explained("POW-38", () => expectRefused(exchange)),
});

/** One proof of work buys one guess. Document, "Endpoints", session request bodies. */
export const guessChecks = [afterWrongKey, afterTakenName];
