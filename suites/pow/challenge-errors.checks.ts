import { openSession, requestChallenge } from "../support/actors/agent.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, jsonMembers, summary } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { signatureIgnored } from "./challenge-placement.checks.ts";
import { expiryWaitSeconds } from "./challenge-life.ts";
import { expiredLogin } from "./expiry.checks.ts";
import { withOtherSignature } from "../support/material/jwt-forgery.ts";
import { expectRefused } from "./session-requests.ts";
import { reusedChallenge } from "./single-use.checks.ts";

interface Advice {
  readonly message: string;
  readonly hint: string;
}

/** @throws {Violation} explained by POW-54, which judges by itself that refusals have message and hint */
function adviceOf(exchange: Exchange): Advice {
  const { error } = jsonMembers(exchange);
  const { message, hint } = isJsonObject(error) ? error : {};
  if (typeof message === "string" && typeof hint === "string") return { message, hint };
  throw new Violation("an error with message and hint", `${summary(exchange)} with error ${shown(error)}`, {
    exchange,
    explainedBy: "POW-54",
  });
}

const speaksOf = (text: string, ...words: readonly RegExp[]): boolean =>
  words.every((word) => word.test(text));

/** The document gives the meaning of both texts and not their words, so words that are not recognised only warn. */
function expectChallengeAdvice(exchange: Exchange, explainedBy?: string): Warning | undefined {
  expectRefused(exchange, explainedBy);
  const { message, hint } = adviceOf(exchange);
  if (!speaksOf(message, /challenge/iu, /invalid|not valid|expired/iu))
    return warning(
      `the message is not recognised as one about an invalid or expired challenge: ${shown(message)}`,
    );
  return adviceToSolveAgain({ message, hint });
}

function adviceToSolveAgain({ hint }: Advice): Warning | undefined {
  if (speaksOf(hint, /challenge/iu, /fresh|new|another/iu, /solve|proof|pow\b|work/iu, /retry|again/iu))
    return undefined;
  return warning(`the hint is not recognised as one to solve a fresh challenge and retry: ${shown(hint)}`);
}

/** A login that proves no work, with some text in the place of its challenge. */
async function logInWithout(target: Target, challengeJwt: string): Promise<Exchange> {
  const { apiKey } = await provenAgent(target);
  return openSession(target, challengeJwt, { powHex: "0".repeat(128), nonce: "0", apiKey });
}

const garbage = check({
  id: "POW-55/garbage",
  claim: "A login with random text for its challenge is refused with advice to solve a fresh challenge.",
  act: (target) => logInWithout(target, unguessable()),
  assert: (exchange) => expectChallengeAdvice(exchange),
});

const tampered = check({
  id: "POW-55/tampered",
  claim: "A login with a tampered challenge is refused with advice to solve a fresh challenge.",
  act: async (target) => logInWithout(target, withOtherSignature((await requestChallenge(target.setup)).jwt)),
  assert: (exchange) => expectChallengeAdvice(exchange, signatureIgnored),
});

const expired = check({
  id: "POW-55/expired",
  claim: "A login with an expired challenge is refused with advice to solve a fresh challenge.",
  waitSeconds: expiryWaitSeconds,
  act: expiredLogin,
  assert: (exchange) => expectChallengeAdvice(exchange, "POW-40"),
});

const distinct = check({
  id: "POW-55/distinct",
  claim: "`message` or `hint` of the error for a bad challenge differs from the error for a malformed body.",
  async act(target) {
    const badChallenge = await logInWithout(target, unguessable());
    const { apiKey } = await provenAgent(target);
    const { jwt } = await requestChallenge(target.setup);
    return { badChallenge, malformedBody: await openSession(target, jwt, { apiKey }) };
  },
  assert({ badChallenge, malformedBody }) {
    expectRefused(badChallenge, "POW-55/garbage");
    expectRefused(malformedBody, "POW-29");
    const one = adviceOf(badChallenge);
    const other = adviceOf(malformedBody);
    if (one.message !== other.message || one.hint !== other.hint) return;
    throw new Violation("two different errors", `${shown(one)} for both`, { exchange: badChallenge });
  },
});

const reused = check({
  id: "POW-55/reused",
  claim: "A login with a challenge that was used before is refused with a hint to solve a fresh challenge.",
  act: reusedChallenge,
  assert(exchange): Warning | undefined {
    expectRefused(exchange, "POW-34");
    // That it was used may be the better message.
    return adviceToSolveAgain(adviceOf(exchange));
  },
});

export const challengeErrorChecks = [garbage, tampered, expired, distinct, reused];
