import { type Challenge, openSession, saltOf } from "../support/actors/agent.ts";
import { check, recommend } from "../support/judging/check.ts";
import { recipeOverrides } from "../support/pow/recipes.ts";
import { leadingZeroBits } from "../support/pow/leading-zero-bits.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { challengeOf, someWork } from "./searches.ts";
import { correctLogin, expectRefused } from "./session-requests.ts";
import { digestBelieved } from "./wrong-proofs.checks.ts";

const lastDigit = {
  slug: "last-digit",
  words: "ends in another digit",
  change: (powHex: string) => powHex.slice(0, -1) + (powHex.endsWith("0") ? "1" : "0"),
};

const digestChanges = [
  lastDigit,
  { slug: "all-zeros", words: "is all zeros", change: () => "0".repeat(128) },
];

const wrongDigest = digestChanges.map(({ slug, words, change }) =>
  recommend({
    id: `POW-26/${slug}`,
    claim: `A solution with a right nonce whose \`powHex\` ${words} is refused.`,
    async act(target) {
      const { challenge, proof, apiKey } = await correctLogin(target);
      return openSession(target, challenge.jwt, { ...proof, powHex: change(proof.powHex), apiKey });
    },
    assert: expectRefused,
  }),
);

/**
 * A target may compute the digest again and not look at `powHex` (C-85).
 *
 * @throws {NotApplicableError} when a wrong digest of a right nonce is accepted
 */
async function requireComparedDigest(target: Target): Promise<void> {
  const { challenge, proof, apiKey } = await correctLogin(target);
  const wrong = { ...proof, powHex: lastDigit.change(proof.powHex), apiKey };
  if (isSuccess(await openSession(target.setup, challenge.jwt, wrong)))
    throw new NotApplicableError("`powHex` is not compared with the digest of the nonce");
}

/** Of one nonce, the digest with the right salt has enough zero bits and is not the one that is sent. */
const decodedSalt = check({
  id: "POW-15/right-nonce",
  claim:
    "Where a wrong `powHex` is refused, one made with the bytes that the salt's hexadecimal text decodes to is refused with a right nonce too.",
  async act(target) {
    await requireComparedDigest(target);
    const { challenge, proof, apiKey } = await correctLogin(target);
    const saltHexText = saltOf(target, challenge);
    if (!/^(?:[\da-f]{2})+$/iu.test(saltHexText))
      throw new NotApplicableError("the salt is not a hexadecimal text");
    const input = { jti: challenge.jti, nonce: proof.nonce, saltHexText };
    const digest = await powDigest(input, recipeOverrides("decoded-salt", input));
    const powHex = Buffer.from(digest).toString("hex");
    return openSession(target, challenge.jwt, { ...proof, powHex, apiKey });
  },
  assert: (exchange) => expectRefused(exchange, "POW-15"),
});

/** A challenge that this nonce does not solve. */
export async function challengeUnsolvedBy(target: Target, nonce: string): Promise<Challenge> {
  for (let tries = 0; tries < 20; tries += 1) {
    const challenge = await challengeOf(target, someWork);
    const { jti, difficultyBits } = challenge;
    const digest = await powDigest({ jti, nonce, saltHexText: saltOf(target, challenge) });
    if (leadingZeroBits(digest) < difficultyBits) return challenge;
  }
  throw new InconclusiveError("precondition-missing", `each of 20 challenges is solved by nonce ${nonce}`);
}

const otherBearer = [
  {
    slug: "other-challenge",
    words: "with another challenge as bearer",
    named: () => ({}),
  },
  {
    slug: "jti-in-body",
    words: "with another challenge as bearer and its own `jti` in the body",
    named: ({ jti, jwt }: Challenge) => ({ jti, challenge: jwt }),
  },
].map(({ slug, words, named }) =>
  check({
    id: `POW-33/${slug}`,
    claim: `A solution of one challenge is refused ${words}.`,
    async act(target) {
      const { challenge, proof, apiKey } = await correctLogin(target);
      const other = await challengeUnsolvedBy(target, proof.nonce);
      return openSession(target, other.jwt, { ...proof, apiKey, ...named(challenge) });
    },
    assert: (exchange) => expectRefused(exchange, digestBelieved),
  }),
);

export const bindingChecks = [...wrongDigest, decodedSalt, ...otherBearer];
