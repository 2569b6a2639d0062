import { agentResource, mcpResource } from "../support/actors/oauth-client.ts";
import { revokeOnDashboard } from "../support/actors/operator.ts";
import { isServed, type TokenUse, useAccessToken } from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import { expectRefreshRefused, pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { type Grant, refreshed } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";

/** A grant of each kind to one client. The last one is the newest, and of no kind that the others are. */
async function grantsOfEachKind(target: Target): Promise<Grant[]> {
  return [
    await refreshed(target, await refreshableGrant(target)),
    await refreshableGrant(target, { resource: mcpResource(target) }),
    await refreshableGrant(target, { resource: agentResource(target, await inboxOf(target)) }),
    await refreshableGrant(target, { scope: "mail.read" }),
    await refreshableGrant(target, { scope: "mail.send" }),
    await refreshableGrant(target, { decision: "approve read-only" }),
    await refreshableGrant(target),
  ];
}

/** What an access token gets at the places that served it before its grant was revoked: some kinds are for few of them. */
interface LaterUse {
  readonly grant: Grant;
  readonly exchanges: readonly Exchange[];
}

interface Ended {
  readonly refreshes: ReadonlyMap<Grant, Exchange>;
  readonly uses: readonly LaterUse[];
}

/** Grants of each kind whose client the person has revoked on the dashboard: once for all checks of a run. */
function endedGrants(target: Target): Promise<Ended> {
  return target.once("revocation:every-grant", async (recording) => {
    const grants = await grantsOfEachKind(recording);
    const before = new Map<Grant, TokenUse>();
    for (const grant of grants)
      before.set(grant, await useAccessToken(recording.control, grant.tokens.access_token));
    // A target that remembers consents asks for the narrowed grant at another client.
    const clients = new Map(grants.map((grant) => [grant.client.client_id, grant]));
    for (const grant of clients.values()) await revokeOnDashboard(recording, grant.client);
    // One that lives on is enough, and each would be waited for as long as a revocation may take.
    const refreshes = new Map<Grant, Exchange>();
    for (const grant of grants) {
      const refresh = await pollUntilRefreshRefused(recording, grant, grant.tokens);
      refreshes.set(grant, refresh);
      if (isSuccess(refresh)) break;
    }
    const uses: LaterUse[] = [];
    for (const [grant, use] of before) {
      const exchanges = await pollWhereServed(recording, grant, use);
      uses.push({ grant, exchanges });
      if (exchanges.some(isServed)) break;
    }
    return { refreshes, uses };
  });
}

function isServedAt(use: TokenUse, place: keyof TokenUse): boolean {
  const exchange = use[place];
  return exchange !== undefined && isServed(exchange);
}

async function pollWhereServed(target: Target, { tokens }: Grant, before: TokenUse): Promise<Exchange[]> {
  const places = (["jmap", "agents", "lastInbox"] as const).filter((place) => isServedAt(before, place));
  if (places.length === 0) return [];
  return pollUntil(
    target,
    async () => {
      const use = await useAccessToken(target, tokens.access_token);
      return places.map((place) => use[place]).filter((exchange) => exchange !== undefined);
    },
    (exchanges) => exchanges.every(({ response }) => response.status === 401),
  );
}

const refreshTokens = check({
  id: "REVOKE-14/every-grant",
  claim:
    "Revoking a client on the dashboard ends all grants of the person to it: refreshed, for the MCP resource, for one inbox, of one scope, narrowed, and newest.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  last: true,
  act: endedGrants,
  assert({ refreshes }) {
    for (const refresh of refreshes.values()) expectRefreshRefused(refresh, "REVOKE-14/refresh-token");
  },
});

// That JMAP and the inbox list answer 401 `invalid_token` is judged by REVOKE-14/access-token.
const accessTokens = check({
  id: "REVOKE-14/every-access-token",
  claim:
    "After a person revoked a client on the dashboard, JMAP and the inbox list refuse the access tokens of all its grants that they served before.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  last: true,
  act: endedGrants,
  assert({ refreshes, uses }) {
    for (const { grant, exchanges } of uses) {
      const refresh = refreshes.get(grant);
      const isAlive = refresh !== undefined && isSuccess(refresh);
      const explainedBy = isAlive ? "REVOKE-14/every-grant" : "REVOKE-14/access-token";
      for (const exchange of exchanges) expectRefused(exchange, explainedBy);
    }
  },
});

function expectRefused(exchange: Exchange, explainedBy: string): void {
  if (isServed(exchange))
    throw new Violation("the access token to be refused", summary(exchange), { exchange, explainedBy });
  if (!isRefusal(exchange))
    throw new Violation("the access token to be refused with 401", summary(exchange), { exchange });
}

/** The dashboard ends whatever the person has granted the client. Document, "States", grant. */
export const everyGrantChecks = [refreshTokens, accessTokens];
