import {
  codeExchange,
  formContentType,
  jmapResource,
  mcpResource,
  newVerifier,
  postToken,
  refreshExchange,
  requireTokens,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { claimsOf } from "../support/actors/agent.ts";
import { recommend } from "../support/judging/check.ts";
import {
  expectNoTokens,
  expectOAuthError,
  expectStatus,
  expectThat,
  expectTokenRefused,
  isRefusal,
  shown,
} from "../support/judging/expect.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { adding, encodeParameters, type Parameters, valueOf, without } from "../support/wire/parameters.ts";
import { accessTokenIn, claimsIn, requireMember, sortedScopes } from "./issued.ts";

async function codeFields(target: Target): Promise<Parameters> {
  return codeExchange(await redeemableCode(target));
}

async function refreshFields(target: Target): Promise<Parameters> {
  const { client, tokens } = await refreshableGrant(target);
  return refreshExchange(client, tokens.refresh_token);
}

const emptyCountsAsMissing = recommend({
  id: "B-TOK-06",
  claim: "A public client's code exchange with empty `client_secret` and `resource` is answered 200.",
  needs: ["human"],
  act: async (target) =>
    postToken(target, adding(await codeFields(target), ["client_secret", ""], ["resource", ""])),
  assert: (exchange) => expectStatus(exchange, 200),
});

const emptyScope = recommend({
  id: "B-TOK-06/empty-scope",
  claim: "A refresh with an empty `scope` is answered 200, with all scopes of the grant.",
  needs: ["human"],
  act: async (target) => postToken(target, adding(await refreshFields(target), ["scope", ""])),
  assert(exchange) {
    expectStatus(exchange, 200);
    const { scope } = jsonMembers(exchange);
    const isBoth = sortedScopes(scope) === sortedScopes("mail.read mail.send");
    expectThat(isBoth, "both scopes", shown(scope), exchange);
  },
});

function expectAudience(exchange: Exchange, resource: string): void {
  const audience = shown([claimsIn(exchange)["aud"]].flat());
  expectThat(audience === shown([resource]), `the audience ${resource}`, audience, exchange);
}

const unknownIsIgnored = recommend({
  id: "B-TOK-07",
  claim: "A code exchange with unknown parameters is answered 200 and changes no audience.",
  needs: ["human"],
  act: async (target) => ({
    resource: jmapResource(target),
    exchange: await postToken(
      target,
      adding(await codeFields(target), ["foo", "bar"], ["audience", "https://evil.test/"]),
    ),
  }),
  assert({ exchange, resource }) {
    expectStatus(exchange, 200);
    expectAudience(exchange, resource);
  },
});

const repetitions: readonly { name: string; second: () => string }[] = [
  { name: "grant_type", second: () => "refresh_token" },
  { name: "code", second: () => unguessable() },
  { name: "redirect_uri", second: () => "https://evil.test/cb" },
  { name: "client_id", second: () => `unknown-${unguessable()}` },
  { name: "code_verifier", second: () => newVerifier() },
];

const repeated = repetitions.map(({ name, second }) =>
  recommend({
    id: `B-TOK-08/${name.replaceAll("_", "-")}`,
    claim: `A code exchange with two different values of \`${name}\` is refused with \`invalid_request\`.`,
    needs: ["human"],
    act: async (target) => postToken(target, adding(await codeFields(target), [name, second()])),
    assert: (exchange) => expectTokenRefused(exchange, ["invalid_request"]),
  }),
);

const repeatedRefreshToken = recommend({
  id: "B-TOK-08/refresh-token",
  claim: "A refresh with two different values of `refresh_token` is refused with `invalid_request`.",
  needs: ["human"],
  act: async (target) =>
    postToken(target, adding(await refreshFields(target), ["refresh_token", unguessable()])),
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_request"]),
});

const repeatedUnchanged = recommend({
  id: "B-TOK-08/code-unchanged",
  claim: "A code exchange with the same `code` twice is refused with `invalid_request`.",
  needs: ["human"],
  async act(target) {
    const fields = await codeFields(target);
    return postToken(target, adding(fields, ["code", valueOf(fields, "code") ?? ""]));
  },
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_request"]),
});

const byGet = (
  [
    { slug: "get", words: "a valid code exchange", fields: codeFields },
    { slug: "get-refresh", words: "a valid refresh", fields: refreshFields },
  ] as const
).map(({ slug, words, fields }) =>
  recommend({
    id: `B-TOK-09/${slug}`,
    claim: `\`GET /oauth/token\` with ${words} in the query gives no tokens.`,
    needs: ["human"],
    async act(target) {
      const query = encodeParameters(await fields(target));
      return target.send({ method: "GET", url: `${target.authUrl}/oauth/token?${query}` });
    },
    assert: expectNoTokens,
  }),
);

const inQuery = [
  { slug: "code", name: "code", client: "public" },
  { slug: "client-secret", name: "client_secret", client: "confidential" },
] as const;

const fromQuery = inQuery.map(({ slug, name, client }) =>
  recommend({
    id: `B-TOK-09/${slug}-in-query`,
    claim: `A code exchange with \`${name}\` in the query of the URL alone gives no tokens.`,
    needs: ["human"],
    async act(target) {
      const fields = codeExchange(await redeemableCode(target, { client }));
      const query = encodeParameters([[name, valueOf(fields, name) ?? ""]]);
      return target.send({
        method: "POST",
        url: `${target.authUrl}/oauth/token?${query}`,
        headers: [formContentType],
        body: encodeParameters(without(fields, name)),
      });
    },
    assert: expectNoTokens,
  }),
);

/** A refresh with `scope` mail.read of a grant of both scopes: once for all checks of a run. */
function narrowedRefresh(target: Target) {
  return target.once("token:narrowed-refresh", async (recording) => {
    const { client, tokens } = await refreshableGrant(recording);
    const fields = adding(refreshExchange(client, tokens.refresh_token), ["scope", "mail.read"]);
    return { client, granted: tokens.scope, narrowed: await postToken(recording, fields) };
  });
}

/** @throws {NotApplicableError} when the target refuses it: the document shows no `scope` in a refresh */
function requireTaken(narrowed: Exchange): Exchange {
  if (isRefusal(narrowed))
    throw new NotApplicableError("the target refuses a refresh that narrows the scope");
  return narrowed;
}

const narrowing = recommend({
  id: "B-TOK-16/narrowed",
  claim: "A refresh with `scope` `mail.read` of a grant of both scopes gives `mail.read` alone.",
  needs: ["human"],
  act: async (target) => requireTaken((await narrowedRefresh(target)).narrowed),
  assert: (exchange) => expectScope(exchange, "mail.read"),
});

const widenedAgain = recommend({
  id: "B-TOK-16/next",
  claim: "The refresh that follows a narrowed one gives all scopes of the grant again.",
  needs: ["human"],
  act: (target) =>
    target.once("token:refresh-after-narrowed", async (recording) => {
      const { client, granted, narrowed } = await narrowedRefresh(recording);
      requireTaken(narrowed);
      const { refresh_token: token } = requireTokens(narrowed, "a refresh with a narrower scope", "B-TOK-16");
      return { granted, next: await postToken(recording, refreshExchange(client, token)) };
    }),
  assert({ granted, next }) {
    expectStatus(next, 200);
    expectScope(next, granted);
  },
});

const reordered = recommend({
  id: "B-TOK-16/reordered",
  claim: "A refresh that names both scopes of its grant is served in one order as in the other.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await refreshableGrant(target);
    const naming = (recording: Target, token: string, scope: string): Promise<Exchange> =>
      postToken(recording, adding(refreshExchange(client, token), ["scope", scope]));
    const inOrder = await naming(target.control, tokens.refresh_token, tokens.scope);
    if (isRefusal(inOrder)) throw new NotApplicableError("the target refuses a refresh that names a scope");
    const { refresh_token: token } = requireTokens(inOrder, "a refresh that names its scopes", "REFRESH-01");
    const reverse = tokens.scope.split(" ").toReversed().join(" ");
    return { granted: tokens.scope, exchange: await naming(target, token, reverse) };
  },
  assert({ granted, exchange }) {
    expectStatus(exchange, 200);
    expectScope(exchange, granted);
  },
});

function expectScope(exchange: Exchange, expected: string): void {
  const scopes = sortedScopes(requireMember(exchange, "scope"));
  expectThat(scopes === sortedScopes(expected), `the scope ${expected}`, scopes, exchange);
}

const widening = recommend({
  id: "B-TOK-17",
  claim: "A refresh of a `mail.read` grant with both scopes is refused, or gives `mail.read` alone.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await refreshableGrant(target, { scope: "mail.read" });
    const fields = refreshExchange(client, tokens.refresh_token);
    return postToken(target, adding(fields, ["scope", "mail.read mail.send"]));
  },
  assert(exchange) {
    if (!isSuccess(exchange)) {
      expectOAuthError(exchange, ["invalid_scope"]);
      return;
    }
    expectScope(exchange, "mail.read");
    const { scope = "mail.read" } = claimsOf(accessTokenIn(exchange)) ?? {};
    expectThat(scope === "mail.read", "the claim scope mail.read", shown(scope), exchange);
  },
});

const requests = [
  { grant: "code", words: "code exchange", fields: codeFields },
  { grant: "refresh", words: "refresh", fields: refreshFields },
];

const otherResources = [
  { slug: "mcp", words: "the resource of the MCP server", resource: mcpResource },
  { slug: "unknown", words: "an unknown `resource`", resource: () => "https://evil.test/jmap" },
];

const otherResource = requests.flatMap(({ grant, words, fields }) =>
  otherResources.map(({ slug, words: which, resource }) =>
    recommend({
      id: `B-TOK-19/${grant}-${slug}`,
      claim: `A ${words} for JMAP with ${which} is refused, or its audience stays JMAP.`,
      needs: ["human"],
      act: async (target) => ({
        exchange: await postToken(target, adding(await fields(target), ["resource", resource(target)])),
        granted: jmapResource(target),
      }),
      assert({ exchange, granted }) {
        if (isSuccess(exchange)) expectAudience(exchange, granted);
        else expectTokenRefused(exchange, ["invalid_target", "invalid_request"]);
      },
    }),
  ),
);

const sameResource = requests.map(({ grant, words, fields }) =>
  recommend({
    id: `B-TOK-20/${grant}`,
    claim: `A ${words} that repeats the granted \`resource\` is answered 200.`,
    needs: ["human"],
    act: async (target) =>
      postToken(target, adding(await fields(target), ["resource", jmapResource(target)])),
    assert: (exchange) => expectStatus(exchange, 200),
  }),
);

export const parameterChecks = [
  emptyCountsAsMissing,
  emptyScope,
  unknownIsIgnored,
  ...repeated,
  repeatedRefreshToken,
  repeatedUnchanged,
  ...byGet,
  ...fromQuery,
  narrowing,
  widenedAgain,
  reordered,
  widening,
  ...otherResource,
  ...sameResource,
];
