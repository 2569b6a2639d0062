import {
  type Challenge,
  openSession,
  type Proof,
  requestChallenge,
  saltOf,
} from "../support/actors/agent.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { check } from "../support/judging/check.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { expectPowRefused } from "../support/judging/expect.ts";
import type { Recipe } from "../support/pow/recipes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import {
  enoughOnlyAs,
  enoughOnlyBy,
  findProof,
  onlyBits,
  type ProofSearch,
  requireBitOrder,
  requireBits,
  tooFewBits,
} from "./searches.ts";

/** A solution of a fresh challenge that one mistaken verifier would accept. */
interface WrongProof {
  readonly id: string;
  /** Reads after "A login with a solution". */
  readonly words: string;
  readonly search: (difficultyBits: number, challenge: Challenge, target: Target) => ProofSearch;
}

const madeBy = (id: string, words: string, recipe: Recipe): WrongProof => ({
  id,
  words,
  search: (bits) => ({ accept: enoughOnlyBy(recipe, bits), recipe, costBits: bits }),
});

const otherRecipes: readonly WrongProof[] = [
  madeBy("POW-12/doubled-N", "made with N=32768", "N=32768"),
  madeBy("POW-12/doubled-r", "made with r=16", "r=16"),
  madeBy("POW-12/doubled-p", "made with p=2", "p=2"),
  madeBy("POW-13/no-colon", "over jti and nonce without the colon", "no-colon"),
  madeBy("POW-13/nonce-first", "over nonce:jti", "nonce-first"),
  madeBy("POW-13/newline", "over jti:nonce and a line feed", "newline"),
  madeBy("POW-15", "made with the bytes that the salt's hexadecimal text decodes to", "decoded-salt"),
  {
    id: "POW-16",
    words: "made with the salt's text in the other case",
    search(bits, challenge, target) {
      const recipe = otherCase(saltOf(target, challenge));
      return { accept: enoughOnlyBy(recipe, bits), recipe, costBits: bits };
    },
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
    search: (bits) => ({ accept: onlyBits(bits - 1, bits), costBits: bits }),
  },
  {
    id: "POW-20/least-significant-first",
    words: "that has enough zero bits only when each byte is read from its least significant bit",
    search(bits, challenge) {
      requireBitOrder(challenge);
      return { accept: enoughOnlyAs("lsb", bits), costBits: bits + 1 };
    },
  },
  {
    id: "POW-21/last-byte-first",
    words: "that has enough zero bits only at the end of the digest",
    search: (bits) => ({ accept: enoughOnlyAs("tail", bits), costBits: bits }),
  },
  {
    id: "POW-21/little-endian-word",
    words: "that has enough zero bits only when its first four bytes are a little-endian integer",
    search: (bits) => ({ accept: enoughOnlyAs("word32-le", bits), costBits: bits }),
  },
  ...[
    { slug: "hexadecimal-digits", unit: 4 },
    { slug: "bytes", unit: 8 },
  ].map(({ slug, unit }) => ({
    id: `POW-22/${slug}`,
    words: `with as many zero bits as the difficulty rounded down to whole ${slug.replace("-", " ")}`,
    search(bits: number): ProofSearch {
      if (bits % unit === 0) {
        throw new InconclusiveError(
          "precondition-missing",
          `a difficulty of ${bits} is a whole number of ${slug.replace("-", " ")}, so rounding changes nothing`,
        );
      }
      return { accept: onlyBits(bits - (bits % unit), bits), costBits: bits };
    },
  })),
];

const wrongProofs = [...otherRecipes, ...tooFew].map(({ id, words, search }) =>
  check({
    id,
    claim: `A login with a solution ${words} is refused.`,
    needs: [],
    async act(target) {
      const { apiKey } = await provenAgent(target);
      const challenge = await requestChallenge(target);
      requireBits(challenge, 1);
      const proof = await findProof(target, challenge, search(challenge.difficultyBits, challenge, target));
      return openSession(target, challenge.jwt, { ...proof, apiKey });
    },
    assert: expectPowRefused,
  }),
);

/** A nonce that proves nothing, found with hardly any search. */
async function uselessProof(target: Target, challenge: Challenge): Promise<Proof> {
  requireBits(challenge, 1);
  const { difficultyBits } = challenge;
  return findProof(target, challenge, { accept: { all: tooFewBits(difficultyBits) }, costBits: 0 });
}

const forgedZeros = [
  { slug: "all-zeros", words: "nothing but zeros", tail: "" },
  {
    slug: "zeros-then-ones",
    words: "enough zeros and then ones",
    tail: "f",
  },
].map(({ slug, words, tail }) =>
  check({
    id: `POW-24/${slug}`,
    claim: `A login whose powHex is ${words} while the nonce proves nothing is refused.`,
    needs: [],
    async act(target) {
      const { apiKey } = await provenAgent(target);
      const challenge = await requestChallenge(target);
      const { nonce } = await uselessProof(target, challenge);
      const zeros = "0".repeat(tail === "" ? 128 : Math.ceil(challenge.difficultyBits / 4));
      return openSession(target, challenge.jwt, { powHex: zeros.padEnd(128, tail || "0"), nonce, apiKey });
    },
    assert: expectPowRefused,
  }),
);

interface Mismatch {
  readonly wrong: Exchange;
  /** The right pair with the same challenge afterwards. */
  readonly right: Exchange;
}

/** The digest of one nonce with another nonce, and then the right pair. */
export function mismatchedPair(target: Target): Promise<Mismatch> {
  return target.once("pow:mismatched-pair", async (recording) => {
    const { apiKey } = await provenAgent(recording);
    const challenge = await requestChallenge(recording);
    const useless = await uselessProof(recording, challenge);
    const proof = await findProof(recording, challenge, {
      accept: { kind: "at-least", bits: challenge.difficultyBits },
      costBits: challenge.difficultyBits,
    });
    return {
      wrong: await openSession(recording, challenge.jwt, {
        powHex: proof.powHex,
        nonce: useless.nonce,
        apiKey,
      }),
      right: await openSession(recording, challenge.jwt, { ...proof, apiKey }),
    };
  });
}

const digestOfAnotherNonce = check({
  id: "POW-25",
  claim: "A login with the right digest of one nonce and another nonce that proves nothing is refused.",
  act: mismatchedPair,
  assert: ({ wrong }) => expectPowRefused(wrong),
});

export const wrongProofChecks = [...wrongProofs, ...forgedZeros, digestOfAnotherNonce];
