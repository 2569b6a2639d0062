import { openSession, postSession } from "../support/actors/agent.ts";
import { observe } from "../support/judging/check.ts";
import { bearer, jsonContentType } from "../support/actors/jmap.ts";
import { newUsername } from "../support/material/usernames.ts";
import { encodeParameters } from "../support/wire/parameters.ts";
import { type Flaw, flawChecks } from "./flawed-logins.ts";
import { withClaims, withOtherSignature } from "../support/material/jwt-forgery.ts";
import { correctLogin, loginBody, outcome } from "./session-requests.ts";

/** Where no signature is verified, other changes and forgeries are accepted too; this judges it by itself. */
export const signatureIgnored = "POW-42/other-signature";

const oneYearSeconds = 365 * 24 * 3600;

/** Where and how the challenge is sent, with a solution that is right. */
const flaws: readonly Flaw[] = [
  {
    id: "POW-43/no-header",
    words: "without an `Authorization` header",
    send: (target, login) => postSession(target, [jsonContentType], loginBody(login)),
  },
  {
    id: "POW-43/empty-token",
    words: "whose `Authorization` header ends after `Bearer`",
    send: (target, login) =>
      postSession(target, [["Authorization", "Bearer "], jsonContentType], loginBody(login)),
  },
  {
    id: "POW-43/basic",
    words: "with the challenge under the scheme `Basic`",
    send: (target, login) =>
      postSession(
        target,
        [["Authorization", `Basic ${login.challenge.jwt}`], jsonContentType],
        loginBody(login),
      ),
  },
  {
    id: "POW-43/no-scheme",
    words: "with the challenge in the `Authorization` header without a scheme",
    send: (target, login) =>
      postSession(target, [["Authorization", login.challenge.jwt], jsonContentType], loginBody(login)),
  },
  {
    id: "POW-43/body",
    words: "with the challenge and its `jti` in the body alone",
    send: (target, login) =>
      postSession(
        target,
        [jsonContentType],
        loginBody(login, {
          challenge: login.challenge.jwt,
          token: login.challenge.jwt,
          jti: login.challenge.jti,
        }),
      ),
  },
  {
    id: "POW-43/query",
    words: "with the challenge in the query alone",
    send: (target, login) =>
      target.send({
        method: "POST",
        url: `${target.authUrl}/api/v1/session?${encodeParameters([
          ["access_token", login.challenge.jwt],
          ["challenge", login.challenge.jwt],
        ])}`,
        headers: [jsonContentType],
        body: loginBody(login),
      }),
  },
  {
    id: "POW-43/cookie",
    words: "with the challenge in cookies alone",
    send: (target, login) =>
      postSession(
        target,
        [
          ["Cookie", `challenge=${login.challenge.jwt}; Authorization=${login.challenge.jwt}`],
          jsonContentType,
        ],
        loginBody(login),
      ),
  },
  {
    id: "POW-42/later-expiry",
    words: "whose challenge was given a later `exp` under its old signature",
    explainedBy: signatureIgnored,
    send: (target, login) =>
      postSession(
        target,
        [
          bearer(
            withClaims(login.challenge.jwt, ({ exp }) => ({
              exp: (typeof exp === "number" ? exp : 0) + oneYearSeconds,
            })),
          ),
          jsonContentType,
        ],
        loginBody(login),
      ),
  },
  {
    id: "POW-42/other-signature",
    words: "whose challenge has some bits of its signature changed",
    send: (target, login) =>
      postSession(
        target,
        [bearer(withOtherSignature(login.challenge.jwt)), jsonContentType],
        loginBody(login),
      ),
  },
];

const lowerCaseScheme = observe({
  id: "POW-43/lower-case-scheme",
  question: "Is a correct login with the scheme `bearer` in lower case accepted?",
  async act(target) {
    const login = await correctLogin(target);
    return postSession(
      target,
      [["Authorization", `bearer ${login.challenge.jwt}`], jsonContentType],
      loginBody(login),
    );
  },
  answer: outcome,
});

const bothModes = observe({
  id: "POW-45/both",
  question: "Is a correct login that names a new `username` as well accepted?",
  async act(target) {
    target.spend("sign_ups");
    const { challenge, proof, apiKey } = await correctLogin(target);
    return openSession(target, challenge.jwt, { ...proof, apiKey, username: await newUsername(target) });
  },
  answer: outcome,
});

export const challengePlacementChecks = [...flawChecks("placement", flaws), lowerCaseScheme, bothModes];
