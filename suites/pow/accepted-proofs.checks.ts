import { type Challenge, openSession, saltOf } from "../support/actors/agent.ts";
import { firstLogin, provenAgent } from "../support/material/agent-controls.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { leadingZeroBits } from "../support/pow/leading-zero-bits.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import {
  anyDifficulty,
  bitOrderShows,
  challengeOf,
  type Difficulties,
  findProof,
  type ProofSearch,
  someWork,
} from "./searches.ts";
import { expectSession } from "./session-requests.ts";

const login = check({
  id: "POW-07/session",
  claim: "A login with the first solution that counting from 0 finds returns a session JWT.",
  act: firstLogin,
  assert: expectSession,
});

const exactly = check({
  id: "POW-17",
  claim: "A solution with exactly as many leading zero bits as the difficulty is accepted.",
  act: (target) =>
    logInWith(target, someWork, (bits) => ({ accept: { kind: "exactly", bits }, costBits: bits + 1 })),
  assert: expectSession,
});

const mostSignificantFirst = check({
  id: "POW-20/most-significant-first",
  claim:
    "A solution with enough zero bits only when each byte is read from its most significant bit is accepted.",
  act: (target) =>
    logInWith(target, bitOrderShows, (bits) => ({
      accept: {
        all: [
          { kind: "at-least", bits },
          { kind: "fewer-than", bits, counting: "lsb" },
        ],
      },
      costBits: bits + 1,
    })),
  assert: expectSession,
});

const more = check({
  id: "POW-19",
  claim: "A solution with more leading zero bits than the difficulty is accepted.",
  act: (target) =>
    logInWith(target, anyDifficulty, (bits) => ({
      accept: { kind: "at-least", bits: bits + 1 },
      costBits: bits + 1,
    })),
  assert: expectSession,
});

const mostTries = 3;

/** Logs in with a proof of a certain kind, again with a fresh challenge where looking for it took longer than one lives. */
async function logInWith(
  target: Target,
  difficulties: Difficulties,
  search: (difficultyBits: number) => ProofSearch,
): Promise<Exchange> {
  const { apiKey } = await provenAgent(target);
  for (let tries = 1; ; tries += 1) {
    const challenge = await challengeOf(target, difficulties);
    const requestedAtMs = performance.now();
    const proof = await findProof(target, challenge, search(challenge.difficultyBits));
    const exchange = await openSession(target, challenge.jwt, { ...proof, apiKey });
    const ageSeconds = (performance.now() - requestedAtMs) / 1000;
    if (isSuccess(exchange) || ageSeconds < lifetimeSeconds(challenge)) return exchange;
    if (tries === mostTries)
      throw new InconclusiveError(
        "precondition-missing",
        `a proof took ${Math.round(ageSeconds)} s to find, which is longer than its challenge lives`,
        { exchange },
      );
  }
}

// C-47: a challenge must live for a minute.
const leastLifetimeSeconds = 60;

function lifetimeSeconds({ claims: { iat, exp } }: Challenge): number {
  return typeof iat === "number" && typeof exp === "number" ? exp - iat : leastLifetimeSeconds;
}

// Each challenge is solved by nonce 0 with a chance of 1 in 2^d; beyond this too many would be needed.
const easyEnough: Difficulties = { words: "of at most 6 bits", suit: (bits) => bits <= 6 };

const nonceZero = check({
  id: "POW-23",
  claim: "A solution whose nonce is 0 is accepted.",
  async act(target) {
    const { apiKey } = await provenAgent(target);
    // The difficulty may change with every challenge: once eight were to be expected, the chance to find none is 1 in 3000.
    for (let expected = 0; expected < 8;) {
      const challenge = await challengeOf(target, easyEnough);
      const { jti, difficultyBits: bits } = challenge;
      expected += 2 ** -bits;
      const digest = await powDigest({ jti, nonce: "0", saltHexText: saltOf(target, challenge) });
      if (leadingZeroBits(digest) < bits) continue;
      const powHex = Buffer.from(digest).toString("hex");
      return openSession(target, challenge.jwt, { powHex, nonce: "0", apiKey });
    }
    throw new InconclusiveError("precondition-missing", "no challenge came up that nonce 0 solves");
  },
  assert: expectSession,
});

// Who counts from 0 comes to such a nonce at 16 bits. A service cannot tell where the counting began (C-49).
const sixDigits = check({
  id: "POW-07/six-digits",
  claim: "A solution whose nonce has six digits is accepted.",
  act: (target) =>
    logInWith(target, anyDifficulty, (bits) => ({
      accept: { kind: "at-least", bits },
      from: 123_456,
      costBits: bits,
    })),
  assert: (exchange) => explained("POW-07/session", () => expectSession(exchange)),
});

export const acceptedProofChecks = [login, exactly, mostSignificantFirst, more, nonceZero, sixDigits];
