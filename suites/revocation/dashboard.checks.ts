import { callHook, firstUsername } from "../support/actors/operator.ts";
import {
  expectAccessTokenRejected,
  pollUntilRejected,
  requireAccepted,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectRefreshRefused, pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import type { Grant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";

/** A grant that works, until the person takes it back on the dashboard. */
async function takenBack(target: Target): Promise<Grant> {
  const grant = await refreshableGrant(target);
  await requireAccepted(target, grant.tokens.access_token);
  const { client_id: clientId } = grant.client;
  await callHook(target, "revoke_grants", { username: firstUsername(target), client_id: clientId });
  return grant;
}

// The dashboard ends all that the person has granted the client, so nobody else may need it any more.
const accessToken = check({
  id: "REVOKE-14/access-token",
  claim: "The access token of a grant that the person revoked on the dashboard is refused.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  last: true,
  async act(target) {
    const { tokens } = await takenBack(target);
    return pollUntilRejected(target, tokens.access_token);
  },
  assert: (use) => expectAccessTokenRejected(use, "REVOKE-10"),
});

const refreshToken = check({
  id: "REVOKE-14/refresh-token",
  claim: "The refresh token of a grant that the person revoked on the dashboard is refused.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  last: true,
  async act(target) {
    const grant = await takenBack(target);
    return pollUntilRefreshRefused(target, grant, grant.tokens);
  },
  assert: (exchange) => expectRefreshRefused(exchange, "REVOKE-05"),
});

export const dashboardChecks = [accessToken, refreshToken];
