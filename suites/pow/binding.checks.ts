import { type Challenge, openSession, requestChallenge, saltOf } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { expectPowRefused } from "../support/judging/expect.ts";
import { leadingZeroBits } from "../support/pow/leading-zero-bits.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, warning } from "../support/verdict.ts";
import { requireBits } from "./searches.ts";
import { correctLogin } from "./session-requests.ts";

const digestChanges = [
  {
    slug: "last-digit",
    words: "has another last digit",
    change: (powHex: string) => powHex.slice(0, -1) + (powHex.endsWith("0") ? "1" : "0"),
  },
  { slug: "all-zeros", words: "is all zeros", change: () => "0".repeat(128) },
];

const wrongDigest = digestChanges.map(({ slug, words, change }) =>
  check({
    id: `POW-26/${slug}`,
    claim: `A login with a right nonce whose powHex ${words} is refused.`,
    needs: [],
    async act(target) {
      const { challenge, proof, apiKey } = await correctLogin(target);
      return openSession(target, challenge.jwt, { ...proof, powHex: change(proof.powHex), apiKey });
    },
    assert(exchange) {
      // The work was done, so nothing is won by it.
      if (isSuccess(exchange))
        return warning("accepted: the digest is computed anew and powHex is not looked at");
      return expectPowRefused(exchange);
    },
  }),
);

/** A challenge that this nonce does not solve. */
async function challengeUnsolvedBy(target: Target, nonce: string): Promise<Challenge> {
  for (let tries = 0; tries < 20; tries += 1) {
    const challenge = await requestChallenge(target);
    const { jti, difficultyBits } = challenge;
    requireBits(challenge, 1);
    const digest = await powDigest({ jti, nonce, saltHexText: saltOf(target, challenge) });
    if (leadingZeroBits(digest) < difficultyBits) return challenge;
  }
  throw new InconclusiveError("precondition-missing", `each of 20 challenges is solved by nonce ${nonce}`);
}

const swapped = check({
  id: "POW-33/other-challenge",
  claim: "A solution of one challenge is refused with another challenge as bearer.",
  async act(target) {
    const { proof, apiKey } = await correctLogin(target);
    const other = await challengeUnsolvedBy(target, proof.nonce);
    return openSession(target, other.jwt, { ...proof, apiKey });
  },
  assert: expectPowRefused,
});

const namedInBody = check({
  id: "POW-33/jti-in-body",
  claim:
    "A solution of one challenge is refused with another challenge as bearer and its own jti in the body.",
  async act(target) {
    const { challenge, proof, apiKey } = await correctLogin(target);
    const other = await challengeUnsolvedBy(target, proof.nonce);
    return openSession(target, other.jwt, {
      ...proof,
      apiKey,
      jti: challenge.jti,
      challenge: challenge.jwt,
    });
  },
  assert: expectPowRefused,
});

export const bindingChecks = [...wrongDigest, swapped, namedInBody];
