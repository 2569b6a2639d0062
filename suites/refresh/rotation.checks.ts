import { claimsOf } from "../support/actors/agent.ts";
import { jmapResource, mcpResource, secretOf, type Tokens } from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenAccepted,
  isAccepted,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectEqual, expectThat, shown } from "../support/judging/expect.ts";
import { freshGrant, type Grant, type GrantSpec } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { observation } from "../support/verdict.ts";
import { present, rotatedGrant } from "./rotated-grants.ts";

async function refreshOnce(target: Target, spec: GrantSpec = {}) {
  const grant = await freshGrant(target, spec);
  return { grant, refresh: await present(target, grant, grant.tokens) };
}

/** 200 with a new access token and a new refresh token. */
function expectRotated({ grant, refresh }: { grant: Grant; refresh: Exchange }): void {
  const { access_token: access, refresh_token: next } = jsonMembers(refresh);
  expectThat(
    refresh.response.status === 200 && typeof access === "string",
    "200 with access_token",
    summary(refresh),
  );
  expectThat(typeof next === "string" && next !== "", "a refresh_token", shown(next));
  expectThat(next !== grant.tokens.refresh_token, "another refresh_token", "the one that was presented");
  expectThat(access !== grant.tokens.access_token, "another access_token", "the one of the code exchange");
}

const rotates = check({
  id: "REFRESH-01",
  claim: "A refresh is answered 200 with another access token and another refresh token.",
  needs: ["human"],
  act: (target) => refreshOnce(target),
  assert: expectRotated,
});

const works = check({
  id: "REFRESH-01/access-token-works",
  claim: "A refreshed access token is served at JMAP and by the inbox list.",
  needs: ["human"],
  async act(target) {
    const { newest } = await rotatedGrant(target, 1);
    return useAccessToken(target, newest.access_token);
  },
  assert: expectAccessTokenAccepted,
});

const rotationsInARow = 5;

const everyTime = check({
  id: "REFRESH-02",
  claim: `${rotationsInARow} refreshes in a row each give a refresh token that never came before.`,
  needs: ["human"],
  act: async (target) => (await rotatedGrant(target, rotationsInARow)).generations,
  assert(generations) {
    const distinct = new Set(generations.map((tokens) => tokens.refresh_token)).size;
    expectEqual(distinct, rotationsInARow + 1, "the number of different refresh tokens");
  },
});

const publicClient = check({
  id: "REFRESH-21",
  claim: "A public client refreshes without a client_secret.",
  needs: ["human"],
  async act(target) {
    const { grant, refresh } = await refreshOnce(target, { client: "other" });
    return { grant, refresh, secrets: secretOf(grant.client).length };
  },
  assert({ grant, refresh, secrets }) {
    expectEqual(secrets, 0, "the number of secrets that were sent");
    expectRotated({ grant, refresh });
  },
});

const unchanged = [
  { slug: "mcp-read-only", words: "mail.read at the MCP server", scope: "mail.read", resource: mcpResource },
  { slug: "jmap-both", words: "both scopes at JMAP", scope: "mail.read mail.send", resource: jmapResource },
].map(({ slug, words, scope, resource }) =>
  check({
    id: `REFRESH-15/${slug}`,
    claim: `Two refreshes of a grant of ${words} keep the audience and the scope of the code exchange.`,
    needs: ["human"],
    act: async (target) =>
      (await rotatedGrant(target, 2, { scope, resource: resource(target) })).generations.map(reach),
    assert([granted, once, twice]) {
      expectEqual(shown(once), shown(granted), "audience and scope of the first refresh");
      expectEqual(shown(twice), shown(granted), "audience and scope of the second refresh");
    },
  }),
);

/** Where tokens are good and for what; without audience when the access token is no JWT, which TOKEN-02 judges. */
function reach({ access_token: token, scope }: Tokens): { aud: unknown; scopes: string[] } {
  return { aud: [claimsOf(token)?.["aud"]].flat(), scopes: scope.split(" ").filter(Boolean).toSorted() };
}

const olderAccessToken = check({
  id: "REFRESH-20",
  claim: "What becomes of the old access token after an ordinary refresh.",
  needs: ["human"],
  async act(target) {
    const { oldest } = await rotatedGrant(target, 1);
    return useAccessToken(target, oldest.access_token);
  },
  assert: (use) =>
    observation(
      isAccepted(use) ? "it keeps working" : `refused with ${summary(use.jmap)} and ${summary(use.agents)}`,
    ),
});

const noBearer = check({
  id: "REFRESH-23",
  claim: "A refresh token as bearer is answered 401 at JMAP and by the inbox list.",
  needs: ["human"],
  async act(target) {
    const { tokens } = await freshGrant(target);
    await requireAccepted(target, tokens.access_token);
    return useAccessToken(target, tokens.refresh_token);
  },
  assert({ jmap, agents }) {
    expectEqual(jmap.response.status, 401, "the status at JMAP");
    expectEqual(agents.response.status, 401, "the status of the inbox list");
  },
});

export const rotationChecks = [
  rotates,
  works,
  everyTime,
  publicClient,
  ...unchanged,
  olderAccessToken,
  noBearer,
];
