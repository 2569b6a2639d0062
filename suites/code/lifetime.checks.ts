import { claimsOf } from "../support/actors/agent.ts";
import { type AuthorizationCode, newVerifier, requireTokens } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectStatus, expectThat } from "../support/judging/expect.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { freshCode } from "../support/material/grants.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
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

// Shorter than any code may live (C-28), so that a code which each failure renews never ends.
const betweenFailuresSeconds = 18;

const failures: readonly ((code: AuthorizationCode) => AuthorizationCode)[] = [
  (code) => ({ ...code, verifier: newVerifier() }),
  (code) => ({ ...code, redirect_uri: "https://evil.test/cb" }),
];

const expiresDespiteFailures = check({
  id: "CODE-04/after-failed-exchanges",
  claim:
    "A code that is older than the profile's `code_max_age_seconds` is refused, even after failed attempts to exchange it.",
  needs: ["human"],
  waitSeconds: longestLifetimeSeconds,
  async act(target) {
    const code = await redeemableCode(target);
    const maxAgeSeconds = target.profile.code_max_age_seconds;
    for (let age = 0, at = 0; age < maxAgeSeconds; age += betweenFailuresSeconds, at += 1) {
      const flawed = failures[at % failures.length]?.(code) ?? code;
      if (at > 0) await redeem(target.setup, flawed);
      await target.wait(Math.min(betweenFailuresSeconds, maxAgeSeconds - age));
    }
    return redeem(target, code);
  },
  assert: (exchange) => expectUnusable(exchange, "CODE-04"),
});

// Less than the 20 s that a code must live (C-28): it is issued a moment before it is received, and redeemed a moment later.
const browserSeconds = 18;

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

const differenceSeconds = 5;

/** The expiry of an access token, when it has one. */
function expiryOf(exchange: Exchange): number | undefined {
  const exp = claimsOf(String(jsonMembers(exchange)["access_token"]))?.["exp"];
  return typeof exp === "number" ? exp : undefined;
}

const countedFromExchange = check({
  id: "TOKEN-06/late-exchange",
  claim: `The access token of a code that is ${browserSeconds} s old expires at about the same time as that of a fresh code, redeemed next.`,
  needs: ["human"],
  waitSeconds: browserSeconds,
  async act(target) {
    const old = await freshCode(target);
    await target.wait(browserSeconds);
    const startedMs = performance.now();
    // Another consent takes its time, and may end the older code (C-34).
    const exchange = await redeem(target, old);
    requireTokens(exchange, "the exchange of an older code", "CODE-11");
    const control = await redeem(target.control, await freshCode(target));
    requireTokens(control, "a valid code exchange");
    return { exchange, control, betweenSeconds: (performance.now() - startedMs) / 1000 };
  },
  assert({ exchange, control, betweenSeconds }) {
    const [late, usual] = [expiryOf(exchange), expiryOf(control)];
    if (late === undefined || usual === undefined)
      throw new Violation("a number exp", "none", { exchange, explainedBy: "TOKEN-06/code" });
    expectThat(
      Math.abs(late - usual) <= differenceSeconds + betweenSeconds,
      `exp within ${differenceSeconds} s of that of a fresh code's token`,
      `${Math.abs(late - usual)} s ${late < usual ? "before" : "after"} it`,
      exchange,
    );
  },
});

const afterFailure = observe({
  id: "CODE-09",
  question: "Does a failed exchange consume the code?",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target);
    const failed = await redeem(target, { ...code, verifier: newVerifier() });
    return { failed, next: await redeem(target, code) };
  },
  answer: ({ failed, next }) =>
    `${next.response.status === 200 ? "no" : "yes"}: ${summary(failed)} for a wrong verifier, then ${summary(next)} for the right one`,
});

export const lifetimeChecks = [
  expires,
  expiresDespiteFailures,
  lastsAWhile,
  countedFromExchange,
  afterFailure,
];
