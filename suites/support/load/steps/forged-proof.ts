import { randomBytes, randomInt } from "node:crypto";
import { type Agent, type Challenge, saltOf, sessionRequest } from "../../actors/agent.ts";
import { type Exchange, isSuccess, summary } from "../../wire/exchange.ts";
import { expectPowRefused, isRefusalStatus } from "../../judging/expect.ts";
import { leadingZeroBits } from "../../pow/leading-zero-bits.ts";
import { powDigestSync } from "../../pow/scrypt-digest.ts";
import type { Target } from "../../target/target.ts";
import { Violation } from "../../verdict.ts";
import type { Batch } from "../load-step.ts";

export interface ForgedProof {
  readonly powHex: string;
  readonly nonce: string;
}

const digestBytes = 64;
// A safe integer in JavaScript.
const maxNonce = 2 ** 40;

/** Claims a digest with enough zero bits, so that only scrypt reveals the forgery. */
export function claimedZeros(difficultyBits: number): ForgedProof {
  const claimed = randomBytes(digestBytes).fill(0, 0, Math.ceil(difficultyBits / 8));
  return { powHex: claimed.toString("hex"), nonce: String(randomInt(maxNonce)) };
}

/** Claims a digest without leading zero bits. */
export function claimedNoZeros(): ForgedProof {
  const claimed = randomBytes(digestBytes).fill(0xff, 0, 1);
  return { powHex: claimed.toString("hex"), nonce: String(randomInt(maxNonce)) };
}

export function forgedLogin(target: Target, agent: Agent, challenge: Challenge, proof: ForgedProof): Batch {
  return {
    requests: [sessionRequest(target, challenge.jwt, { ...proof, apiKey: agent.apiKey })],
    // 2xx is judged in `judge`: the random nonce is valid with probability 2^-difficulty.
    isExpectedStatus: (status) => isRefusalStatus(status) || (status >= 200 && status < 300),
    judge([exchange]) {
      if (exchange !== undefined) expectForgeryRefused(target, challenge, proof, exchange);
    },
  };
}

/** Refused, or accepted if the nonce happens to be valid: the document lets a target ignore `powHex` and recompute it. */
function expectForgeryRefused(
  target: Target,
  challenge: Challenge,
  { nonce }: ForgedProof,
  exchange: Exchange,
): void {
  if (!isSuccess(exchange)) {
    expectPowRefused(exchange);
    return;
  }
  const digest = powDigestSync({ jti: challenge.jti, nonce, saltHexText: saltOf(target, challenge) });
  if (leadingZeroBits(digest) < challenge.difficultyBits)
    throw new Violation(
      "a forged proof of work to be refused",
      `${summary(exchange)} for a nonce whose digest has ${leadingZeroBits(digest)} leading zero bits of ${challenge.difficultyBits}`,
    );
}
