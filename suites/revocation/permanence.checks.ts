import { check } from "../support/judging/check.ts";
import { expectRefreshRefused, pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { revocableGrant, revoke } from "./revoked-grants.ts";

const days = 86_400;

/** A revoked grant stays revoked. Document, "States", grant. */
export const permanenceChecks = [
  { slug: "a-day-later", words: "A day", pauseDays: 1, explainedBy: "REVOKE-05" },
  // Within the 90 days for which the token was good.
  { slug: "80-days-later", words: "Eighty days", pauseDays: 80, explainedBy: "REVOKE-05/a-day-later" },
].map(({ slug, words, pauseDays, explainedBy }) =>
  check({
    id: `REVOKE-05/${slug}`,
    claim: `${words} after a refresh token was revoked it is refused.`,
    needs: ["human"],
    waitSeconds: pauseDays * days,
    async act(target) {
      const { grant, newest } = await revocableGrant(target);
      await revoke(target.setup, grant.client, newest.refresh_token);
      await target.wait(pauseDays * days);
      // The clock may have moved within the propagation time.
      return pollUntilRefreshRefused(target, grant, newest);
    },
    assert: (exchange) => expectRefreshRefused(exchange, explainedBy),
  }),
);
