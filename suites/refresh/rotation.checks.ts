import { setTimeout as delay } from "node:timers/promises";
import { claimsOf } from "../support/actors/agent.ts";
import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenAccepted,
  isAccepted,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectStatus, expectThat, shown } from "../support/judging/expect.ts";
import { presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { freshGrant, type Grant, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { rotatedGrant } from "./rotated-grants.ts";

/** A member of a token response; TOKEN-01 judges that it is there. */
function memberOf(exchange: Exchange, name: string): unknown {
  const value = jsonMembers(exchange)[name];
  if (value === undefined) {
    throw new Violation(`a token response with ${name}`, `${summary(exchange)} without it`, {
      exchange,
      ...(isSuccess(exchange) && { explainedBy: "TOKEN-01" }),
    });
  }
  return value;
}

// Access tokens that were issued in the same second may be the same text.
const nextSecondMs = 1100;

const rotates = check({
  id: "REFRESH-01",
  claim: "A refresh is answered 200 with another access token and another refresh token.",
  needs: ["human"],
  async act(target) {
    const grant = await freshGrant(target);
    await delay(nextSecondMs);
    return { issued: grant.tokens, refresh: await presentRefreshToken(target, grant, grant.tokens) };
  },
  assert({ issued, refresh }) {
    expectStatus(refresh, 200);
    for (const name of ["access_token", "refresh_token"] as const) {
      const isAnother = memberOf(refresh, name) !== issued[name];
      expectThat(isAnother, `another ${name}`, "the one of the code exchange", refresh);
    }
  },
});

const works = check({
  id: "REFRESH-01/access-token-works",
  claim: "A refreshed access token is served at JMAP and by the inbox list.",
  needs: ["human"],
  async act(target) {
    const { tokens } = await refreshed(target, await freshGrant(target));
    return useAccessToken(target, tokens.access_token);
  },
  assert: expectAccessTokenAccepted,
});

const refreshesInARow = 5;

const everyTime = check({
  id: "REFRESH-02",
  claim: `Each of ${refreshesInARow} refreshes in a row returns a refresh token that was not issued before.`,
  needs: ["human"],
  async act(target) {
    let grant: Grant = await freshGrant(target);
    const issued = [grant.tokens.refresh_token];
    const responses: Exchange[] = [];
    for (let at = 0; at < refreshesInARow; at += 1) {
      grant = await refreshed(target, grant);
      issued.push(grant.tokens.refresh_token);
      responses.push(grant.response);
    }
    return { issued, responses };
  },
  assert({ issued, responses }) {
    const repeated = issued.findIndex((token, at) => issued.indexOf(token) < at);
    if (repeated < 0) return;
    throw new Violation("a new refresh token", `one that was issued before, by refresh ${repeated}`, {
      exchange: responses[repeated - 1],
      explainedBy: "REFRESH-01",
    });
  },
});

const publicClient = check({
  id: "REFRESH-21",
  claim: "A public client's refresh without `client_secret` is answered 200.",
  needs: ["human"],
  async act(target) {
    const grant = await freshGrant(target, { client: "other" });
    return presentRefreshToken(target, grant, grant.tokens);
  },
  assert: (exchange) => expectStatus(exchange, 200),
});

const grants = [
  {
    slug: "mcp-read-only",
    words: "`mail.read` at the MCP server",
    scope: "mail.read",
    resource: mcpResource,
  },
  {
    slug: "jmap-both",
    words: "both scopes at JMAP",
    scope: "mail.read mail.send",
    resource: jmapResource,
  },
];

const unchanged = grants.map(({ slug, words, scope, resource }) =>
  check({
    id: `REFRESH-15/${slug}`,
    claim: `Two refreshes of a grant of ${words} keep the audience and the scope of the code exchange.`,
    needs: ["human"],
    async act(target) {
      const grant = await freshGrant(target, { scope, resource: resource(target) });
      const once = await refreshed(target, grant);
      const twice = await refreshed(target, once);
      return { granted: reachOf(grant.response), refreshes: [once.response, twice.response] };
    },
    assert({ granted, refreshes }) {
      for (const refresh of refreshes) {
        memberOf(refresh, "scope");
        const { audience, scopes } = reachOf(refresh);
        expectThat(audience === granted.audience, `audience ${granted.audience}`, audience, refresh);
        expectThat(scopes === granted.scopes, `scopes ${granted.scopes}`, scopes, refresh);
      }
    },
  }),
);

/** Where the access token of a response is good and for what; no audience when it is not a JWT, which TOKEN-02 judges. */
function reachOf(exchange: Exchange): { audience: string; scopes: string } {
  const { access_token: token, scope } = jsonMembers(exchange);
  return {
    audience: shown([claimsOf(String(token))?.["aud"]].flat()),
    scopes: shown(String(scope).split(" ").toSorted()),
  };
}

const olderAccessToken = observe({
  id: "REFRESH-20",
  question: "Does the old access token keep working after an ordinary refresh?",
  needs: ["human"],
  async act(target: Target) {
    const { oldest } = await rotatedGrant(target, 1);
    return useAccessToken(target, oldest.access_token);
  },
  answer: (use) =>
    isAccepted(use)
      ? "yes"
      : `no: it is answered ${summary(use.jmap)} at JMAP and ${summary(use.agents)} by the inbox list`,
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
    expectStatus(jmap, 401);
    expectStatus(agents, 401);
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
