import { requireTokens } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { freshGrant, type Grant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { requireSuperseding, rotatedGrant } from "./rotated-grants.ts";

const days = 86_400;

/** A fresh grant, refreshed after each of the pauses. @returns the answer to the last refresh, or the first that failed */
async function refreshedAfter(target: Target, pausesDays: readonly number[]): Promise<Exchange> {
  const grant: Grant = await freshGrant(target);
  let tokens = grant.tokens;
  for (const pauseDays of pausesDays.slice(0, -1)) {
    await target.wait(pauseDays * days);
    const rotation = await presentRefreshToken(target, grant, tokens);
    if (!isSuccess(rotation)) return rotation;
    tokens = requireTokens(rotation, `a refresh after ${pauseDays} days`, "REFRESH-01");
  }
  await target.wait((pausesDays.at(-1) ?? 0) * days);
  return presentRefreshToken(target, grant, tokens);
}

const rotations = [
  {
    slug: "early-rotation",
    claim: "A refresh after 20 days and another one 89 days later are answered 200.",
    pausesDays: [20, 89],
  },
  {
    slug: "half-day-rotation",
    claim: "A refresh after 12 hours and another one 89 days and 18 hours later are answered 200.",
    pausesDays: [0.5, 89.75],
  },
  {
    slug: "long-lived-grant",
    claim: "Five refreshes in a row, each 89 days after the one before, are answered 200.",
    pausesDays: [89, 89, 89, 89, 89],
  },
].map(({ slug, claim, pausesDays }) =>
  check({
    id: `REFRESH-17/${slug}`,
    claim,
    needs: ["human"],
    waitSeconds: pausesDays.reduce((sum, pause) => sum + pause) * days,
    act: (target) => refreshedAfter(target, pausesDays),
    assert: (exchange) => explained("REFRESH-17/sliding", () => expectStatus(exchange, 200)),
  }),
);

const manyRefreshes = 60;

/** A grant after as many refreshes, or up to the first that failed: once for all checks of a run. */
function grantRefreshedOften(target: Target): Promise<{ readonly grant: Grant; readonly last: Exchange }> {
  return target.once("refresh:many", async (recording) => {
    const grant = await freshGrant(recording);
    let last = await presentRefreshToken(recording, grant, grant.tokens);
    for (let refreshes = 1; refreshes < manyRefreshes && isSuccess(last); refreshes += 1) {
      const tokens = requireTokens(last, `refresh ${refreshes}`, "REFRESH-01");
      last = await presentRefreshToken(recording, grant, tokens);
    }
    return { grant, last };
  });
}

const refreshedOften = check({
  id: "REFRESH-01/sixty-times",
  claim: "Sixty refreshes in a row, each with the newest refresh token, are answered 200.",
  needs: ["human"],
  act: async (target) => (await grantRefreshedOften(target)).last,
  assert: (exchange) => explained("REFRESH-01", () => expectStatus(exchange, 200)),
});

// What remembers superseded tokens may hold so many and no more.
const firstOfMany = check({
  id: "REFRESH-06/first-of-sixty",
  claim:
    "The first refresh token of a grant that was refreshed sixty times ends the grant when it is presented again.",
  needs: ["human"],
  async act(target) {
    const { grant, last } = await grantRefreshedOften(target);
    const tokens = requireTokens(last, "the last of sixty refreshes", "REFRESH-01/sixty-times");
    // A newer grant may have ended this one meanwhile (C-34).
    const control = await presentRefreshToken(target.control, grant, tokens);
    const newest = requireTokens(control, "a refresh before the reuse", "REFRESH-01");
    requireSuperseding(newest, [grant.tokens], control);
    const reuse = await presentRefreshToken(target.setup, grant, grant.tokens);
    return { reuse, next: await pollUntilRefreshRefused(target, grant, newest) };
  },
  assert: ({ reuse, next }) =>
    expectRefreshRefused(next, isSuccess(reuse) ? "REFRESH-03" : "REFRESH-06/first-of-many"),
});

const afterReuse = [
  { slug: "a-day-later", words: "A day", pauseDays: 1, explainedBy: "REFRESH-04/public" },
  // Within the 90 days for which the token was good.
  { slug: "80-days-later", words: "Eighty days", pauseDays: 80, explainedBy: "REFRESH-22/a-day-later" },
].map(({ slug, words, pauseDays, explainedBy }) =>
  check({
    id: `REFRESH-22/${slug}`,
    claim: `${words} after a reuse, the newest refresh token of the grant is refused.`,
    needs: ["human"],
    waitSeconds: pauseDays * days,
    async act(target) {
      const { grant, oldest, newest } = await rotatedGrant(target, 1);
      await presentRefreshToken(target.setup, grant, oldest);
      // The newest one is not presented meanwhile: another reuse would end the grant again.
      await target.wait(pauseDays * days);
      return pollUntilRefreshRefused(target, grant, newest);
    },
    assert: (exchange) => expectRefreshRefused(exchange, explainedBy),
  }),
);

/** Each rotation grants 90 days, however many there were, and what has ended stays so. Document, "Limits" and "States". */
export const longLivedGrantChecks = [...rotations, refreshedOften, firstOfMany, ...afterReuse];
