import {
  bearerIn,
  type Challenge,
  openSession,
  type Proof,
  saltOf,
  sessionRequest,
} from "../support/actors/agent.ts";
import { bearer, jsonContentType } from "../support/actors/jmap.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { otherMethods, otherSpellings } from "../support/material/other-paths.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/outgoing.ts";
import type { Recipe } from "../support/pow/recipes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import {
  bitOrderShows,
  challengeOf,
  type Difficulties,
  enoughOnlyAs,
  enoughOnlyBy,
  findProof,
  onlyBits,
  type ProofSearch,
  someWork,
  tooFewBits,
} from "./searches.ts";
import { expectRefused } from "./session-requests.ts";

/** A digest that is believed without being computed again lets these through too; POW-24 judges that by itself. */
export const digestBelieved = "POW-24";

/** A solution of a fresh challenge that one mistaken verifier would accept. */
interface WrongProof {
  readonly id: string;
  /** Reads after "A solution". */
  readonly words: string;
  readonly difficulties: Difficulties;
  readonly search: (difficultyBits: number, challenge: Challenge, target: Target) => ProofSearch;
  readonly explainedBy?: string;
}

const madeBy = (id: string, words: string, recipe: Recipe): WrongProof => ({
  id,
  words,
  difficulties: someWork,
  search: (bits) => ({ accept: enoughOnlyBy(recipe, bits), recipe, costBits: bits }),
  explainedBy: digestBelieved,
});

const otherRecipes: readonly WrongProof[] = [
  madeBy("POW-12/doubled-N", "made with N=32768", "N=32768"),
  madeBy("POW-12/doubled-r", "made with r=16", "r=16"),
  madeBy("POW-12/doubled-p", "made with p=2", "p=2"),
  // Parameters of an older release that are still accepted make the work cheap.
  madeBy("POW-12/halved-N", "made with N=8192", "N=8192"),
  madeBy("POW-12/sixteenth-of-N", "made with N=1024", "N=1024"),
  madeBy("POW-12/halved-r", "made with r=4", "r=4"),
  madeBy("POW-13/no-colon", "over `jti` and nonce without the colon", "no-colon"),
  madeBy("POW-13/nonce-first", "over nonce, colon and `jti`", "nonce-first"),
  madeBy("POW-13/newline", "over `jti`, colon and nonce with a trailing line feed", "newline"),
  madeBy("POW-15", "made with the bytes that the salt's hexadecimal text decodes to", "decoded-salt"),
  madeBy("POW-14/empty-salt", "made with an empty salt", "empty-salt"),
  {
    id: "POW-16",
    words: "made with the salt's text in the other letter case",
    difficulties: someWork,
    search(bits, challenge, target) {
      const recipe = otherCase(saltOf(target, challenge));
      return { accept: enoughOnlyBy(recipe, bits), recipe, costBits: bits };
    },
    explainedBy: digestBelieved,
  },
];

function otherCase(saltHexText: string): Recipe {
  if (/[a-z]/u.test(saltHexText)) return "upper-salt";
  if (/[A-Z]/u.test(saltHexText)) return "lower-salt";
  throw new InconclusiveError("precondition-missing", "the salt has no letters that could change case");
}

const tooFew: readonly WrongProof[] = [
  {
    id: "POW-18",
    words: "one zero bit short of the difficulty",
    difficulties: someWork,
    search: (bits) => ({ accept: onlyBits(bits - 1, bits), costBits: bits }),
  },
  {
    // Read as a signed integer, such a digest is negative, and so below every bound.
    id: "POW-18/first-bit-set",
    words: "whose digest begins with a one bit",
    difficulties: someWork,
    search: (bits) => ({ accept: onlyBits(0, bits), costBits: 1 }),
  },
  {
    id: "POW-20/least-significant-first",
    words: "with enough zero bits only when each byte is read from its least significant bit",
    difficulties: bitOrderShows,
    search: (bits) => ({ accept: enoughOnlyAs("lsb", bits), costBits: bits + 1 }),
  },
  {
    id: "POW-21/last-byte-first",
    words: "with enough zero bits only at the end of the digest",
    difficulties: someWork,
    search: (bits) => ({ accept: enoughOnlyAs("tail", bits), costBits: bits }),
  },
  {
    id: "POW-21/little-endian-word",
    words: "with enough zero bits only when its first four bytes are a little-endian integer",
    difficulties: someWork,
    search: (bits) => ({ accept: enoughOnlyAs("word32-le", bits), costBits: bits }),
  },
  ...[
    { slug: "hexadecimal-digits", unit: 4, words: "whole hexadecimal digits" },
    { slug: "bytes", unit: 8, words: "whole bytes" },
  ].map(({ slug, unit, words }) => ({
    id: `POW-22/${slug}`,
    words: `with as many zero bits as the difficulty rounded down to ${words}`,
    difficulties: {
      words: `whose difficulty is not a multiple of ${unit}`,
      suit: (bits: number) => bits % unit !== 0,
    },
    search: (bits: number): ProofSearch => ({
      accept: onlyBits(bits - (bits % unit), bits),
      costBits: bits,
    }),
  })),
];

const wrongProofs = [...otherRecipes, ...tooFew].map(({ id, words, difficulties, search, explainedBy }) =>
  check({
    id,
    claim: `A solution ${words} is refused.`,
    async act(target) {
      const { apiKey } = await provenAgent(target);
      const challenge = await challengeOf(target, difficulties);
      const proof = await findProof(target, challenge, search(challenge.difficultyBits, challenge, target));
      return openSession(target, challenge.jwt, { ...proof, apiKey });
    },
    assert: (exchange) => expectRefused(exchange, explainedBy),
  }),
);

const difficultyInRequest = check({
  id: "POW-18/difficulty-in-request",
  claim:
    "A solution one zero bit short is refused, also with a `difficulty` of 0 in the body and in the query.",
  async act(target) {
    const { apiKey } = await provenAgent(target);
    const challenge = await challengeOf(target, someWork);
    const bits = challenge.difficultyBits;
    const proof = await findProof(target, challenge, { accept: onlyBits(bits - 1, bits), costBits: bits });
    return target.send({
      method: "POST",
      url: `${target.authUrl}/api/v1/session?difficulty=0`,
      headers: [bearer(challenge.jwt), jsonContentType],
      body: JSON.stringify({ ...proof, apiKey, difficulty: 0 }),
    });
  },
  assert: (exchange) => expectRefused(exchange, "POW-18"),
});

/** A nonce that proves nothing, found with hardly any search. */
async function uselessProof(target: Target, challenge: Challenge): Promise<Proof> {
  const accept = { all: tooFewBits(challenge.difficultyBits) };
  return findProof(target, challenge, { accept, costBits: 0 });
}

const forgedZeros = [
  {
    slug: "all-zeros",
    words: "is all zeros",
    powHex: () => "0".repeat(128),
  },
  {
    slug: "zeros-then-ones",
    words: "begins with enough zeros",
    powHex: (difficultyBits: number) => "0".repeat(Math.ceil(difficultyBits / 4)).padEnd(128, "f"),
  },
].map(({ slug, words, powHex }) =>
  check({
    id: `POW-24/${slug}`,
    claim: `A solution whose \`powHex\` ${words} while its nonce proves nothing is refused.`,
    async act(target) {
      const { apiKey } = await provenAgent(target);
      const challenge = await challengeOf(target, someWork);
      const { nonce } = await uselessProof(target, challenge);
      return openSession(target, challenge.jwt, {
        powHex: powHex(challenge.difficultyBits),
        nonce,
        apiKey,
      });
    },
    assert: expectRefused,
  }),
);

export interface MismatchedPair {
  readonly wrong: Exchange;
  /** The right pair with the same challenge afterwards. */
  readonly right: Exchange;
}

/** The digest of one nonce with another nonce, and then the right pair. */
export function mismatchedPair(target: Target): Promise<MismatchedPair> {
  return target.once("pow:mismatched-pair", async (recording) => {
    const { apiKey } = await provenAgent(recording);
    const challenge = await challengeOf(recording, someWork);
    const useless = await uselessProof(recording, challenge);
    const proof = await findProof(recording, challenge, {
      accept: { kind: "at-least", bits: challenge.difficultyBits },
      costBits: challenge.difficultyBits,
    });
    const wrong = { powHex: proof.powHex, nonce: useless.nonce, apiKey };
    return {
      wrong: await openSession(recording, challenge.jwt, wrong),
      right: await openSession(recording, challenge.jwt, { ...proof, apiKey }),
    };
  });
}

const digestOfAnotherNonce = check({
  id: "POW-25",
  claim: "A solution with the digest of one nonce and another nonce that proves nothing is refused.",
  act: async (target) => (await mismatchedPair(target)).wrong,
  assert: (exchange) => expectRefused(exchange, digestBelieved),
});

// Where there is no such address, nobody has looked at the challenge.
const unseen = [301, 302, 307, 308, 404, 405];

const elsewhere = check({
  id: "POW-24/other-paths",
  claim: `No other spelling of the path \`/api/v1/session\`, nor ${otherMethods.join(", ")}, opens a session for a nonce that proves nothing.`,
  async act(target) {
    const { apiKey } = await provenAgent(target);
    const path = "/api/v1/session";
    const requests = [
      ...otherSpellings(path).map((spelling) => ({ url: `${target.authUrl}${spelling}` })),
      ...otherMethods.map((method) => ({ method })),
    ];
    const exchanges: Exchange[] = [];
    let attempt: Outgoing | undefined;
    for (const request of requests) {
      attempt ??= await unprovenLogin(target, apiKey);
      const exchange = await target.send({ ...attempt, ...request });
      exchanges.push(exchange);
      if (!unseen.includes(exchange.response.status)) attempt = undefined;
    }
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      explained("POW-24/all-zeros", () =>
        expectThat(bearerIn(exchange) === undefined, "no session", summary(exchange), exchange),
      );
  },
});

async function unprovenLogin(target: Target, apiKey: string): Promise<Outgoing> {
  const challenge = await challengeOf(target.setup, someWork);
  const { nonce } = await uselessProof(target, challenge);
  return sessionRequest(target, challenge.jwt, { powHex: "0".repeat(128), nonce, apiKey });
}

export const wrongProofChecks = [
  ...wrongProofs,
  difficultyInRequest,
  ...forgedZeros,
  digestOfAnotherNonce,
  elsewhere,
];
