import { controlRefused } from "../support/wire/control-refused.ts";
import { openSession, postSession, requestChallenge, sessionRequest } from "../support/actors/agent.ts";
import { sendSimultaneously } from "../support/actors/simultaneous-requests.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { type Exchange, type HeaderLines, isSuccess } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { bearer, jsonContentType } from "../support/actors/jmap.ts";
import { newUsername } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { inOtherSpelling } from "../support/material/jwt-forgery.ts";
import { findProof } from "./searches.ts";
import { type CorrectLogin, correctLogin, expectRefused, loginBody, outcome } from "./session-requests.ts";
import { mismatchedPair } from "./wrong-proofs.checks.ts";

/** A challenge that is never spent can be used again in every other way too; this judges it by itself. */
const neverSpent = "POW-34/same-solution";

/** @throws {InconclusiveError} control-refused, when the first use of the challenge was refused */
function requireFirstUse(exchange: Exchange, explainedBy: string): void {
  if (!isSuccess(exchange))
    throw controlRefused("the first use of a challenge", "2xx", exchange, explainedBy);
}

interface Reuse {
  /** The same request again. */
  readonly same: Exchange;
  /** With another right nonce of the challenge. */
  readonly otherNonce: Exchange;
  /** As another program at another place might send it. */
  readonly otherCaller: Exchange;
  /** With members that the document does not name. */
  readonly otherMembers: Exchange;
}

function reuse(target: Target): Promise<Reuse> {
  return target.once("pow:reuse", async (recording) => {
    const { challenge, proof, apiKey } = await correctLogin(recording);
    const { difficultyBits: bits } = challenge;
    const second = await findProof(recording, challenge, {
      accept: { kind: "at-least", bits },
      from: BigInt(proof.nonce) + 1n,
      costBits: bits,
    });
    requireFirstUse(
      await openSession(recording.control, challenge.jwt, { ...proof, apiKey }),
      "POW-07/session",
    );
    const same = { ...proof, apiKey };
    return {
      same: await openSession(recording, challenge.jwt, same),
      otherNonce: await openSession(recording, challenge.jwt, { ...second, apiKey }),
      otherCaller: await recording.send(fromElsewhere(sessionRequest(recording, challenge.jwt, same))),
      otherMembers: await openSession(recording, challenge.jwt, { ...unnamedMembers(), ...same }),
    };
  });
}

function fromElsewhere({ url, headers = [], ...request }: Outgoing): Outgoing {
  const lines: HeaderLines = [
    ["User-Agent", "mailproof-elsewhere"],
    ["X-Forwarded-For", "192.0.2.7"],
    ["Origin", "https://app.example.test"],
    ["Accept-Language", "de"],
  ];
  return { ...request, url: `${url}?mailproof=${unguessable()}`, headers: [...headers, ...lines] };
}

/** What a service may take a challenge to be called. */
function unnamedMembers(): Readonly<Record<string, string>> {
  const names = ["jti", "challenge", "challengeId", "challenge_id", "id"];
  return Object.fromEntries(names.map((name) => [name, unguessable()]));
}

/** What a login got whose challenge was used before. */
export async function reusedChallenge(target: Target): Promise<Exchange> {
  return (await reuse(target)).same;
}

const sameSolution = check({
  id: "POW-34/same-solution",
  claim: "A login sent again with the same challenge and solution is refused.",
  act: reusedChallenge,
  assert: expectRefused,
});

const otherSpelling = check({
  id: "POW-34/other-spelling",
  claim: "A login sent again with other unused bits at the end of its challenge's signature is refused.",
  async act(target) {
    const { challenge, proof, apiKey } = await correctLogin(target);
    const respelled = inOtherSpelling(challenge.jwt);
    requireFirstUse(await openSession(target.control, challenge.jwt, { ...proof, apiKey }), "POW-07/session");
    return openSession(target, respelled, { ...proof, apiKey });
  },
  assert: (exchange) => expectRefused(exchange, neverSpent),
});

const otherScheme = check({
  id: "POW-34/lower-case-scheme",
  claim: "A login sent again with the scheme of its `Authorization` header in lower case is refused.",
  async act(target) {
    const { challenge, proof, apiKey } = await correctLogin(target);
    requireFirstUse(await openSession(target.control, challenge.jwt, { ...proof, apiKey }), "POW-07/session");
    return postSession(
      target,
      [["Authorization", `bearer ${challenge.jwt}`], jsonContentType],
      JSON.stringify({ ...proof, apiKey }),
    );
  },
  assert: (exchange) => expectRefused(exchange, neverSpent),
});

const otherSolution = check({
  id: "POW-34/other-solution",
  claim: "A second login with the same challenge and another right solution is refused.",
  act: async (target) => (await reuse(target)).otherNonce,
  assert: (exchange) => expectRefused(exchange, neverSpent),
});

const otherRequests = [
  {
    slug: "other-caller",
    words: "by another program, at another address and with a query",
    of: ({ otherCaller }: Reuse) => otherCaller,
  },
  {
    slug: "other-members",
    words: "with other ids of a challenge in its body",
    of: ({ otherMembers }: Reuse) => otherMembers,
  },
].map(({ slug, words, of }) =>
  check({
    id: `POW-34/${slug}`,
    claim: `A login sent again ${words} is refused.`,
    act: async (target) => of(await reuse(target)),
    assert: (exchange) => expectRefused(exchange, neverSpent),
  }),
);

type Body = (login: CorrectLogin, username: string) => Readonly<Record<string, unknown>>;

const asLogin: Body = ({ proof, apiKey }) => ({ ...proof, apiKey });
const asSignup: Body = ({ proof }, username) => ({ ...proof, username });

const acrossModes = [
  {
    slug: "signup-then-login",
    claim: "A login with a challenge that a signup has used is refused.",
    first: asSignup,
    second: asLogin,
    firstUseJudgedBy: "POW-08",
  },
  {
    slug: "login-then-signup",
    claim: "A signup with a challenge that a login has used is refused.",
    first: asLogin,
    second: asSignup,
    firstUseJudgedBy: "POW-07/session",
  },
].map(({ slug, claim, first, second, firstUseJudgedBy }) =>
  check({
    id: `POW-35/${slug}`,
    claim,
    async act(target) {
      const login = await correctLogin(target);
      target.spend("sign_ups");
      const username = await newUsername(target);
      const { jwt } = login.challenge;
      requireFirstUse(await openSession(target.control, jwt, first(login, username)), firstUseJudgedBy);
      return openSession(target, jwt, second(login, username));
    },
    assert: (exchange) => expectRefused(exchange, neverSpent),
  }),
);

/** Sends bodies for one challenge at the same moment. */
function atOnce(target: Target, challengeJwt: string, bodies: readonly string[]): Promise<Exchange[]> {
  return sendSimultaneously(
    target,
    bodies.map((body) => ({
      method: "POST",
      url: `${target.authUrl}/api/v1/session`,
      headers: [bearer(challengeJwt), jsonContentType],
      body,
    })),
  );
}

function expectOneSession(exchanges: readonly Exchange[], explainedBy: string): void {
  const sessions = exchanges.filter(isSuccess);
  if (sessions.length <= 1) return;
  throw new Violation("at most one session for a challenge", `${sessions.length} sessions`, {
    exchange: sessions[1],
    explainedBy,
  });
}

const rounds = 3;
const parallelLogins = 10;

const identical = check({
  id: "POW-36",
  claim: `Of ${parallelLogins} identical simultaneous logins at most one opens a session, in each of ${rounds} rounds.`,
  async act(target) {
    const outcomes: Exchange[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const login = await correctLogin(target);
      const bodies = Array.from({ length: parallelLogins }, () => loginBody(login));
      const exchanges = await atOnce(target, login.challenge.jwt, bodies);
      if (!exchanges.some(isSuccess)) {
        throw new InconclusiveError(
          "control-refused",
          `${parallelLogins} identical simultaneous logins: expected one to be accepted, all were refused`,
          { exchange: exchanges[0] },
        );
      }
      outcomes.push(exchanges);
    }
    return outcomes;
  },
  assert(outcomes) {
    for (const exchanges of outcomes) expectOneSession(exchanges, neverSpent);
  },
});

const differentKeys = check({
  id: "POW-37",
  claim:
    "Of five simultaneous logins with one challenge, two of them with keys of two agents, at most one opens a session.",
  async act(target) {
    const login = await correctLogin(target);
    const other = await sharedAgent(target, "lone");
    const keys = [login.apiKey, unguessable(), other.apiKey, unguessable(), unguessable()];
    return atOnce(
      target,
      login.challenge.jwt,
      keys.map((apiKey) => loginBody(login, { apiKey })),
    );
  },
  // Where identical logins race, these do too.
  assert: (exchanges) => expectOneSession(exchanges, "POW-36"),
});

const bothModes = check({
  id: "POW-37/signups",
  claim:
    "Of four signups and four logins with one challenge, sent simultaneously, at most one opens a session.",
  async act(target) {
    const login = await correctLogin(target);
    target.spend("sign_ups");
    const bodies: string[] = [];
    for (let pair = 0; pair < 4; pair += 1)
      bodies.push(
        JSON.stringify(asSignup(login, await newUsername(target))),
        JSON.stringify(asLogin(login, "")),
      );
    const exchanges = await atOnce(target, login.challenge.jwt, bodies);
    const [first] = exchanges;
    if (first !== undefined && !exchanges.some(isSuccess))
      throw controlRefused("eight session requests with one challenge", "one accepted", first, "POW-36");
    return exchanges;
  },
  assert: (exchanges) => expectOneSession(exchanges, "POW-36"),
});

const afterWrongProof = observe({
  id: "POW-39/wrong-proof",
  question: "Is the right solution of a challenge accepted after a wrong one of it?",
  act: mismatchedPair,
  answer: ({ wrong, right }) => (isSuccess(wrong) ? "the wrong solution was accepted" : outcome(right)),
});

const afterMalformedBody = observe({
  id: "POW-39/malformed-body",
  question: "Is a correct login accepted after one without `powHex` and `nonce` with the same challenge?",
  act: loginAfterMalformedBody,
  answer: ({ malformed, correct }) =>
    isSuccess(malformed) ? "the malformed login was accepted" : outcome(correct),
});

/** A login whose body lacks its proof of work, and the correct one with the same challenge afterwards. */
function loginAfterMalformedBody(target: Target): Promise<{ malformed: Exchange; correct: Exchange }> {
  return target.once("pow:login-after-malformed-body", async (recording) => {
    const { challenge, proof, apiKey } = await correctLogin(recording);
    return {
      malformed: await openSession(recording, challenge.jwt, { apiKey }),
      correct: await openSession(recording, challenge.jwt, { ...proof, apiKey }),
    };
  });
}

/** Whether a challenge can still be used after the target has refused a malformed body that was sent with it. */
export async function survivesMalformedBody(target: Target): Promise<boolean> {
  const { malformed, correct } = await loginAfterMalformedBody(target.setup);
  return !isSuccess(malformed) && isSuccess(correct);
}

const olderChallenge = observe({
  id: "POW-69/older-challenge",
  question: "Is a challenge still accepted after a newer one was issued?",
  async act(target) {
    const { challenge, proof, apiKey } = await correctLogin(target);
    await requestChallenge(target.setup);
    return openSession(target, challenge.jwt, { ...proof, apiKey });
  },
  answer: outcome,
});

export const singleUseChecks = [
  sameSolution,
  otherSpelling,
  otherScheme,
  otherSolution,
  ...otherRequests,
  ...acrossModes,
  identical,
  differentKeys,
  bothModes,
  afterWrongProof,
  afterMalformedBody,
  olderChallenge,
];
