import { randomBytes, randomInt } from "node:crypto";
import { type Agent, type Challenge, saltOf, sessionRequest } from "../../actors/agent.ts";
import { type Exchange, isSuccess, summary } from "../../wire/exchange.ts";
import { expectPowRefused, isRefusalStatus } from "../../judging/expect.ts";
import { leadingZeroBits } from "../../pow/leading-zero-bits.ts";
import { powDigestSync } from "../../pow/scrypt-digest.ts";
import type { Target } from "../../target/target.ts";
import { Violation } from "../../verdict.ts";
import type { Volley } from "../load-step.ts";

export interface ForgedProof {
  readonly powHex: string;
  readonly nonce: string;
}

const digestBytes = 64;
// Exact as a JavaScript number, so that no implementation reads another nonce.
const mostNonce = 2 ** 40;

/** Claims the zero bits, and nothing stands behind it: only scrypt can tell. */
export function claimedZeros(difficultyBits: number): ForgedProof {
  const claimed = randomBytes(digestBytes).fill(0, 0, Math.ceil(difficultyBits / 8));
  return { powHex: claimed.toString("hex"), nonce: String(randomInt(mostNonce)) };
}

/** Does not even claim them: its first bit is set. */
export function noZeros(): ForgedProof {
  const claimed = randomBytes(digestBytes).fill(0xff, 0, 1);
  return { powHex: claimed.toString("hex"), nonce: String(randomInt(mostNonce)) };
}

/** A login with a forged proof, which must be refused. */
export function forgedLogin(target: Target, agent: Agent, challenge: Challenge, proof: ForgedProof): Volley {
  return {
    requests: [sessionRequest(target, challenge.jwt, { ...proof, apiKey: agent.apiKey })],
    // A session is looked at closely rather than counted as wrong: once in 2^difficulty the nonce happens to be right.
    isPlanned: (status) => isRefusalStatus(status) || (status >= 200 && status < 300),
    judge([exchange]) {
      if (exchange !== undefined) expectForgeryRefused(target, challenge, proof, exchange);
    },
  };
}

/** Refused, or accepted by a target that computes the digest anew and found it right: the document lets it ignore `powHex`. */
export function expectForgeryRefused(
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
