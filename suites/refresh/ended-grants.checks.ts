import { codeExchange, postToken, requireTokens } from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenRejected,
  pollUntilRejected,
  requireAccepted,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { expectRefreshRefused, presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { freshCode } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { requireSuperseding } from "./rotated-grants.ts";

const aMinute = 60;

/** A grant that a reuse ended a minute ago, with everything of it presented once more: once for all checks of a run. */
function endedGrant(target: Target) {
  return target.once("refresh:a-minute-after-reuse", async (recording) => {
    const code = await freshCode(recording);
    const first = requireTokens(await postToken(recording.control, codeExchange(code)), "a code exchange");
    const refresh = await presentRefreshToken(recording.control, code, first);
    const second = requireTokens(refresh, "a valid refresh", "REFRESH-01");
    requireSuperseding(second, [first], refresh);
    await requireAccepted(recording, second.access_token);
    await presentRefreshToken(recording, code, first);
    await pollUntilRejected(recording, second.access_token);
    await recording.wait(aMinute);
    return {
      // The code last: redeeming it again might revive the grant. A moved clock may not have moved the propagation time.
      uses: [
        await pollUntilRejected(recording, first.access_token),
        await pollUntilRejected(recording, second.access_token),
      ],
      refreshes: [
        await presentRefreshToken(recording, code, first),
        await presentRefreshToken(recording, code, second),
      ],
      redemption: await postToken(recording, codeExchange(code)),
    };
  });
}

const refreshTokens = check({
  id: "REFRESH-22/refresh-tokens",
  claim: "A minute after a reuse, both refresh tokens of the grant are refused.",
  needs: ["human"],
  waitSeconds: aMinute,
  act: async (target) => (await endedGrant(target)).refreshes,
  assert(refreshes) {
    for (const refresh of refreshes) expectRefreshRefused(refresh, "REFRESH-04");
  },
});

const accessTokens = check({
  id: "REFRESH-22/access-tokens",
  claim: "A minute after a reuse, JMAP and the inbox list refuse both access tokens of the grant.",
  needs: ["human"],
  waitSeconds: aMinute,
  act: async (target) => (await endedGrant(target)).uses,
  assert(uses) {
    for (const use of uses) expectAccessTokenRejected(use, "REFRESH-05");
  },
});

const code = check({
  id: "REFRESH-22/code",
  claim: "A minute after a reuse, the code of the grant is refused with `invalid_grant`.",
  needs: ["human"],
  waitSeconds: aMinute,
  act: async (target) => (await endedGrant(target)).redemption,
  assert(exchange) {
    if (isSuccess(exchange))
      throw new Violation("the code to be refused", summary(exchange), { exchange, explainedBy: "CODE-03" });
    expectTokenRefused(exchange, ["invalid_grant"]);
  },
});

/** Nothing revives a grant that a reuse ended. */
export const endedGrantChecks = [refreshTokens, accessTokens, code];
