import { revokeOnDashboard } from "../support/actors/operator.ts";
import { obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  type Client,
  codeExchange,
  postToken,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenAccepted,
  expectAccessTokenRejected,
  expectRevokedAnswer,
  pollUntilRejected,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { clientFor, requireDynamicRegistration } from "../support/material/clients.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { bystanders } from "../support/material/bystanders.ts";
import { freshGrant, type Grant, type GrantSpec, grantTo } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";

/** A grant that worked, and that the person has then revoked on the dashboard. */
async function revokedOnDashboard(target: Target, spec: GrantSpec = {}): Promise<Grant> {
  const grant = await refreshableGrant(target, spec);
  await requireAccepted(target, grant.tokens.access_token);
  await revokeOnDashboard(target, grant.client);
  return grant;
}

// The dashboard ends all that the person has granted the client, so nobody else may need it any more.
const accessToken = check({
  id: "REVOKE-14/access-token",
  claim:
    "The access token of a grant that the person revoked on the dashboard is answered 401 with `invalid_token` by JMAP and the inbox list.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  last: true,
  async act(target) {
    const { tokens } = await revokedOnDashboard(target);
    return pollUntilRejected(target, tokens.access_token);
  },
  assert({ jmap, agents }) {
    for (const exchange of [jmap, agents]) expectRevokedAnswer(exchange, "REVOKE-10");
  },
});

const refreshToken = check({
  id: "REVOKE-14/refresh-token",
  claim: "The refresh token of a grant that the person revoked on the dashboard is refused.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  last: true,
  async act(target) {
    const grant = await revokedOnDashboard(target);
    return pollUntilRefreshRefused(target, grant, grant.tokens);
  },
  assert: (exchange) => expectRefreshRefused(exchange, "REVOKE-05"),
});

const otherKinds = (
  [
    { client: "confidential", words: "a confidential client's grant", unlockedBy: "revoke_grants_hook" },
    {
      client: "document",
      words: "a grant to a metadata-document client",
      unlockedBy: "revoke_document_grants",
    },
  ] as const
).map(({ client, words, unlockedBy }) =>
  check({
    id: `REVOKE-14/${client}`,
    claim: `Both tokens of ${words} that the person revoked on the dashboard are refused.`,
    needs: ["human"],
    unlockedBy,
    last: true,
    async act(target) {
      const grant = await revokedOnDashboard(target, { client });
      const use = await pollUntilRejected(target, grant.tokens.access_token);
      return { use, refresh: await pollUntilRefreshRefused(target, grant, grant.tokens) };
    },
    assert({ use, refresh }) {
      expectAccessTokenRejected(use, "REVOKE-14/access-token");
      expectRefreshRefused(refresh, "REVOKE-14/refresh-token");
    },
  }),
);

const afterNewGrant = check({
  id: "REVOKE-14/after-new-grant",
  claim:
    "Both tokens of a grant that the person revoked on the dashboard stay refused after a new grant to the client.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  last: true,
  async act(target) {
    const grant = await revokedOnDashboard(target);
    const { access_token: token } = grant.tokens;
    const before = await pollUntilRejected(target.setup, token);
    await freshGrant(target);
    const use = await pollUntilRejected(target, token);
    return { before, use, refresh: await presentRefreshToken(target, grant, grant.tokens) };
  },
  assert({ before, use, refresh }) {
    expectAccessTokenRejected(before, "REVOKE-14/access-token");
    expectAccessTokenRejected(use);
    expectRefreshRefused(refresh);
  },
});

const daysSince = 40;

/** A client of its own, whose grant can be ended before the checks that come last. */
async function ownClient(target: Target, purpose: string): Promise<Client> {
  requireDynamicRegistration(target);
  return clientFor(target, "public", `dashboard:${purpose}`);
}

async function grantToOwnClient(target: Target, purpose: string): Promise<Grant> {
  return grantTo(target.setup, await ownClient(target, purpose));
}

const oldGrant = check({
  id: "REVOKE-14/40-days-later",
  claim: `Revoking a client on the dashboard ends a grant that was given ${daysSince} days before: its refresh token is refused.`,
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  waitSeconds: daysSince * 86_400,
  async act(target) {
    const grant = await grantToOwnClient(target, "old");
    const witness = await freshGrant(target, { client: "other" });
    await target.wait(daysSince * 86_400);
    const control = await presentRefreshToken(target.control, witness, witness.tokens);
    requireTokens(control, `a refresh of a grant of ${daysSince} days ago`, "REFRESH-17");
    await revokeOnDashboard(target, grant.client);
    return pollUntilRefreshRefused(target, grant, grant.tokens);
  },
  assert: (exchange) => expectRefreshRefused(exchange, "REVOKE-14/refresh-token"),
});

const grantedAgain = check({
  id: "REVOKE-14/granted-anew",
  claim:
    "After a person has revoked a client on the dashboard, the code of their next grant to it is redeemed, and both tokens work.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  async act(target) {
    const grant = await grantToOwnClient(target, "anew");
    await requireAccepted(target, grant.tokens.access_token);
    await revokeOnDashboard(target, grant.client);
    await pollUntilRejected(target.setup, grant.tokens.access_token);
    const client = await ownClient(target, "anew");
    const code = await obtainCode(target.setup, authorizationRequest(target, client));
    const response = await postToken(target, codeExchange(code));
    if (!isSuccess(response)) return { response };
    const tokens = requireTokens(response, "a valid code exchange");
    return {
      response,
      use: await useAccessToken(target, tokens.access_token),
      refresh: await presentRefreshToken(target, { client }, tokens),
    };
  },
  assert({ response, use, refresh }) {
    explained("REVOKE-09/new-grant", () => {
      expectStatus(response, 200);
      if (use !== undefined) expectAccessTokenAccepted(use);
      if (refresh !== undefined) expectStatus(refresh, 200);
    });
  },
});

/** Ends a grant on the dashboard and lets so much time pass; a grant to another client shows that others are alive then. */
async function endedBefore(
  target: Target,
  seconds: number,
): Promise<{ readonly grant: Grant; readonly witness: Grant }> {
  const grant = await grantToOwnClient(target, `${seconds}`);
  await requireAccepted(target, grant.tokens.access_token);
  const witness = await freshGrant(target, { client: "other" });
  await revokeOnDashboard(target, grant.client);
  await target.wait(seconds);
  return { grant, witness };
}

// While the token itself has not expired.
const minutesSince = 12;

const accessTokenLater = check({
  id: "REVOKE-14/twelve-minutes-later",
  claim:
    "Twelve minutes after a person revoked a client on the dashboard, the access token of their grant is refused.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  waitSeconds: minutesSince * 60,
  async act(target) {
    const { grant, witness } = await endedBefore(target, minutesSince * 60);
    await requireAccepted(target, witness.tokens.access_token);
    // The clock may have moved within the propagation time.
    return pollUntilRejected(target, grant.tokens.access_token);
  },
  assert: (use) => expectAccessTokenRejected(use, "REVOKE-14/access-token"),
});

// Past the day for which something may be remembered.
const dayAndHour = 25 * 3600;

const refreshTokenLater = check({
  id: "REVOKE-14/a-day-later",
  claim:
    "A day and an hour after a person revoked a client on the dashboard, the refresh token of their grant is refused.",
  needs: ["human"],
  unlockedBy: "revoke_grants_hook",
  waitSeconds: dayAndHour,
  async act(target) {
    const { grant, witness } = await endedBefore(target, dayAndHour);
    const control = await presentRefreshToken(target.control, witness, witness.tokens);
    requireTokens(control, "a refresh of a grant of a day ago", "REFRESH-17");
    // The clock may have moved within the propagation time.
    return pollUntilRefreshRefused(target, grant, grant.tokens);
  },
  assert: (exchange) => expectRefreshRefused(exchange, "REVOKE-14/refresh-token"),
});

const unharmed = bystanders.map(({ slug, words, spec, needs }) =>
  check({
    id: `REVOKE-14/${slug}`,
    claim: `After a person has revoked a client on the dashboard, both tokens of ${words} keep working.`,
    needs: ["human", ...needs],
    unlockedBy: "revoke_grants_hook",
    last: true,
    async act(target) {
      const { human } = spec;
      const bystander = await freshGrant(target, spec);
      await requireAccepted(target, bystander.tokens.access_token, human);
      const grant = await revokedOnDashboard(target);
      const ended = await pollUntilRefreshRefused(target.setup, grant, grant.tokens);
      if (isSuccess(ended)) {
        throw new InconclusiveError(
          "precondition-missing",
          `needs a dashboard that ends a grant; its refresh token got ${summary(ended)}`,
          { exchange: ended, explainedBy: "REVOKE-14/refresh-token" },
        );
      }
      return {
        use: await useAccessToken(target, bystander.tokens.access_token, human),
        refresh: await presentRefreshToken(target, bystander, bystander.tokens),
      };
    },
    assert({ use, refresh }) {
      expectAccessTokenAccepted(use);
      expectStatus(refresh, 200);
    },
  }),
);

export const dashboardChecks = [
  accessToken,
  refreshToken,
  ...otherKinds,
  afterNewGrant,
  grantedAgain,
  oldGrant,
  accessTokenLater,
  refreshTokenLater,
  ...unharmed,
];
