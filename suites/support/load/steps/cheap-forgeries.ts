import { randomBytes } from "node:crypto";
import { type Challenge, requestChallenge } from "../../actors/agent.ts";
import { sharedAgent } from "../../material/agents.ts";
import type { LoadStep } from "../load-step.ts";
import { claimedZeros, forgedLogin, type ForgedProof, claimedNoZeros } from "./forged-proof.ts";

interface Forgery {
  readonly challenge: Challenge;
  readonly proof: ForgedProof;
}

const challengeCount = 64;

/**
 * A login that can be rejected without scrypt. Challenges are reused: rejecting a used challenge needs no scrypt either.
 */
function cheapForgery(name: string, forge: (challenge: Challenge) => Forgery): LoadStep {
  return {
    name,
    scryptsPerRequest: 0,
    proofsPerRequest: 0,
    at: "auth",
    async supply(target) {
      const agent = await sharedAgent(target);
      const challenges: Challenge[] = [];
      while (challenges.length < challengeCount) challenges.push(await requestChallenge(target));
      const batches = challenges.map((challenge) => {
        const forgery = forge(challenge);
        return forgedLogin(target, agent, forgery.challenge, forgery.proof);
      });
      let turn = 0;
      return { next: () => batches[turn++ % batches.length] };
    },
  };
}

/** The claimed digest starts with a 1 bit. */
const forgedWithoutZeros = cheapForgery("forged-without-zeros", (challenge) => ({
  challenge,
  proof: claimedNoZeros(),
}));

/** The claimed digest is 63 bytes long. */
const forgedTooShort = cheapForgery("forged-too-short", (challenge) => {
  const { powHex, nonce } = claimedZeros(challenge.difficultyBits);
  return { challenge, proof: { powHex: powHex.slice(2), nonce } };
});

/** The claimed digest contains a character that is not a hexadecimal digit. */
const forgedNotHex = cheapForgery("forged-not-hex", (challenge) => {
  const { powHex, nonce } = claimedZeros(challenge.difficultyBits);
  return { challenge, proof: { powHex: `${powHex.slice(0, -1)}g`, nonce } };
});

/** The challenge has an invalid signature. */
const forgedSignature = cheapForgery("forged-signature", (challenge) => {
  const unsigned = challenge.jwt.slice(0, challenge.jwt.lastIndexOf("."));
  const jwt = `${unsigned}.${randomBytes(64).toString("base64url")}`;
  return { challenge: { ...challenge, jwt }, proof: claimedZeros(challenge.difficultyBits) };
});

export const cheapForgeries = [forgedWithoutZeros, forgedTooShort, forgedNotHex, forgedSignature] as const;
