import {
  refreshExchange,
  revocationRequest,
  tokenRequest,
  type Tokens,
} from "../support/actors/oauth-client.ts";
import { sendSimultaneously } from "../support/actors/simultaneous-requests.ts";
import {
  expectAccessTokenRejected,
  isAccepted,
  pollUntilRejected,
  type TokenUse,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
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

interface AfterRace {
  readonly refresh: Exchange;
  readonly use: TokenUse;
}

/**
 * What the newest tokens get that the client has after its grant was revoked during a refresh, which may be answered either
 * way.
 *
 * @param laterMs - how much later than the refresh the revocation is sent
 */
async function tokensAfterRace(target: Target, laterMs: number): Promise<AfterRace> {
  const grant = await refreshableGrant(target);
  const answers = await sendSimultaneously(
    target.setup,
    [
      tokenRequest(target, refreshExchange(grant.client, grant.tokens.refresh_token)),
      revocation(target, grant, grant.tokens.access_token),
    ],
    [0, laterMs],
  );
  const refresh = answers.find((exchange) => exchange.request.url.endsWith("/oauth/token"));
  const revoked = answers.find((exchange) => exchange.request.url.endsWith("/oauth/revoke"));
  if (revoked === undefined || !isSuccess(revoked))
    throw new InconclusiveError("control-refused", "the revocation during a refresh was not answered 200", {
      exchange: revoked,
      explainedBy: "REVOKE-01/status",
    });
  const answer = refresh !== undefined && isSuccess(refresh) ? jsonMembers(refresh) : {};
  const { refresh_token: rotated, access_token: issued } = answer;
  const newest: Pick<Tokens, "refresh_token"> =
    typeof rotated === "string" ? { refresh_token: rotated } : grant.tokens;
  return {
    refresh: await pollUntilRefreshRefused(target, grant, newest),
    use: await pollUntilRejected(target, typeof issued === "string" ? issued : grant.tokens.access_token),
  };
}

// What reads a grant, waits for its database and writes it back does so within this time, at one moment or another. At the
// same moment, which of two requests is first differs from round to round.
const latenessMs = [0, 0, 0, 3, 10, 25, 60];

/** A revocation ends its grant, whatever else is under way. Document, "States", grant. */
export const raceChecks = [
  check({
    id: "REVOKE-02/during-refresh",
    claim: `After a revocation of its access token at the same moment as a refresh, and up to ${Math.max(...latenessMs)} ms into one, the grant's newest tokens are refused.`,
    needs: ["human"],
    async act(target) {
      await requireAccessTokensOutliveRefresh(target);
      const ended: AfterRace[] = [];
      for (const laterMs of latenessMs) ended.push(await tokensAfterRace(target, laterMs));
      return ended;
    },
    assert(ended) {
      for (const { refresh, use } of ended) {
        expectRefreshRefused(refresh, "REVOKE-02");
        expectAccessTokenRejected(use, "REVOKE-02");
      }
    },
  }),
];
