import {
  codeExchange,
  formContentType,
  jmapResource,
  mcpResource,
  newVerifier,
  postToken,
  refreshExchange,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { advise } from "../support/judging/advice.ts";
import { claimsOf } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import {
  expectEqual,
  expectNoTokens,
  expectOAuthError,
  expectThat,
  shown,
} from "../support/judging/expect.ts";
import { freshCode, freshGrant, refreshed } from "../support/material/grants.ts";
import { adding, encodeParameters, type Parameters, valueOf, without } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, warning } from "../support/verdict.ts";
import { accessTokenIn, claimsIn } from "./issued.ts";

async function refreshFields(target: Target): Promise<Parameters> {
  // Of a grant that was refreshed before: the control.
  const grant = await refreshed(target, await freshGrant(target));
  return refreshExchange(grant.client, grant.tokens.refresh_token);
}

async function codeFields(target: Target): Promise<Parameters> {
  return codeExchange(await redeemableCode(target));
}

const emptyCountsAsMissing = check({
  id: "B-TOK-06",
  claim: "A public client's code exchange with an empty client_secret and an empty resource is answered 200.",
  needs: ["human"],
  act: async (target) =>
    postToken(target, adding(await codeFields(target), ["client_secret", ""], ["resource", ""])),
  assert: (exchange): Finding | undefined =>
    advise(() => expectEqual(exchange.response.status, 200, "the status")),
});

const unknownIsIgnored = check({
  id: "B-TOK-07",
  claim: "A code exchange with parameters that are not known is answered 200 and changes no audience.",
  needs: ["human"],
  act: async (target) => ({
    resource: jmapResource(target),
    exchange: await postToken(
      target,
      adding(codeExchange(await freshCode(target)), ["foo", "bar"], ["audience", "https://evil.test/"]),
    ),
  }),
  assert: ({ exchange, resource }): Finding | undefined =>
    advise(() => {
      expectEqual(exchange.response.status, 200, "the status");
      expectEqual(shown([claimsIn(exchange)["aud"]].flat()), shown([resource]), "aud");
    }),
});

const repetitions: readonly { name: string; second: () => string }[] = [
  { name: "grant_type", second: () => "refresh_token" },
  { name: "code", second: () => unguessable() },
  { name: "redirect_uri", second: () => "https://evil.test/cb" },
  { name: "client_id", second: () => `unknown-${unguessable()}` },
  { name: "code_verifier", second: () => newVerifier() },
];

const repeated = repetitions.map(({ name, second }) =>
  check({
    id: `B-TOK-08/${name.replaceAll("_", "-")}`,
    claim: `A code exchange with two different values of ${name} is refused with 400 invalid_request.`,
    needs: ["human"],
    act: async (target) => postToken(target, adding(await codeFields(target), [name, second()])),
    assert: expectRepetitionRefused,
  }),
);

const repeatedRefreshToken = check({
  id: "B-TOK-08/refresh-token",
  claim: "A refresh with two different values of refresh_token is refused with 400 invalid_request.",
  needs: ["human"],
  act: async (target) =>
    postToken(target, adding(await refreshFields(target), ["refresh_token", unguessable()])),
  assert: expectRepetitionRefused,
});

const repeatedUnchanged = check({
  id: "B-TOK-08/code-unchanged",
  claim: "A code exchange with the same code twice is refused with 400 invalid_request.",
  needs: ["human"],
  async act(target) {
    const fields = await codeFields(target);
    return postToken(target, adding(fields, ["code", valueOf(fields, "code") ?? ""]));
  },
  assert: expectRepetitionRefused,
});

function expectRepetitionRefused(exchange: Exchange): Finding | undefined {
  return advise(() => {
    expectNoTokens(exchange);
    expectOAuthError(exchange, ["invalid_request"]);
  });
}

const get = check({
  id: "B-TOK-09/get",
  claim: "GET /oauth/token with a valid code exchange in the query gives no tokens.",
  needs: ["human"],
  async act(target) {
    const query = encodeParameters(await codeFields(target));
    return target.send({ method: "GET", url: `${target.authUrl}/oauth/token?${query}` });
  },
  assert: (exchange): Finding | undefined => advise(() => expectNoTokens(exchange)),
});

const inQuery = [
  { slug: "code", words: "the code", name: "code", client: "public" },
  { slug: "client-secret", words: "the client_secret", name: "client_secret", client: "confidential" },
] as const;

const fromQuery = inQuery.map(({ slug, words, name, client }) =>
  check({
    id: `B-TOK-09/${slug}-in-query`,
    claim: `A code exchange with ${words} in the query of the URL alone gives no tokens.`,
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
    assert: (exchange): Finding | undefined => advise(() => expectNoTokens(exchange)),
  }),
);

const narrowing = check({
  id: "B-TOK-16",
  claim:
    "A refresh with scope mail.read narrows its access token, and the next one without scope has both again.",
  needs: ["human"],
  async act(target) {
    const grant = await refreshed(target, await freshGrant(target));
    const narrowed = await postToken(
      target,
      adding(refreshExchange(grant.client, grant.tokens.refresh_token), ["scope", "mail.read"]),
    );
    const { refresh_token: token } = jsonMembers(narrowed);
    const next =
      typeof token === "string" ? await postToken(target, refreshExchange(grant.client, token)) : undefined;
    return { granted: grant.tokens.scope, narrowed, next };
  },
  assert: ({ granted, narrowed, next }): Finding | undefined =>
    advise(() => {
      expectEqual(jsonMembers(narrowed)["scope"], "mail.read", "the scope of the narrowed refresh");
      expectThat(
        next !== undefined && isSuccess(next),
        "the next refresh to succeed",
        next === undefined ? "no refresh_token" : summary(next),
      );
      const sorted = (scope: unknown): string => shown(String(scope).split(" ").toSorted());
      const { scope } = next === undefined ? { scope: undefined } : jsonMembers(next);
      expectEqual(sorted(scope), sorted(granted), "the scope of the next refresh");
    }),
});

const widening = check({
  id: "B-TOK-17",
  claim: "A refresh of a mail.read grant with both scopes is refused, or gives mail.read alone.",
  needs: ["human"],
  async act(target) {
    const grant = await refreshed(target, await freshGrant(target, { scope: "mail.read" }));
    const fields = refreshExchange(grant.client, grant.tokens.refresh_token);
    return postToken(target, adding(fields, ["scope", "mail.read mail.send"]));
  },
  assert: (exchange): Finding | undefined =>
    advise(() => {
      if (!isSuccess(exchange)) return expectOAuthError(exchange, ["invalid_scope"]);
      expectEqual(jsonMembers(exchange)["scope"], "mail.read", "the scope");
      const { scope = "mail.read" } = claimsOf(accessTokenIn(exchange)) ?? {};
      return expectEqual(scope, "mail.read", "the claim scope");
    }),
});

const both = [
  { grant: "code", words: "code exchange", fields: codeFields },
  { grant: "refresh", words: "refresh", fields: refreshFields },
];

const otherResources = [
  { slug: "mcp", words: "the MCP server's resource", resource: mcpResource },
  { slug: "unknown", words: "an unknown resource", resource: () => "https://evil.test/jmap" },
];

const otherResource = both.flatMap(({ grant, words, fields }) =>
  otherResources.map(({ slug, words: which, resource }) =>
    check({
      id: `B-TOK-19/${grant}-${slug}`,
      claim: `A ${words} for JMAP with ${which} is refused, or its audience stays JMAP.`,
      needs: ["human"],
      act: async (target) => ({
        exchange: await postToken(target, adding(await fields(target), ["resource", resource(target)])),
        granted: jmapResource(target),
      }),
      assert: ({ exchange, granted }): Finding | undefined =>
        advise(() => {
          if (!isSuccess(exchange)) {
            expectNoTokens(exchange);
            return expectOAuthError(exchange, ["invalid_target", "invalid_request"]);
          }
          expectEqual(shown([claimsIn(exchange)["aud"]].flat()), shown([granted]), "aud");
          return observation("the parameter is ignored: the audience stays as it was granted");
        }),
    }),
  ),
);

const sameResource = both.map(({ grant, words, fields }) =>
  check({
    id: `B-TOK-20/${grant}`,
    claim: `A ${words} that repeats the granted resource is answered 200.`,
    needs: ["human"],
    act: async (target) =>
      postToken(target, adding(await fields(target), ["resource", jmapResource(target)])),
    assert: (exchange): Finding | undefined =>
      isSuccess(exchange) ? undefined : warning(`refused with ${summary(exchange)}`),
  }),
);

export const parameterChecks = [
  emptyCountsAsMissing,
  unknownIsIgnored,
  ...repeated,
  repeatedRefreshToken,
  repeatedUnchanged,
  get,
  ...fromQuery,
  narrowing,
  widening,
  ...otherResource,
  ...sameResource,
];
