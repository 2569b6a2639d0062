import { controlRefused } from "../support/wire/control-refused.ts";
import { newUsername, openSession } from "../support/actors/agent.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { expectPowRefused, expectThat } from "../support/judging/expect.ts";
import { originOf } from "../support/wire/url.ts";
import { bearer, jsonContentType } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, warning } from "../support/verdict.ts";
import { survivesMalformedBodies } from "./malformed-bodies.checks.ts";
import { findProof } from "./searches.ts";
import { type CorrectLogin, correctLogin, loginBody, outcome } from "./session-requests.ts";
import { mismatchedPair } from "./wrong-proofs.checks.ts";

/** @throws {InconclusiveError} control-refused, when the first use of the challenge was refused */
function requireFirstUse(exchange: Exchange): Exchange {
  if (isSuccess(exchange)) return exchange;
  throw controlRefused("the first use of a challenge", "2xx", exchange);
}

interface Reuse {
  /** The same request again. */
  readonly same: Exchange;
  /** With another right nonce of the challenge. */
  readonly otherNonce: Exchange;
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
    requireFirstUse(await openSession(recording, challenge.jwt, { ...proof, apiKey }));
    return {
      same: await openSession(recording, challenge.jwt, { ...proof, apiKey }),
      otherNonce: await openSession(recording, challenge.jwt, { ...second, apiKey }),
    };
  });
}

/** The refusal, or acceptance, of a challenge that was used before. */
export async function reusedChallenge(target: Target): Promise<Exchange> {
  return (await reuse(target)).same;
}

const again = [
  {
    slug: "same-solution",
    words: "with the same solution",
    pick: ({ same }: Reuse) => same,
  },
  {
    slug: "other-solution",
    words: "with another right solution of it",
    pick: ({ otherNonce }: Reuse) => otherNonce,
  },
].map(({ slug, words, pick }) =>
  check({
    id: `POW-34/${slug}`,
    claim: `A challenge that a login has used is refused for another login ${words}.`,
    needs: [],
    act: reuse,
    assert: (exchanges) => expectPowRefused(pick(exchanges)),
  }),
);

type Body = (login: CorrectLogin, username: string) => Readonly<Record<string, unknown>>;

const asLogin: Body = ({ proof, apiKey }) => ({ ...proof, apiKey });
const asSignup: Body = ({ proof }, username) => ({ ...proof, username });

const acrossModes = [
  { slug: "signup-then-login", first: asSignup, second: asLogin, words: ["a signup", "a login"] },
  { slug: "login-then-signup", first: asLogin, second: asSignup, words: ["a login", "a signup"] },
].map(({ slug, first, second, words }) =>
  check({
    id: `POW-35/${slug}`,
    claim: `A challenge that ${words[0]} has used is refused for ${words[1]}.`,
    needs: [],
    async act(target) {
      const login = await correctLogin(target);
      target.spend("sign_ups");
      const username = newUsername(target);
      requireFirstUse(await openSession(target, login.challenge.jwt, first(login, username)));
      return openSession(target, login.challenge.jwt, second(login, username));
    },
    assert: expectPowRefused,
  }),
);

/** Sends bodies for one challenge at the same moment, over connections that are open already. */
async function atOnce(target: Target, challengeJwt: string, bodies: readonly string[]): Promise<Exchange[]> {
  const connections = bodies.map(() => target.connect(originOf(target.authUrl)));
  try {
    const warmUp = {
      method: "GET",
      url: `${target.authUrl}/.well-known/oauth-authorization-server`,
    };
    await Promise.all(connections.map((connection) => connection.send(warmUp)));
    return await Promise.all(
      connections.map((connection, at) =>
        connection.send({
          method: "POST",
          url: `${target.authUrl}/api/v1/session`,
          headers: [bearer(challengeJwt), jsonContentType],
          body: bodies[at] ?? "",
        }),
      ),
    );
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

function expectOneSession(exchanges: readonly Exchange[]): void {
  const { length } = exchanges.filter(isSuccess);
  expectThat(length <= 1, "one session at most for a challenge", `${length} sessions`);
}

const rounds = 3;
const parallelLogins = 10;

const identical = check({
  id: "POW-36",
  claim: `Of ${parallelLogins} identical logins at the same moment, one at most opens a session, in each of ${rounds} rounds.`,
  async act(target) {
    const outcomes: Exchange[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const login = await correctLogin(target);
      const bodies = Array.from({ length: parallelLogins }, () => loginBody(login));
      const exchanges = await atOnce(target, login.challenge.jwt, bodies);
      if (!exchanges.some(isSuccess)) {
        throw new InconclusiveError(
          "control-refused",
          `none of ${parallelLogins} identical correct logins at the same moment was accepted`,
        );
      }
      outcomes.push(exchanges);
    }
    return outcomes;
  },
  assert(outcomes) {
    for (const exchanges of outcomes) expectOneSession(exchanges);
  },
});

const differentKeys = check({
  id: "POW-37",
  claim:
    "Of five logins with one challenge at the same moment, two with the keys of two agents and three with keys of nobody, one at most opens a session.",
  async act(target) {
    const login = await correctLogin(target);
    const other = await sharedAgent(target, "second");
    const keys = [login.apiKey, unguessable(), other.apiKey, unguessable(), unguessable()];
    return atOnce(
      target,
      login.challenge.jwt,
      keys.map((apiKey) => loginBody(login, { apiKey })),
    );
  },
  assert: expectOneSession,
});

const afterWrongKey = check({
  id: "POW-38",
  claim: "A challenge whose proof of work was right is used up by a login with an unknown apiKey.",
  async act(target) {
    const login = await correctLogin(target);
    const { jwt } = login.challenge;
    const wrong = await openSession(target, jwt, { ...login.proof, apiKey: unguessable() });
    if (isSuccess(wrong))
      throw new InconclusiveError("precondition-missing", "the unknown apiKey opened a session");
    return openSession(target, jwt, { ...login.proof, apiKey: login.apiKey });
  },
  assert(exchange) {
    if (isSuccess(exchange))
      return warning("one proof of work buys any number of guesses at an apiKey: the challenge stays usable");
    return expectPowRefused(exchange);
  },
});

const afterWrongProof = check({
  id: "POW-39/wrong-proof",
  claim: "What the right solution of a challenge gets after a wrong one of it.",
  act: mismatchedPair,
  assert({ wrong, right }) {
    return isSuccess(wrong) ? observation("the wrong solution was accepted") : outcome(right);
  },
});

const afterMalformedBody = check({
  id: "POW-39/malformed-body",
  claim: "Whether a correct login is accepted after malformed ones with the same challenge.",
  act: survivesMalformedBodies,
  assert: (isAccepted) => observation(isAccepted ? "accepted" : "refused, or a malformed one was accepted"),
});

export const singleUseChecks = [
  ...again,
  ...acrossModes,
  identical,
  differentKeys,
  afterWrongKey,
  afterWrongProof,
  afterMalformedBody,
];
