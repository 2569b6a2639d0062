import { postCapability } from "../support/actors/agent.ts";
import { bearer, getAgents } from "../support/actors/jmap.ts";
import { type Check, observe } from "../support/judging/check.ts";
import { isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { beforeOf } from "./acknowledged.ts";

/** Where the document says nothing about what outlives a restart. */

const accessToken = observe({
  id: "BEARER-01/restarted",
  question: "Does an access token from before a restart still work?",
  needs: ["human"],
  unlockedBy: "restart",
  async act(target) {
    const { current } = await beforeOf(target, "restarted", "grants");
    return Promise.all(current.map(({ tokens }) => getAgents(target, [bearer(tokens.access_token)])));
  },
  answer: (answers) =>
    answers.map((answer) => `${isSuccess(answer) ? "yes" : "no"}: ${summary(answer)}`).join("; "),
});

const session = observe({
  id: "POW-49/restarted",
  question: "Does a session JWT from before a restart still mint capability JWTs?",
  unlockedBy: "restart",
  async act(target) {
    const { sessionJwt } = await beforeOf(target, "restarted", "agents");
    return postCapability(target, sessionJwt);
  },
  answer: (answer) => `${isSuccess(answer) ? "yes" : "no"}: ${summary(answer)}`,
});

const signingKeys = observe({
  id: "JWKS-02/restarted",
  question: "How many of the signing keys from before a restart are still published?",
  needs: ["human"],
  unlockedBy: "restart",
  async act(target) {
    const { keysBefore } = await beforeOf(target, "restarted", "grants");
    const after = await target.send({ method: "GET", url: `${target.authUrl}/.well-known/jwks.json` });
    return { keysBefore, after };
  },
  answer({ keysBefore, after }) {
    const keys = jsonMembers(after)["keys"];
    const published = new Set(Array.isArray(keys) ? keys.map((key) => JSON.stringify(key)) : []);
    return `${keysBefore.filter((key) => published.has(key)).length} of ${keysBefore.length}`;
  },
});

// The access token is looked at before a refresh, which may end it.
export const silenceChecks: readonly Check[] = [accessToken, session, signingKeys];
