import { newVerifier } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectStatus } from "../support/judging/expect.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { freshCode } from "../support/material/grants.ts";
import { summary } from "../support/wire/exchange.ts";
import { expectUnusable, redeem } from "./redeemed-codes.ts";

// The default of the profile's code_max_age_seconds, which is what the check waits: RFC 6749 allows ten minutes.
const longestLifetimeSeconds = 660;

const expires = check({
  id: "CODE-04",
  claim: "A code that is older than the profile's `code_max_age_seconds` is refused with `invalid_grant`.",
  needs: ["human"],
  waitSeconds: longestLifetimeSeconds,
  async act(target) {
    const code = await redeemableCode(target);
    await target.wait(target.profile.code_max_age_seconds);
    return redeem(target, code);
  },
  assert: (exchange) => expectUnusable(exchange),
});

const browserSeconds = 20;

const lastsAWhile = check({
  id: "CODE-11",
  claim: `A code is redeemed ${browserSeconds} s after it was issued.`,
  needs: ["human"],
  waitSeconds: browserSeconds,
  async act(target) {
    const code = await freshCode(target);
    await target.wait(browserSeconds);
    return redeem(target, code);
  },
  assert: (exchange) => expectStatus(exchange, 200),
});

const afterFailure = observe({
  id: "CODE-09",
  question: "Does a failed exchange use the code up?",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target);
    const failed = await redeem(target, { ...code, verifier: newVerifier() });
    return { failed, next: await redeem(target, code) };
  },
  answer: ({ failed, next }) =>
    `${next.response.status === 200 ? "no" : "yes"}: ${summary(failed)} for a wrong verifier, then ${summary(next)} for the right one`,
});

export const lifetimeChecks = [expires, lastsAWhile, afterFailure];
