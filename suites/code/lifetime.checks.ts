import { newVerifier } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { freshCode } from "../support/material/grants.ts";
import { observation } from "../support/verdict.ts";
import { expectUnusable, redeem } from "./redeemed-codes.ts";

// The default of the profile's code_max_age_seconds, which is what the check waits: RFC 6749 allows ten minutes.
const longestLifetimeSeconds = 660;

const expires = check({
  id: "CODE-04",
  claim: "A code that is older than the profile's code_max_age_seconds is refused with 400 invalid_grant.",
  needs: ["human"],
  waitSeconds: longestLifetimeSeconds,
  async act(target) {
    const code = await redeemableCode(target);
    await target.wait(target.profile.code_max_age_seconds);
    return redeem(target, code);
  },
  assert: expectUnusable,
});

const aBrowserHop = 20;

const lastsAWhile = check({
  id: "CODE-11",
  claim: "A code is redeemed 20 s after it was issued.",
  needs: ["human"],
  waitSeconds: aBrowserHop,
  async act(target) {
    const code = await freshCode(target);
    await target.wait(aBrowserHop);
    return redeem(target, code);
  },
  assert: (exchange) => expectThat(exchange.response.status === 200, "200", summary(exchange)),
});

const afterFailure = check({
  id: "CODE-09",
  claim: "Whether a failed exchange uses the code up.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target);
    const failed = await redeem(target, { ...code, verifier: newVerifier() });
    return { failed, next: await redeem(target, code) };
  },
  assert: ({ failed, next }) =>
    observation(`${summary(failed)} for a wrong verifier, then ${summary(next)} for the right one`),
});

export const lifetimeChecks = [expires, lastsAWhile, afterFailure];
