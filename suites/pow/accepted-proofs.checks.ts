import { type Challenge, openSession, requestChallenge, saltOf } from "../support/actors/agent.ts";
import { firstLogin, provenAgent } from "../support/material/agent-controls.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";
import { leadingZeroBits } from "../support/pow/leading-zero-bits.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, warning } from "../support/verdict.ts";
import { findProof, requireBitOrder, requireBits } from "./searches.ts";
import { expectSession } from "./session-requests.ts";

const login = check({
  id: "POW-07/session",
  claim: "A login with the first solution that counting from 0 finds gives 2xx with a session JWT.",
  act: firstLogin,
  assert: expectSession,
});

const loginBodyKey = check({
  id: "POW-07/no-key-in-body",
  claim: "The answer to a login does not repeat the apiKey.",
  act: firstLogin,
  assert: (exchange) =>
    jsonMembers(exchange)["apiKey"] === undefined ? undefined : warning("the answer repeats the apiKey"),
});

/** One solution with exactly as many zero bits as asked for, and fewer when each byte is read from its other end. */
function exactLogin(target: Target): Promise<{ challenge: Challenge; exchange: Exchange }> {
  return target.once("pow:exact-login", async (recording) => {
    const { apiKey } = await provenAgent(recording);
    const challenge = await requestChallenge(recording);
    requireBits(challenge, 1);
    const { difficultyBits: bits } = challenge;
    const otherOrder = { kind: "fewer-than", bits, counting: "lsb" } as const;
    const proof = await findProof(recording, challenge, {
      // Whole zero bytes have no order of bits.
      accept: { all: [{ kind: "exactly", bits }, ...(bits % 8 === 0 ? [] : [otherOrder])] },
      costBits: bits + 1,
    });
    return { challenge, exchange: await openSession(recording, challenge.jwt, { ...proof, apiKey }) };
  });
}

const exactly = check({
  id: "POW-17",
  claim: "A solution with exactly as many leading zero bits as the difficulty is accepted.",
  act: exactLogin,
  assert: ({ exchange }) => expectSession(exchange),
});

const mostSignificantFirst = check({
  id: "POW-20/most-significant-first",
  claim:
    "A solution with enough zero bits from the most significant bit, and too few from the least, is accepted.",
  async act(target) {
    const { challenge, exchange } = await exactLogin(target);
    requireBitOrder(challenge);
    return exchange;
  },
  assert: expectSession,
});

const more = check({
  id: "POW-19",
  claim: "A solution with more leading zero bits than the difficulty is accepted.",
  async act(target) {
    const { apiKey } = await provenAgent(target);
    const challenge = await requestChallenge(target);
    const bits = challenge.difficultyBits + 1;
    const proof = await findProof(target, challenge, { accept: { kind: "at-least", bits }, costBits: bits });
    return openSession(target, challenge.jwt, { ...proof, apiKey });
  },
  assert: expectSession,
});

// Each challenge is solved by nonce 0 with a chance of 1 in 2^d; beyond this too many would be needed.
const mostBitsForNonceZero = 6;

const nonceZero = check({
  id: "POW-23",
  claim: "A solution whose nonce is 0 is accepted.",
  async act(target) {
    const { apiKey } = await provenAgent(target);
    // Six times the expected number leaves a chance of 1 in 400 to find none.
    for (let tries = 0, most = 1; tries < most; tries += 1) {
      const challenge = await requestChallenge(target);
      const { jti, difficultyBits: bits } = challenge;
      if (bits > mostBitsForNonceZero) break;
      most = 6 * 2 ** bits;
      const digest = await powDigest({ jti, nonce: "0", saltHexText: saltOf(target, challenge) });
      if (leadingZeroBits(digest) < bits) continue;
      const powHex = Buffer.from(digest).toString("hex");
      return openSession(target, challenge.jwt, { powHex, nonce: "0", apiKey });
    }
    throw new InconclusiveError(
      "precondition-missing",
      `no challenge came up that nonce 0 solves; they are looked for up to ${mostBitsForNonceZero} bits of difficulty`,
    );
  },
  assert: expectSession,
});

export const acceptedProofChecks = [login, loginBodyKey, exactly, mostSignificantFirst, more, nonceZero];
