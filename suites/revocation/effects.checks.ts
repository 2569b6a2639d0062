import {
  postRevoke,
  postToken,
  refreshExchange,
  requireTokens,
  secretOf,
  type Tokens,
} from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenRejected,
  expectRevokedAnswer,
  isAccepted,
  pollUntilRejected,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { expectRefreshRefused, pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { type Grant, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { adding } from "../support/wire/parameters.ts";
import { revocableGrant, revoke } from "./revoked-grants.ts";

const accessToken = check({
  id: "REVOKE-01",
  claim: "A revoked access token is refused by JMAP and by the inbox list.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await revocableGrant(target);
    await revoke(target, grant.client, newest.access_token);
    return pollUntilRejected(target, newest.access_token);
  },
  assert: (use) => expectAccessTokenRejected(use),
});

/**
 * A grant, and the tokens of a refresh of it that asked for `mail.read`.
 *
 * @throws {NotApplicableError} when the target refuses such a refresh: the document shows no `scope` in one
 */
async function narrowedByRefresh(target: Target): Promise<{ grant: Grant; narrowed: Tokens }> {
  const { grant } = await revocableGrant(target);
  const fields = adding(refreshExchange(grant.client, grant.tokens.refresh_token), ["scope", "mail.read"]);
  const refresh = await postToken(target.setup, fields);
  if (isRefusal(refresh)) throw new NotApplicableError("the target refuses a refresh that names a scope");
  return {
    grant,
    narrowed: requireTokens(refresh, "a refresh that asks for `mail.read`", "B-TOK-16/narrowed"),
  };
}

const narrowedAccessToken = check({
  id: "REVOKE-02/narrowed",
  claim:
    "After an access token was revoked that a refresh with `scope` `mail.read` gave, the refresh token of its grant is refused; a target may refuse such a refresh.",
  needs: ["human"],
  async act(target) {
    const { grant, narrowed } = await narrowedByRefresh(target);
    await revoke(target, grant.client, narrowed.access_token);
    return pollUntilRefreshRefused(target, grant, narrowed);
  },
  assert: (refresh) => expectRefreshRefused(refresh, "REVOKE-02"),
});

const narrowedByRefreshToken = check({
  id: "REVOKE-04/narrowed-access-token",
  claim:
    "After a refresh token was revoked, an access token that a refresh with `scope` `mail.read` gave is refused; a target may refuse such a refresh.",
  needs: ["human"],
  async act(target) {
    const { grant, narrowed } = await narrowedByRefresh(target);
    await requireAccepted(target, narrowed.access_token);
    await revoke(target, grant.client, narrowed.refresh_token);
    return pollUntilRejected(target, narrowed.access_token);
  },
  assert: (use) => expectAccessTokenRejected(use, "REVOKE-04/newest-access-token"),
});

const refreshTokenOfAccessToken = check({
  id: "REVOKE-02",
  claim: "After an access token was revoked, the refresh token of its grant is refused.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await revocableGrant(target);
    await revoke(target, grant.client, newest.access_token);
    return pollUntilRefreshRefused(target, grant, newest);
  },
  assert: (refresh) => expectRefreshRefused(refresh, "REVOKE-01"),
});

const narrowingPeople = [
  { slug: "narrowed-at-consent", words: "", client: "public" },
  { slug: "narrowed-at-consent-confidential", words: "of a confidential client ", client: "confidential" },
] as const;

const narrowedAtConsent = narrowingPeople.flatMap(({ slug, words, client }) =>
  (
    [
      { id: "REVOKE-02", kind: "access_token" },
      { id: "REVOKE-05", kind: "refresh_token" },
    ] as const
  ).map(({ id, kind }) =>
    check({
      id: `${id}/${slug}`,
      claim: `Revoking the newest ${kind.replace("_", " ")} of a grant ${words}that the person narrowed to reading ends it with both kinds of token.`,
      needs: ["human"],
      async act(target) {
        const { grant, newest } = await revocableGrant(target, { client, decision: "approve read-only" });
        await postRevoke(target, [
          ["client_id", grant.client.client_id],
          ["token", newest[kind]],
          ...secretOf(grant.client),
        ]);
        return {
          refresh: await pollUntilRefreshRefused(target, grant, newest),
          use: await pollUntilRejected(target, newest.access_token),
        };
      },
      assert({ refresh, use }) {
        expectRefreshRefused(refresh, id);
        expectAccessTokenRejected(use, id === "REVOKE-02" ? "REVOKE-01" : "REVOKE-04/newest-access-token");
      },
    }),
  ),
);

const manyRefreshes = 12;

/** Revokes an access token of a grant that was refreshed many times, and presents what is left of the grant. */
async function revokedAfterManyRefreshes(target: Target, which: "oldest" | "newest") {
  const { grant: once, older } = await revocableGrant(target);
  let grant = once;
  for (let refreshes = 1; refreshes < manyRefreshes; refreshes += 1) grant = await refreshed(target, grant);
  const { access_token: newest } = grant.tokens;
  await requireAccepted(target, newest);
  // A refresh may have ended the older ones (REFRESH-20).
  const isOldest = which === "oldest" && isAccepted(await useAccessToken(target.setup, older.access_token));
  const revoked = isOldest ? older.access_token : newest;
  await revoke(target, grant.client, revoked);
  return {
    uses: [await pollUntilRejected(target, revoked), await pollUntilRejected(target, newest)],
    refresh: await pollUntilRefreshRefused(target, grant, grant.tokens),
  };
}

const afterManyRefreshes = [
  { which: "newest", words: "newest access token" },
  { which: "oldest", words: "oldest access token that works" },
] as const;

const endsLongGrants = afterManyRefreshes.map(({ which, words }) =>
  check({
    id: `REVOKE-02/${which}-of-many`,
    claim: `Revoking the ${words} of a grant that was refreshed ${manyRefreshes} times ends it with all its tokens.`,
    needs: ["human"],
    act: (target) => revokedAfterManyRefreshes(target, which),
    assert({ uses, refresh }) {
      for (const use of uses) expectAccessTokenRejected(use, "REVOKE-01");
      expectRefreshRefused(refresh, "REVOKE-02");
    },
  }),
);

const siblings = check({
  id: "REVOKE-03",
  claim: "After the newest access token was revoked, JMAP and the inbox list refuse the grant's older one.",
  needs: ["human"],
  async act(target) {
    const { grant, older, newest } = await revocableGrant(target);
    await revoke(target, grant.client, newest.access_token);
    return pollUntilRejected(target, older.access_token);
  },
  assert: (use) => expectAccessTokenRejected(use, "REVOKE-01"),
});

const accessTokensOfRefreshToken = (["older", "newest"] as const).map((which) =>
  check({
    id: `REVOKE-04/${which}-access-token`,
    claim: `After a refresh token was revoked, JMAP and the inbox list refuse the ${which} access token of its grant.`,
    needs: ["human"],
    async act(target) {
      const { grant, older, newest } = await revocableGrant(target);
      await revoke(target, grant.client, newest.refresh_token);
      return pollUntilRejected(target, (which === "older" ? older : newest).access_token);
    },
    assert: (use) => expectAccessTokenRejected(use),
  }),
);

const refreshToken = check({
  id: "REVOKE-05",
  claim: "A revoked refresh token is refused.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await revocableGrant(target);
    await revoke(target, grant.client, newest.refresh_token);
    return pollUntilRefreshRefused(target, grant, newest);
  },
  assert: (refresh) => expectRefreshRefused(refresh),
});

const errors = (
  [
    { place: "jmap", words: "JMAP" },
    { place: "agents", words: "the inbox list" },
  ] as const
).map(({ place, words }) =>
  check({
    id: `REVOKE-11/${place}`,
    claim: `A revoked access token is answered 401 with \`invalid_token\` by ${words}.`,
    needs: ["human"],
    async act(target) {
      const { grant, newest } = await revocableGrant(target);
      await revoke(target, grant.client, newest.access_token);
      return (await pollUntilRejected(target, newest.access_token))[place];
    },
    assert: (exchange) => expectRevokedAnswer(exchange, "REVOKE-01"),
  }),
);

export const effectChecks = [
  accessToken,
  refreshTokenOfAccessToken,
  narrowedAccessToken,
  narrowedByRefreshToken,
  ...narrowedAtConsent,
  ...endsLongGrants,
  siblings,
  ...accessTokensOfRefreshToken,
  refreshToken,
  ...errors,
];
