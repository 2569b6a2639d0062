import { controlRefused } from "../support/wire/control-refused.ts";
import { postRevoke, secretOf, unguessable } from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenAccepted,
  isAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import { type ClientKind, sharedClient } from "../support/material/clients.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectOAuthError, expectStatus, expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import type { Parameters } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, warning } from "../support/verdict.ts";
import { expectRefreshTokenRejected, livingGrant, refreshWith, revoke } from "./revoked-grants.ts";

/** Posts these fields for the newest access token of a grant and sees what is left of it. */
async function revokeOddly(
  target: Target,
  client: ClientKind,
  fieldsFor: (token: string) => Parameters | Promise<Parameters>,
) {
  const { grant, newest } = await livingGrant(target, { client });
  const revocation = await postRevoke(target, await fieldsFor(newest.access_token));
  return {
    revocation,
    use: await useAccessToken(target, newest.access_token),
    refresh: await refreshWith(target, grant, newest),
  };
}

type Aftermath = Awaited<ReturnType<typeof revokeOddly>>;

function told({ revocation, use }: Aftermath): string {
  return `${summary(revocation)}, and the access token ${isAccepted(use) ? "keeps working" : "is dead"}`;
}

const unnamed = (
  [
    { slug: "missing", words: "without client_id", fields: [] },
    {
      slug: "unknown",
      words: "with an unknown client_id",
      fields: [["client_id", `unknown-${unguessable()}`]],
    },
  ] satisfies { slug: string; words: string; fields: Parameters }[]
).map(({ slug, words, fields }) =>
  check({
    id: `REVOKE-13/${slug}-client-id`,
    claim: `What a revocation ${words} gets; it is no error of the server.`,
    needs: ["human"],
    act: (target) => revokeOddly(target, "public", (token) => [...fields, ["token", token]]),
    assert(aftermath) {
      const { status } = aftermath.revocation.response;
      expectThat(status < 500, "no 5xx", summary(aftermath.revocation));
      return observation(told(aftermath));
    },
  }),
);

const get = check({
  id: "REVOKE-16",
  claim: "GET /oauth/revoke with client_id and token in the query revokes nothing.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await livingGrant(target);
    const query = `client_id=${encodeURIComponent(grant.client.client_id)}&token=${encodeURIComponent(newest.access_token)}`;
    const exchange = await target.send({ method: "GET", url: `${target.authUrl}/oauth/revoke?${query}` });
    return { exchange, use: await useAccessToken(target, newest.access_token) };
  },
  assert({ exchange, use }) {
    expectAccessTokenAccepted(use);
    return observation(summary(exchange));
  },
});

const superseded = check({
  id: "REVOKE-12/superseded-refresh-token",
  claim:
    "Revoking a superseded refresh token is answered 200; whether it ends the grant is the target's choice.",
  needs: ["human"],
  async act(target) {
    const { grant, oldest, newest } = await livingGrant(target);
    const revocation = await revoke(target, grant.client, oldest.refresh_token);
    return { revocation, use: await useAccessToken(target, newest.access_token) };
  },
  assert({ revocation, use }) {
    expectStatus(revocation, 200);
    return observation(isAccepted(use) ? "the grant lives on" : "the grant ends");
  },
});

const pastExpiry = 960;

const expired = check({
  id: "REVOKE-12/expired-access-token",
  claim:
    "Revoking an expired access token is answered 200; whether it ends the grant is the target's choice.",
  needs: ["human"],
  waitSeconds: pastExpiry,
  async act(target) {
    const { grant, newest } = await livingGrant(target);
    await target.wait(pastExpiry);
    const revocation = await revoke(target, grant.client, newest.access_token);
    return { revocation, refresh: await refreshWith(target, grant, newest) };
  },
  assert({ revocation, refresh }) {
    expectStatus(revocation, 200);
    return observation(refresh.response.status === 200 ? "the grant lives on" : "the grant ends");
  },
});

const noToken = (
  [
    { slug: "missing", words: "without token", fields: [] },
    { slug: "empty", words: "with an empty token", fields: [["token", ""]] },
  ] satisfies { slug: string; words: string; fields: Parameters }[]
).map(({ slug, words, fields }) =>
  check({
    id: `B-REV-01/${slug}`,
    claim: `A revocation ${words} is answered 400 invalid_request.`,
    async act(target) {
      const client = await sharedClient(target, "public");
      const control = await revoke(target, client, unguessable());
      if (control.response.status !== 200) {
        throw controlRefused("a revocation with a token", "200", control);
      }
      return postRevoke(target, [["client_id", client.client_id], ...fields]);
    },
    assert: (exchange): Finding | undefined => advise(() => expectOAuthError(exchange, ["invalid_request"])),
  }),
);

const hints = (
  [
    { slug: "wrong-for-access-token", kind: "access_token", hint: "refresh_token" },
    { slug: "wrong-for-refresh-token", kind: "refresh_token", hint: "access_token" },
    { slug: "right-for-access-token", kind: "access_token", hint: "access_token" },
    { slug: "unknown", kind: "refresh_token", hint: "foo" },
  ] as const
).map(({ slug, kind, hint }) =>
  check({
    id: `B-REV-02/${slug}`,
    claim: `Revoking the ${kind} with token_type_hint ${hint} is answered 200 and ends the grant.`,
    needs: ["human"],
    async act(target) {
      const { grant, newest } = await livingGrant(target);
      const fields: Parameters = [
        ["client_id", grant.client.client_id],
        ["token", newest[kind]],
        ["token_type_hint", hint],
      ];
      const revocation = await postRevoke(target, fields);
      return { revocation, refresh: await refreshWith(target, grant, newest) };
    },
    assert: ({ revocation, refresh }): Finding | undefined =>
      advise(() => {
        expectStatus(revocation, 200);
        expectRefreshTokenRejected(refresh);
      }),
  }),
);

const otherClients = check({
  id: "B-REV-03",
  claim: "A client that hands in another client's tokens revokes nothing.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await livingGrant(target);
    const other = await sharedClient(target, "other");
    await revoke(target, other, newest.access_token);
    await revoke(target, other, newest.refresh_token);
    return {
      use: await useAccessToken(target, newest.access_token),
      refresh: await refreshWith(target, grant, newest),
    };
  },
  assert: ({ use, refresh }): Finding | undefined =>
    advise(() => {
      expectAccessTokenAccepted(use);
      expectStatus(refresh, 200);
    }),
});

const wrongSecrets = [
  { slug: "no-secret", words: "without client_secret", secret: undefined },
  { slug: "wrong-secret", words: "with a wrong client_secret", secret: unguessable() },
].map(({ slug, words, secret }) =>
  check({
    id: `B-REV-04/${slug}`,
    claim: `A confidential client's revocation ${words} is refused and has no effect.`,
    needs: ["human"],
    act: (target) =>
      revokeOddly(target, "confidential", async (token) => [
        ["client_id", (await sharedClient(target, "confidential")).client_id],
        ["token", token],
        ...(secret === undefined ? [] : ([["client_secret", secret]] as const)),
      ]),
    assert(aftermath): Finding | undefined {
      const isRefused = isRefusalStatus(aftermath.revocation.response.status) && isAccepted(aftermath.use);
      return isRefused ? undefined : warning(told(aftermath));
    },
  }),
);

const rightSecret = check({
  id: "B-REV-04/right-secret",
  claim: "A confidential client's revocation with its client_secret is answered 200 and ends the grant.",
  needs: ["human"],
  act: (target) =>
    revokeOddly(target, "confidential", async (token) => {
      const client = await sharedClient(target, "confidential");
      return [["client_id", client.client_id], ["token", token], ...secretOf(client)];
    }),
  assert: ({ revocation, refresh }: { revocation: Exchange; refresh: Exchange }): Finding | undefined =>
    advise(() => {
      expectStatus(revocation, 200);
      expectRefreshTokenRejected(refresh);
    }),
});

export const clientChecks = [
  ...unnamed,
  get,
  superseded,
  expired,
  ...noToken,
  ...hints,
  otherClients,
  ...wrongSecrets,
  rightSecret,
];
