import {
  refreshExchange,
  revocationRequest,
  tokenRequest,
  type Tokens,
} from "../support/actors/oauth-client.ts";
import { sendSimultaneously } from "../support/actors/simultaneous-requests.ts";
import { isAccepted, useAccessToken } from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectRefreshRefused, pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { freshGrant, type Grant, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";

function revocation(target: Target, { client }: Grant, token: string): Outgoing {
  return revocationRequest(target, [
    ["client_id", client.client_id],
    ["token", token],
  ]);
}

/**
 * The revocation has to name a token that is good whichever request comes first: an access token, where a refresh leaves
 * it alive.
 *
 * @throws {NotApplicableError} when a refresh ends the older access token
 */
async function requireAccessTokensOutliveRefresh(target: Target): Promise<void> {
  await target.setup.once("revocation:access-token-outlives-refresh", async (recording) => {
    const first = await freshGrant(recording);
    await refreshed(recording, first);
    if (isAccepted(await useAccessToken(recording, first.tokens.access_token))) return;
    throw new NotApplicableError("a refresh ends the older access tokens of its grant");
  });
}

/** What the newest refresh token gets that the client has after refreshing while its grant was revoked. */
async function refreshAfterRace(target: Target): Promise<Exchange> {
  const grant = await refreshableGrant(target);
  const answers = await sendSimultaneously(target.setup, [
    tokenRequest(target, refreshExchange(grant.client, grant.tokens.refresh_token)),
    revocation(target, grant, grant.tokens.access_token),
  ]);
  const refresh = answers.find((exchange) => exchange.request.url.endsWith("/oauth/token"));
  const revoked = answers.find((exchange) => exchange.request.url.endsWith("/oauth/revoke"));
  if (revoked === undefined || !isSuccess(revoked))
    throw new InconclusiveError("control-refused", "the revocation during a refresh was not answered 200", {
      exchange: revoked,
      explainedBy: "REVOKE-01/status",
    });
  const { refresh_token: rotated } = refresh !== undefined && isSuccess(refresh) ? jsonMembers(refresh) : {};
  const newest: Pick<Tokens, "refresh_token"> =
    typeof rotated === "string" ? { refresh_token: rotated } : grant.tokens;
  return pollUntilRefreshRefused(target, grant, newest);
}

const rounds = 5;

/** A revocation ends its grant, whatever else is under way. Document, "States", grant. */
export const raceChecks = [
  check({
    id: "REVOKE-02/during-refresh",
    claim: `After a revocation of its access token during a refresh, in each of ${rounds} rounds, the grant's newest refresh token is refused.`,
    needs: ["human"],
    async act(target) {
      await requireAccessTokensOutliveRefresh(target);
      const refreshes: Exchange[] = [];
      for (let round = 0; round < rounds; round += 1) refreshes.push(await refreshAfterRace(target));
      return refreshes;
    },
    assert(refreshes) {
      for (const refresh of refreshes) expectRefreshRefused(refresh, "REVOKE-02");
    },
  }),
];
