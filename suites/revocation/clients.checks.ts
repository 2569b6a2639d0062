import { expectTokensUsable } from "./survivors.ts";
import { postRevoke, secretOf, unguessable } from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenAccepted,
  isAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectOAuthError, expectStatus, isRefusal } from "../support/judging/expect.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { sharedClient } from "../support/material/clients.ts";
import { freshGrant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import { revocableGrant, revoke } from "./revoked-grants.ts";

const unnamed = (
  [
    { slug: "missing", words: "without `client_id`", fields: [] },
    {
      slug: "unknown",
      words: "with an unknown `client_id`",
      fields: [["client_id", `unknown-${unguessable()}`]],
    },
  ] satisfies { slug: string; words: string; fields: Parameters }[]
).map(({ slug, words, fields }) =>
  observe({
    id: `REVOKE-13/${slug}-client-id`,
    question: `What does a revocation ${words} get?`,
    needs: ["human"],
    async act(target) {
      const { newest } = await revocableGrant(target);
      const revocation = await postRevoke(target, [...fields, ["token", newest.access_token]]);
      return { revocation, use: await useAccessToken(target, newest.access_token) };
    },
    answer: ({ revocation, use }) =>
      `${summary(revocation)}, and the access token ${isAccepted(use) ? "keeps working" : "is refused"}`,
  }),
);

/** `GET /oauth/revoke` for both living tokens of a grant: once for all checks of a run. */
function revokeByGet(target: Target) {
  return target.once("revocation:get", async (recording) => {
    const { grant, newest } = await revocableGrant(recording);
    const byGet = (token: string): Promise<Exchange> => {
      const query = encodeParameters([
        ["client_id", grant.client.client_id],
        ["token", token],
      ]);
      return recording.send({ method: "GET", url: `${target.authUrl}/oauth/revoke?${query}` });
    };
    const answer = await byGet(newest.access_token);
    const use = await useAccessToken(recording, newest.access_token);
    await byGet(newest.refresh_token);
    const uses = [use, await useAccessToken(recording, newest.access_token)];
    return { answer, uses, refresh: await presentRefreshToken(recording, grant, newest) };
  });
}

const get = observe({
  id: "REVOKE-16",
  question: "What does `GET /oauth/revoke` get?",
  needs: ["human"],
  act: async (target) => (await revokeByGet(target)).answer,
  answer: (exchange) => summary(exchange),
});

const getRevokesNothing = check({
  id: "REVOKE-16/no-effect",
  claim: "`GET /oauth/revoke` with `client_id` and either `token` of a grant in the query revokes nothing.",
  needs: ["human"],
  act: revokeByGet,
  assert({ uses, refresh }) {
    for (const use of uses) expectAccessTokenAccepted(use);
    expectStatus(refresh, 200);
  },
});

const noToken = (
  [
    { slug: "missing", words: "without `token`", fields: [] },
    { slug: "empty", words: "with an empty `token`", fields: [["token", ""]] },
  ] satisfies { slug: string; words: string; fields: Parameters }[]
).map(({ slug, words, fields }) =>
  recommend({
    id: `B-REV-01/${slug}`,
    claim: `A revocation ${words} is refused with \`invalid_request\`.`,
    async act(target) {
      const client = await sharedClient(target, "public");
      const control = await revoke(target.control, client, unguessable());
      if (!isSuccess(control))
        throw controlRefused("a revocation with a token", "200", control, "REVOKE-06/random");
      return postRevoke(target, [["client_id", client.client_id], ...fields]);
    },
    assert: (exchange) => expectOAuthError(exchange, ["invalid_request"]),
  }),
);

/** The control of a revocation with a hint: without one it ends the grant. */
async function requireRevocation(target: Target, kind: "access_token" | "refresh_token"): Promise<void> {
  await target.control.once(`control:revoke:${kind}`, async (recording) => {
    const { grant, newest } = await revocableGrant(recording);
    await revoke(recording, grant.client, newest[kind]);
    const refresh = await pollUntilRefreshRefused(recording, grant, newest);
    if (!isSuccess(refresh)) return;
    throw new InconclusiveError(
      "precondition-missing",
      `needs a revocation that ends the grant; a refresh after it got ${summary(refresh)}`,
      { exchange: refresh, explainedBy: kind === "access_token" ? "REVOKE-02" : "REVOKE-05" },
    );
  });
}

const hints = (
  [
    { slug: "wrong-for-access-token", kind: "access_token", hint: "refresh_token" },
    { slug: "wrong-for-refresh-token", kind: "refresh_token", hint: "access_token" },
    { slug: "right-for-access-token", kind: "access_token", hint: "access_token" },
    { slug: "unknown", kind: "refresh_token", hint: "foo" },
  ] as const
).map(({ slug, kind, hint }) =>
  recommend({
    id: `B-REV-02/${slug}`,
    claim: `The revocation of the ${kind.replace("_", " ")} with \`token_type_hint\` \`${hint}\` ends the grant.`,
    needs: ["human"],
    async act(target) {
      await requireRevocation(target, kind);
      const { grant, newest } = await revocableGrant(target);
      const fields: Parameters = [
        ["client_id", grant.client.client_id],
        ["token", newest[kind]],
        ["token_type_hint", hint],
      ];
      await postRevoke(target, fields);
      return pollUntilRefreshRefused(target, grant, newest);
    },
    assert: (refresh) => expectRefreshRefused(refresh),
  }),
);

interface OthersTokens {
  readonly slug: string;
  /** Of the check of the RFC's row. */
  readonly recommended: string;
  /** The subject of the claim. */
  readonly words: string;
  readonly owner: "public" | "confidential" | "document" | "operator";
  readonly other: "other" | "confidential";
}

const othersTokens: readonly OthersTokens[] = [
  {
    slug: "other-client",
    recommended: "B-REV-03",
    words: "A client that revokes the tokens of another client",
    owner: "public",
    other: "other",
  },
  {
    slug: "of-confidential",
    recommended: "B-REV-03/of-confidential",
    words: "A public client that revokes the tokens of a confidential one",
    owner: "confidential",
    other: "other",
  },
  {
    slug: "of-document",
    recommended: "B-REV-03/of-document",
    words: "A public client that revokes the tokens of a metadata-document client",
    owner: "document",
    other: "other",
  },
  {
    slug: "by-confidential",
    recommended: "B-REV-03/by-confidential",
    words: "A confidential client that revokes the tokens of a public one, with its own secret,",
    owner: "public",
    other: "confidential",
  },
];

/** Whether the tokens of a grant still work after another client has revoked each of them: once for both checks. */
function afterOthersRevocation(target: Target, { slug, owner, other }: OthersTokens) {
  return target.once(`revocation:${slug}`, async (recording) => {
    const { grant, older, newest } = await revocableGrant(recording, { client: owner });
    const client = await sharedClient(recording, other);
    for (const token of [older.refresh_token, newest.access_token, newest.refresh_token])
      await postRevoke(recording, revocationFields(client.client_id, token, secretOf(client)));
    return {
      use: await useAccessToken(recording, newest.access_token),
      refresh: await presentRefreshToken(recording, grant, newest),
    };
  });
}

/** The tokens of another client survive in any case (C-36); RFC 7009 §2.1 says so too. */
const otherClients = othersTokens.flatMap((kind) => {
  const isFirst = kind.slug === "other-client";
  const experiment = {
    needs: ["human" as const],
    ...(kind.owner === "document" && { unlockedBy: "client_metadata" as const }),
    act: (target: Target) => afterOthersRevocation(target, kind),
  };
  return [
    check({
      id: `REVOKE-13/${kind.slug}`,
      claim: `${kind.words} has no effect on them: the newest ones keep working.`,
      ...experiment,
      assert: (seen) =>
        isFirst
          ? expectTokensUsable(seen)
          : explained("REVOKE-13/other-client", () => expectTokensUsable(seen)),
    }),
    recommend({
      id: kind.recommended,
      claim: `${kind.words} has no effect on them, the superseded refresh token included.`,
      ...experiment,
      assert: (seen) =>
        isFirst ? expectTokensUsable(seen) : explained("B-REV-03", () => expectTokensUsable(seen)),
    }),
  ];
});

/** The control of a confidential client's refused revocation: with its secret it is answered with success. */
async function requireAuthenticatedRevocation(
  target: Target,
  kind: "confidential" | "operator" = "confidential",
): Promise<void> {
  await target.control.once(`control:revoke:${kind}`, async (recording) => {
    const { client, tokens } = await freshGrant(recording, { client: kind });
    const exchange = await postRevoke(
      recording,
      revocationFields(client.client_id, tokens.access_token, secretOf(client)),
    );
    if (!isSuccess(exchange))
      throw controlRefused("a revocation with client_secret", "200", exchange, "REVOKE-01/status");
  });
}

function revocationFields(clientId: string, token: string, secret: Parameters): Parameters {
  return [["client_id", clientId], ["token", token], ...secret];
}

const wrongSecrets = [
  // 200 stands for a token that is not recognised as that of the client (C-36).
  {
    slug: "no-secret",
    words: "without `client_secret` is refused or answered 200",
    secret: [],
    isSilent: true,
  },
  {
    slug: "wrong-secret",
    words: "with a wrong `client_secret` is refused",
    secret: [["client_secret", unguessable()]],
    isSilent: false,
  },
] satisfies { slug: string; words: string; secret: Parameters; isSilent: boolean }[];

const wrongSecretsForAccess = wrongSecrets.map(({ slug, words, secret, isSilent }) =>
  recommend({
    id: `B-REV-04/${slug}`,
    claim: `A confidential client's revocation ${words}, and has no effect.`,
    needs: ["human"],
    async act(target) {
      await requireAuthenticatedRevocation(target);
      const { grant, newest } = await revocableGrant(target, { client: "confidential" });
      const fields = revocationFields(grant.client.client_id, newest.access_token, secret);
      const revocation = await postRevoke(target, fields);
      return { revocation, use: await useAccessToken(target, newest.access_token) };
    },
    assert({ revocation, use }) {
      if (!isSilent || !isSuccess(revocation)) expectRefused(revocation);
      expectAccessTokenAccepted(use);
    },
  }),
);

/** How a client came to its secret does not matter. */
const wrongSecretsOfOperator = wrongSecrets.map(({ slug, words, secret, isSilent }) =>
  recommend({
    id: `B-REV-04/${slug}-operator`,
    claim: `A revocation of an operator's confidential client ${words}, and has no effect.`,
    needs: ["human"],
    unlockedBy: "operator_secret",
    async act(target) {
      await requireAuthenticatedRevocation(target, "operator");
      const { grant, newest } = await revocableGrant(target, { client: "operator" });
      const fields = revocationFields(grant.client.client_id, newest.access_token, secret);
      const revocation = await postRevoke(target, fields);
      return { revocation, use: await useAccessToken(target, newest.access_token) };
    },
    assert({ revocation, use }) {
      explained(`B-REV-04/${slug}`, () => {
        if (!isSilent || !isSuccess(revocation)) expectRefused(revocation);
        expectAccessTokenAccepted(use);
      });
    },
  }),
);

const wrongSecretsForRefresh = wrongSecrets.map(({ slug, words, secret, isSilent }) =>
  recommend({
    id: `B-REV-04/${slug}-refresh-token`,
    claim: `A confidential client's revocation of a refresh token ${words}, and leaves both tokens usable.`,
    needs: ["human"],
    async act(target) {
      await requireAuthenticatedRevocation(target);
      const { grant, newest } = await revocableGrant(target, { client: "confidential" });
      const fields = revocationFields(grant.client.client_id, newest.refresh_token, secret);
      const revocation = await postRevoke(target, fields);
      const use = await useAccessToken(target, newest.access_token);
      return { revocation, use, refresh: await presentRefreshToken(target, grant, newest) };
    },
    assert({ revocation, use, refresh }) {
      explained(`B-REV-04/${slug}`, () => {
        if (!isSilent || !isSuccess(revocation)) expectRefused(revocation);
        expectAccessTokenAccepted(use);
        expectStatus(refresh, 200);
      });
    },
  }),
);

function expectRefused(exchange: Exchange): void {
  if (!isRefusal(exchange))
    throw new Violation("the revocation to be refused", summary(exchange), { exchange });
}

const rightSecret = recommend({
  id: "B-REV-04/right-secret",
  claim: "A confidential client's revocation with its `client_secret` ends the grant.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await revocableGrant(target, { client: "confidential" });
    await postRevoke(
      target,
      revocationFields(grant.client.client_id, newest.access_token, secretOf(grant.client)),
    );
    return pollUntilRefreshRefused(target, grant, newest);
  },
  assert: (refresh) => expectRefreshRefused(refresh),
});

export const clientChecks = [
  ...unnamed,
  get,
  getRevokesNothing,
  ...noToken,
  ...hints,
  ...otherClients,
  ...wrongSecretsForAccess,
  ...wrongSecretsOfOperator,
  ...wrongSecretsForRefresh,
  rightSecret,
];
