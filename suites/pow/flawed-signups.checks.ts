import {
  type Challenge,
  openSession,
  type Proof,
  requestChallenge,
  solvedChallenge,
} from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { newUsername } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { namedAgent } from "./named-agent.ts";
import { expiryWaitSeconds, waitForExpiry } from "./challenge-life.ts";
import { withOtherSignature } from "../support/material/jwt-forgery.ts";
import { challengeOf, findProof, onlyBits, someWork, tooFewBits } from "./searches.ts";
import { expectRefused, expectSession } from "./session-requests.ts";

/** A signup that is right but for its challenge or its proof. The control is a signup of the run that was accepted. */
async function signUpWith(target: Target, challengeJwt: string, proof: Proof): Promise<Exchange> {
  await target.setup.once("pow:named-agent", namedAgent);
  const exchange = await openSession(target, challengeJwt, {
    ...proof,
    username: await newUsername(target),
  });
  if (isSuccess(exchange)) target.spend("sign_ups");
  return exchange;
}

function solve(target: Target, challenge: Challenge): Promise<Proof> {
  const bits = challenge.difficultyBits;
  return findProof(target, challenge, { accept: { kind: "at-least", bits }, costBits: bits });
}

async function uselessProof(target: Target): Promise<{ challenge: Challenge; proof: Proof }> {
  const challenge = await challengeOf(target, someWork);
  const accept = { all: tooFewBits(challenge.difficultyBits) };
  const { nonce } = await findProof(target, challenge, { accept, costBits: 0 });
  return { challenge, proof: { powHex: "0".repeat(128), nonce } };
}

interface FlawedSignup {
  /** The requirement, whose check for logins judges a defect of both. */
  readonly requirement: string;
  readonly likewise: string;
  /** Reads after "A signup". */
  readonly words: string;
  readonly waitSeconds?: number;
  readonly send: (target: Target) => Promise<Exchange>;
}

const flaws: readonly FlawedSignup[] = [
  {
    requirement: "POW-18",
    likewise: "POW-18",
    words: "with a solution one zero bit short of the difficulty",
    async send(target) {
      const challenge = await challengeOf(target, someWork);
      const bits = challenge.difficultyBits;
      const accept = onlyBits(bits - 1, bits);
      return signUpWith(
        target,
        challenge.jwt,
        await findProof(target, challenge, { accept, costBits: bits }),
      );
    },
  },
  {
    requirement: "POW-24",
    likewise: "POW-24/all-zeros",
    words: "whose `powHex` is all zeros while its nonce proves nothing",
    async send(target) {
      const { challenge, proof } = await uselessProof(target);
      return signUpWith(target, challenge.jwt, proof);
    },
  },
  {
    requirement: "POW-42",
    likewise: "POW-42/other-signature",
    words: "whose challenge has some bits of its signature changed",
    async send(target) {
      const challenge = await requestChallenge(target.setup);
      return signUpWith(target, withOtherSignature(challenge.jwt), await solve(target, challenge));
    },
  },
  {
    requirement: "POW-40",
    likewise: "POW-40",
    words: "whose challenge expired a minute before",
    waitSeconds: expiryWaitSeconds,
    async send(target) {
      const challenge = await requestChallenge(target.setup);
      const proof = await solve(target, challenge);
      await waitForExpiry(target, challenge);
      return signUpWith(target, challenge.jwt, proof);
    },
  },
];

const signups = flaws.map(({ requirement, likewise, words, waitSeconds, send }) =>
  check({
    id: `${requirement}/signup`,
    claim: `A signup ${words} is refused.`,
    ...(waitSeconds !== undefined && { waitSeconds }),
    act: send,
    assert: (exchange) => expectRefused(exchange, likewise),
  }),
);

const nameStaysFree = check({
  id: "POW-08/after-refusal",
  claim:
    "A signup with a `username` succeeds after one with the same name was refused for its proof of work.",
  async act(target) {
    await target.setup.once("pow:named-agent", namedAgent);
    target.spend("sign_ups");
    const username = await newUsername(target);
    const { challenge, proof } = await uselessProof(target);
    const refused = await openSession(target.setup, challenge.jwt, { ...proof, username });
    if (isSuccess(refused)) {
      throw new InconclusiveError("precondition-missing", "the signup that proves nothing was accepted", {
        exchange: refused,
        explainedBy: "POW-24/signup",
      });
    }
    const solved = await solvedChallenge(target.setup);
    return openSession(target, solved.challenge.jwt, { ...solved.proof, username });
  },
  assert: (exchange) => explained("POW-08", () => expectSession(exchange)),
});

/** What a login has to prove, a signup has to prove too. Document, "Authentication", proof-of-work path 3. */
export const flawedSignupChecks = [...signups, nameStaysFree];
