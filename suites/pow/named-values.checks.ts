import { type Challenge, openSession, type Proof, saltClaimAmong, saltOf } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { leadingZeroBits } from "../support/pow/leading-zero-bits.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { challengeOf, findProof, someWork } from "./searches.ts";
import { expectRefused } from "./session-requests.ts";
import { digestBelieved } from "./wrong-proofs.checks.ts";

/** A proof over a value that the solver has chosen. */
interface ChosenProof extends Proof {
  /** What names the value in the body. */
  readonly named: Readonly<Record<string, unknown>>;
}

type Search = (target: Target, challenge: Challenge, from: number) => Promise<ChosenProof>;

const atLeast = ({ difficultyBits: bits }: Challenge, from: number) => ({
  accept: { kind: "at-least" as const, bits },
  costBits: bits,
  from,
});

const overOwnJti: Search = async (target, challenge, from) => {
  const jti = crypto.randomUUID();
  return { ...(await findProof(target, { ...challenge, jti }, atLeast(challenge, from))), named: { jti } };
};

const overOwnSalt: Search = async (target, challenge, from) => {
  const salt = crypto.randomUUID().replaceAll("-", "");
  const claim = target.profile.pow.salt_claim ?? saltClaimAmong(challenge.claims) ?? "salt";
  const proof = await findProof(target, challenge, { ...atLeast(challenge, from), salt });
  return { ...proof, named: { salt, [claim]: salt } };
};

const cheapest = 2;

const atOwnCost: Search = async (target, challenge, from) => {
  const { jti, difficultyBits } = challenge;
  const saltHexText = saltOf(target, challenge);
  for (let tries = 0; ; tries += 1) {
    const nonce = `${from + tries}`;
    const digest = await powDigest({ jti, nonce, saltHexText }, { N: cheapest });
    if (leadingZeroBits(digest) >= difficultyBits)
      return { nonce, powHex: Buffer.from(digest).toString("hex"), named: { N: cheapest, n: cheapest } };
  }
};

const mostSearches = 20;

/** A proof of that kind which is wrong for the challenge itself. */
async function wrongProof(target: Target, challenge: Challenge, search: Search): Promise<ChosenProof> {
  const { jti, difficultyBits } = challenge;
  let from = 0;
  for (let searches = 0; searches < mostSearches; searches += 1) {
    const proof = await search(target, challenge, from);
    const own = await powDigest({ jti, nonce: proof.nonce, saltHexText: saltOf(target, challenge) });
    if (leadingZeroBits(own) < difficultyBits) return proof;
    from = Number(proof.nonce) + 1;
  }
  throw new InconclusiveError("precondition-missing", `each of ${mostSearches} proofs is right as well`);
}

/** What the proof is made of comes from the challenge alone. Document, "Authentication", proof-of-work path 2. */
export const namedValueChecks = [
  {
    id: "POW-33/chosen-jti",
    words: "over a `jti` of the solver's own, which the body names,",
    search: overOwnJti,
  },
  {
    id: "POW-33/chosen-salt",
    words: "with a salt of the solver's own, which the body names,",
    search: overOwnSalt,
  },
  { id: "POW-12/chosen-cost", words: "made with the N=2 that the body names", search: atOwnCost },
].map(({ id, words, search }) =>
  check({
    id,
    claim: `A solution ${words} is refused.`,
    async act(target) {
      const { apiKey } = await provenAgent(target);
      const challenge = await challengeOf(target, someWork);
      const { named, ...proof } = await wrongProof(target, challenge, search);
      return openSession(target, challenge.jwt, { ...named, ...proof, apiKey });
    },
    assert: (exchange) => expectRefused(exchange, digestBelieved),
  }),
);
