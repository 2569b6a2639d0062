import { setTimeout as delay } from "node:timers/promises";
import { codeExchange, postToken, requireTokens } from "../support/actors/oauth-client.ts";
import { inboxQuery, jmapAs, methodResponses } from "../support/actors/jmap.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { freshGrant, requireCodeKept, twoFreshCodes } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";

/** Two code exchanges of one person and client. */
async function twoExchanges(target: Target, pauseMs: number): Promise<[Exchange, Exchange]> {
  const codes = await twoFreshCodes(target);
  const redeem = (at: 0 | 1): Promise<Exchange> => postToken(target, codeExchange(codes[at]));
  const exchanges: [Exchange, Exchange] =
    pauseMs > 0 ? await oneAfterTheOther(redeem, pauseMs) : await Promise.all([redeem(0), redeem(1)]);
  if (isSuccess(exchanges[1])) await requireCodeKept(target, exchanges[0]);
  for (const exchange of exchanges) requireTokens(exchange, "a valid code exchange");
  return exchanges;
}

async function oneAfterTheOther(
  redeem: (at: 0 | 1) => Promise<Exchange>,
  pauseMs: number,
): Promise<[Exchange, Exchange]> {
  const first = await redeem(0);
  await delay(pauseMs);
  return [first, await redeem(1)];
}

function simultaneousExchanges(target: Target): Promise<[Exchange, Exchange]> {
  return target.once("token:simultaneous-exchanges", (recording) => twoExchanges(recording, 0));
}

function areEqual(exchanges: readonly Exchange[], name: string): boolean {
  return new Set(exchanges.map((exchange) => jsonMembers(exchange)[name])).size < exchanges.length;
}

const distinctRefreshTokens = check({
  id: "TOKEN-22/refresh-tokens",
  claim: "Two simultaneous code exchanges of one person and client give different refresh tokens.",
  needs: ["human"],
  act: simultaneousExchanges,
  assert: (exchanges) =>
    expectThat(!areEqual(exchanges, "refresh_token"), "different refresh tokens", "the same one twice"),
});

const distinctAccessTokens = check({
  id: "TOKEN-22/access-tokens",
  claim: "Access tokens of one person and client that are issued more than a second apart differ.",
  needs: ["human"],
  act: (target) => twoExchanges(target, 1100),
  assert: (exchanges) =>
    expectThat(!areEqual(exchanges, "access_token"), "different access tokens", "the same one twice"),
});

const sameSecond = observe({
  id: "TOKEN-22/same-second",
  question: "Do access tokens that are issued at the same moment differ?",
  needs: ["human"],
  act: simultaneousExchanges,
  answer: (exchanges) => (areEqual(exchanges, "access_token") ? "no" : "yes"),
});

const atOnce = check({
  id: "TOKEN-23",
  claim: "A fresh access token is served at JMAP at once, with no exchange in between.",
  needs: ["human"],
  async act(target) {
    const inbox = await inboxOf(target);
    const { tokens } = await freshGrant(target);
    return jmapAs(target, tokens.access_token, inbox, inboxQuery);
  },
  assert: (exchange) =>
    expectThat(
      methodResponses(exchange) !== undefined,
      "200 with methodResponses",
      summary(exchange),
      exchange,
    ),
});

/** Each issue gives tokens of its own, which work at once. */
export const issueChecks = [distinctRefreshTokens, distinctAccessTokens, sameSecond, atOnce];
