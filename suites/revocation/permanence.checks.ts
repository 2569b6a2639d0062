import { check } from "../support/judging/check.ts";
import { expectRefreshRefused, pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { revocableGrant, revoke } from "./revoked-grants.ts";

const days = 86_400;

/** A revoked grant stays revoked. Document, "States", grant. */
export const permanenceChecks = [
  check({
    id: "REVOKE-05/a-day-later",
    claim: "A day after a refresh token was revoked it is refused.",
    needs: ["human"],
    waitSeconds: days,
    async act(target) {
      const { grant, newest } = await revocableGrant(target);
      await revoke(target.setup, grant.client, newest.refresh_token);
      await target.wait(days);
      // The clock may have moved within the propagation time.
      return pollUntilRefreshRefused(target, grant, newest);
    },
    assert: (exchange) => expectRefreshRefused(exchange, "REVOKE-05"),
  }),
];
