import {
  expectAccessTokenAccepted,
  expectAccessTokenRejected,
  isAccepted,
  requireAccepted,
  type TokenUse,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectInvalidToken, expectStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, type Grant, refreshed } from "../support/material/grants.ts";
import { accessTokenLife, refusedAfterSeconds } from "../support/material/token-life.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";

const { seconds: lifetimeSeconds, usualWaitSeconds } = accessTokenLife;

/**
 * A token of its own that is served at once, used again after each of the pauses.
 *
 * @throws {InconclusiveError} control-refused, when it is not served at once
 */
async function useLater(
  target: Target,
  pauses: readonly number[],
  grantOf: (target: Target) => Promise<Grant> = freshGrant,
): Promise<TokenUse[]> {
  const { tokens } = await grantOf(target);
  await requireAccepted(target, tokens.access_token);
  const uses: TokenUse[] = [];
  for (const seconds of pauses) {
    await target.wait(seconds);
    uses.push(await useAccessToken(target, tokens.access_token));
  }
  return uses;
}

const expires = check({
  id: "TOKEN-19",
  claim:
    "An access token is answered 401 `invalid_token` at JMAP and by the inbox list once it has expired and the profile's `token_leeway_seconds` are over.",
  needs: ["human"],
  waitSeconds: usualWaitSeconds,
  act: (target) => useLater(target, [refusedAfterSeconds(target, accessTokenLife)]),
  assert(uses) {
    for (const use of uses) {
      expectAccessTokenRejected(use, "TOKEN-06");
      for (const exchange of [use.jmap, use.agents]) {
        expectStatus(exchange, 401);
        expectInvalidToken(exchange);
      }
    }
  },
});

const marginSeconds = 15;

const lasts = check({
  id: "TOKEN-20",
  claim: `An access token is served at JMAP and by the inbox list until ${marginSeconds} s before it expires.`,
  needs: ["human"],
  waitSeconds: lifetimeSeconds - marginSeconds,
  act: (target) => useLater(target, [lifetimeSeconds - marginSeconds]),
  assert: expectAllAccepted,
});

const expiresInUse = check({
  id: "TOKEN-19/in-use",
  claim: `An access token that was used ${marginSeconds} s before it expires is refused once that and the profile's \`token_leeway_seconds\` are over.`,
  needs: ["human"],
  waitSeconds: usualWaitSeconds,
  async act(target) {
    const [before, after] = await useLater(target, [
      lifetimeSeconds - marginSeconds,
      refusedAfterSeconds(target, accessTokenLife) - lifetimeSeconds + marginSeconds,
    ]);
    if (before === undefined || after === undefined) throw new TypeError("a use for each pause");
    if (!isAccepted(before))
      throw new InconclusiveError("control-refused", "an access token was refused before it expires", {
        exchange: before.jmap,
        explainedBy: "TOKEN-20",
      });
    return after;
  },
  assert: (use) => expectAccessTokenRejected(use, "TOKEN-19"),
});

const refreshedLasts = check({
  id: "TOKEN-20/refreshed",
  claim: `A refreshed access token is served at JMAP and by the inbox list until ${marginSeconds} s before it expires.`,
  needs: ["human"],
  waitSeconds: lifetimeSeconds - marginSeconds,
  act: (target) =>
    useLater(target, [lifetimeSeconds - marginSeconds], async (recording) =>
      refreshed(recording, await freshGrant(recording)),
    ),
  assert: (uses) => explained("TOKEN-20", () => expectAllAccepted(uses)),
});

// Longer than the internal capability of about two minutes, twice.
const pauseSeconds = 130;

const outlives = check({
  id: "TOKEN-21",
  claim: `An access token in use is served ${pauseSeconds} s and ${2 * pauseSeconds} s after its first use.`,
  needs: ["human"],
  waitSeconds: 2 * pauseSeconds,
  act: (target) => useLater(target, [pauseSeconds, pauseSeconds]),
  assert: expectAllAccepted,
});

function expectAllAccepted(uses: readonly TokenUse[]): void {
  for (const use of uses) expectAccessTokenAccepted(use);
}

export const lifetimeChecks = [expires, lasts, expiresInUse, refreshedLasts, outlives];
