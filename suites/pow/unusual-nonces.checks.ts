import { openSession, saltOf } from "../support/actors/agent.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { check, observe } from "../support/judging/check.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { leadingZeroBits } from "../support/pow/leading-zero-bits.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { anyDifficulty, challengeOf, findProof, someWork, tooFewBits } from "./searches.ts";
import { expectRefused, outcome } from "./session-requests.ts";
import { digestBelieved } from "./wrong-proofs.checks.ts";

/** Texts that are not decimal integers, over which the digest was made as they stand. */
const rawTexts = [
  { slug: "negative", words: "a negative number", around: { prefix: "-" }, from: 1 },
  { slug: "word", words: "letters and digits", around: { prefix: "abc" }, from: 0 },
].map(({ slug, words, around, from }) =>
  check({
    id: `POW-30/${slug}`,
    claim: `A login whose nonce is ${words} is refused, even with the right digest over that text.`,
    async act(target) {
      const { apiKey } = await provenAgent(target);
      const challenge = await challengeOf(target, anyDifficulty);
      const bits = challenge.difficultyBits;
      const accept = { kind: "at-least", bits } as const;
      const proof = await findProof(target, challenge, { accept, around, from, costBits: bits });
      return openSession(target, challenge.jwt, { ...proof, apiKey });
    },
    assert: expectRefused,
  }),
);

// Multiples of 1000 beyond 2^53 are exact as JavaScript numbers, and the integer after one is not: it rounds to it.
const beyondExact = { from: 2n ** 53n / 1000n + 1n, around: { suffix: "000" } };

// At one bit every second challenge is.
const mostDraws = 20;

async function logInBeyondExact(target: Target, nonceToSend: (nonce: bigint) => bigint): Promise<Exchange> {
  const { apiKey } = await provenAgent(target);
  for (let tries = 0; tries < mostDraws; tries += 1) {
    const challenge = await challengeOf(target, someWork);
    const { jti, difficultyBits: bits } = challenge;
    const { powHex, nonce } = await findProof(target, challenge, {
      accept: { kind: "at-least", bits },
      ...beyondExact,
      costBits: bits,
    });
    const sent = String(nonceToSend(BigInt(nonce)));
    const digest = await powDigest({ jti, nonce: sent, saltHexText: saltOf(target, challenge) });
    // Another number must not happen to be a solution itself.
    if (sent !== nonce && leadingZeroBits(digest) >= bits) continue;
    return openSession(target, challenge.jwt, { powHex, nonce: sent, apiKey });
  }
  throw new InconclusiveError(
    "precondition-missing",
    `each of ${mostDraws} challenges is solved by the rounded nonce too`,
  );
}

const large = observe({
  id: "POW-32/beyond-2-53",
  question: "Is a login with a right nonce beyond 2^53 accepted?",
  act: (target) => logInBeyondExact(target, (nonce) => nonce),
  answer: outcome,
});

const rounded = check({
  id: "POW-32/rounded",
  claim: "A login with a nonce beyond 2^53 and the digest of the number that it rounds to is refused.",
  act: (target) => logInBeyondExact(target, (nonce) => nonce + 1n),
  assert: (exchange) => expectRefused(exchange, digestBelieved),
});

const hundredDigits = check({
  id: "POW-32/hundred-digits",
  claim: "A login with a nonce of 100 digits that proves nothing is refused.",
  async act(target) {
    const { apiKey } = await provenAgent(target);
    const challenge = await challengeOf(target, someWork);
    const proof = await findProof(target, challenge, {
      accept: { all: tooFewBits(challenge.difficultyBits) },
      from: 10n ** 99n,
      costBits: 0,
    });
    return openSession(target, challenge.jwt, { ...proof, apiKey });
  },
  assert: expectRefused,
});

const wrapped = [32, 64].map((bits) =>
  check({
    id: `POW-32/wrapped-at-${bits}-bits`,
    claim: `A login whose nonce is 2^${bits} more than the nonce of its digest is refused.`,
    act: (target) => logInWithLarger(target, 2n ** BigInt(bits)),
    assert: (exchange) => expectRefused(exchange, "POW-25"),
  }),
);

/** A solution whose nonce is sent with a number added. */
async function logInWithLarger(target: Target, added: bigint): Promise<Exchange> {
  const { apiKey } = await provenAgent(target);
  const challenge = await challengeOf(target, someWork);
  const { jti, difficultyBits: bits } = challenge;
  let from = 0n;
  for (let tries = 0; tries < mostDraws; tries += 1) {
    const accept = { kind: "at-least", bits } as const;
    const { powHex, nonce } = await findProof(target, challenge, { accept, from, costBits: bits });
    const sent = String(BigInt(nonce) + added);
    const digest = await powDigest({ jti, nonce: sent, saltHexText: saltOf(target, challenge) });
    if (leadingZeroBits(digest) < bits)
      return openSession(target, challenge.jwt, { powHex, nonce: sent, apiKey });
    from = BigInt(nonce) + 1n;
  }
  throw new InconclusiveError(
    "precondition-missing",
    `each of ${mostDraws} larger nonces solves the challenge too`,
  );
}

export const unusualNonceChecks = [...rawTexts, large, rounded, hundredDigits, ...wrapped];
