import { attempt, attemptSignedIn, codeIn, obtainCode } from "../support/actors/authorization.ts";
import { isPage } from "../support/actors/consent/responses.ts";
import {
  authorizationRequest,
  codeExchange,
  postRevoke,
  postToken,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenRejected,
  pollUntilRejected,
  requireAccepted,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat, expectTokenRefused, shown } from "../support/judging/expect.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { clientFor, withUndecidedClient } from "../support/material/clients.ts";
import { authorizingClient, redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { refreshed } from "../support/material/grants.ts";
import { narrowedGrant } from "../support/material/narrowed-grant.ts";
import { otherClients } from "../support/material/other-clients.ts";
import { isRedirect, jsonMembers } from "../support/wire/exchange.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";

const needs = ["human"] as const;
const unlockedBy = "client_metadata";

const noVerifier = check({
  id: "PKCE-09/document-no-verifier",
  claim: "A code of a metadata-document client is refused without `code_verifier`.",
  needs,
  unlockedBy,
  async act(target) {
    const code = await redeemableCode(target, { client: "document" });
    return postToken(target, without(codeExchange(code), "code_verifier"));
  },
  assert: (exchange) =>
    explained("PKCE-11", () => expectTokenRefused(exchange, ["invalid_grant", "invalid_request"])),
});

const reuse = otherClients.map(({ client, words, unlockedBy: unlock }) =>
  check({
    id: `REFRESH-04/${client}`,
    claim: `The reuse of a superseded refresh token ends a grant of ${words}.`,
    needs,
    unlockedBy: unlock,
    async act(target) {
      const first = await refreshableGrant(target, { client });
      const second = await refreshed(target, first);
      await presentRefreshToken(target.setup, first, first.tokens);
      return pollUntilRefreshRefused(target, first, second.tokens);
    },
    assert: (refresh) => expectRefreshRefused(refresh, "REFRESH-04/public"),
  }),
);

const otherDocument = check({
  id: "AUTHZ-18/other-document",
  claim:
    "A signed-in person's request of a client with a metadata document yields no code unasked, though they have approved one beside it.",
  needs: ["human", "pages"],
  unlockedBy,
  async act(target) {
    const choice = { scope: "mail.read" };
    const approved = await clientFor(target, "document", "approved");
    await obtainCode(target.setup, authorizationRequest(target, approved, choice));
    const client = await clientFor(target, "document", "never-approved");
    target.spend("grants");
    return attemptSignedIn(target, authorizationRequest(target, client, choice));
  },
  assert(seen) {
    const isAsked = seen.hops().some((hop) => isPage(hop) && !isRedirect(hop));
    explained("AUTHZ-18/new-client", () =>
      expectThat(
        isAsked || codeIn(seen.end) === undefined,
        "a page, or no code",
        "a code by redirects alone",
        seen.end.exchange,
      ),
    );
  },
});

const narrowing = otherClients.map(({ client, words, unlockedBy: unlock }) =>
  check({
    id: `SCOPE-06/${client}`,
    claim: `When the person narrows a request of ${words} to read-only, the token responses say \`mail.read\`.`,
    needs,
    unlockedBy: unlock,
    async act(target) {
      const grant = await narrowedGrant(target, client);
      return [grant.response, (await refreshed(target, grant)).response];
    },
    assert(responses) {
      for (const exchange of responses) {
        const { scope } = jsonMembers(exchange);
        explained("SCOPE-06/response", () =>
          expectThat(scope === "mail.read", "scope mail.read", shown(scope), exchange),
        );
      }
    },
  }),
);

const secondExchange = otherClients.map(({ client, words, unlockedBy: unlock }) =>
  check({
    id: `CODE-01/${client}`,
    claim: `The second exchange of a code of ${words} is refused with \`invalid_grant\`.`,
    needs,
    unlockedBy: unlock,
    async act(target) {
      const fields = codeExchange(await redeemableCode(target, { client }));
      requireTokens(await postToken(target.control, fields), "a valid code exchange");
      return postToken(target, fields);
    },
    assert: (exchange) => explained("CODE-01/public", () => expectTokenRefused(exchange, ["invalid_grant"])),
  }),
);

// What the profile's code_max_age_seconds is by default.
const longestLifetimeSeconds = 660;

const expiry = check({
  id: "CODE-04/document",
  claim:
    "A code of a metadata-document client that is older than the profile's `code_max_age_seconds` is refused with `invalid_grant`.",
  needs,
  unlockedBy,
  waitSeconds: longestLifetimeSeconds,
  async act(target) {
    const code = await redeemableCode(target, { client: "document" });
    await target.wait(target.profile.code_max_age_seconds);
    return postToken(target, codeExchange(code));
  },
  assert: (exchange) => explained("CODE-04", () => expectTokenRefused(exchange, ["invalid_grant"])),
});

const otherRedirectUris = [
  {
    id: "REDIR-29/document",
    words: "with a foreign `redirect_uri`",
    errors: ["invalid_grant"],
    apply: (fields: Parameters) => replacing(fields, "redirect_uri", "https://evil.test/"),
    likewise: "REDIR-29/foreign",
  },
  {
    id: "REDIR-31/document",
    words: "without `redirect_uri`",
    errors: ["invalid_grant", "invalid_request"],
    apply: (fields: Parameters) => without(fields, "redirect_uri"),
    likewise: "REDIR-31/missing",
  },
].map(({ id, words, errors, apply, likewise }) =>
  check({
    id,
    claim: `A code exchange ${words} by a client with a URL as \`client_id\` is refused with ${codeSpans(errors)}.`,
    needs,
    unlockedBy,
    async act(target) {
      const code = await redeemableCode(target, { client: "document" });
      return postToken(target, apply(codeExchange(code)));
    },
    assert: (exchange) => explained(likewise, () => expectTokenRefused(exchange, errors)),
  }),
);

const revocations = (
  [
    { id: "REVOKE-04/document", which: "refresh", likewise: "REVOKE-04" },
    { id: "REVOKE-01/document", which: "access", likewise: "REVOKE-01" },
  ] as const
).map(({ id, which, likewise }) =>
  check({
    id,
    claim: `After a client with a URL as \`client_id\` has revoked its ${which} token, its access token is refused at JMAP and by the inbox list.`,
    needs,
    unlockedBy,
    async act(target) {
      const { client, tokens } = await refreshableGrant(target, { client: "document" });
      await requireAccepted(target, tokens.access_token);
      await postRevoke(target, [
        ["client_id", client.client_id],
        ["token", tokens[`${which}_token`]],
      ]);
      return pollUntilRejected(target, tokens.access_token);
    },
    assert: (use) => explained(likewise, () => expectAccessTokenRejected(use)),
  }),
);

const declined = check({
  id: "AUTHZ-18/document",
  claim: "A request of a metadata-document client that the person declines yields no code.",
  needs,
  unlockedBy,
  async act(target) {
    const client = await authorizingClient(target, "document");
    return withUndecidedClient(target, "document", client, (decidedOn) =>
      attempt(target, authorizationRequest(target, decidedOn), { decision: "deny" }),
    );
  },
  assert({ end }) {
    explained("AUTHZ-18/public", () =>
      expectThat(codeIn(end) === undefined, "no code", "a redirect with a code", end.exchange),
    );
  },
});

/** Grants of clients that do not register themselves are as protected as others. Document, "Authentication", OAuth 2.0 path 1, 2 and 7. */
export const grantChecks = [
  noVerifier,
  ...reuse,
  otherDocument,
  ...narrowing,
  ...secondExchange,
  expiry,
  ...otherRedirectUris,
  ...revocations,
  declined,
];
