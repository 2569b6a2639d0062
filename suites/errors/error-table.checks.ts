import { controlRefused } from "../support/wire/control-refused.ts";
import { setTimeout as delay } from "node:timers/promises";
import {
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  postRegister,
  postRevoke,
  postToken,
  requireTokens,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { attempt, showsSignIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { redirectUris, registrationMetadata } from "../support/material/clients.ts";
import { authorizingClient, redeemableCode } from "../support/material/controls.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import {
  expectInvalidToken,
  expectNoTokens,
  expectOAuthError,
  expectTokenRefused,
} from "../support/judging/expect.ts";
import { freshGrant } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { bearer, getAgents, inboxQuery, jmapAs } from "../support/actors/jmap.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, InconclusiveError, warning } from "../support/verdict.ts";
import { askForForeignInbox, sendReadOnly } from "./samples.ts";

const invalidRequests = [
  {
    slug: "no-resource",
    words: "without resource",
    apply: (parameters: Parameters) => without(parameters, "resource"),
  },
  {
    slug: "no-state",
    words: "without state",
    apply: (parameters: Parameters) => without(parameters, "state"),
  },
  {
    slug: "no-challenge",
    words: "without code_challenge",
    apply: (parameters: Parameters) => without(parameters, "code_challenge"),
  },
  {
    slug: "plain-method",
    words: "with code_challenge_method plain",
    apply: (parameters: Parameters) => replacing(parameters, "code_challenge_method", "plain"),
  },
  {
    slug: "foreign-resource",
    words: "with a resource that is none of the target's",
    apply: (parameters: Parameters) => replacing(parameters, "resource", "https://evil.test/jmap"),
  },
].map(({ slug, words, apply }) =>
  check({
    id: `ERR-03/${slug}`,
    claim: `An authorization request ${words} is refused with 400 invalid_request.`,
    async act(target) {
      const client = await authorizingClient(target);
      return attempt(target, { client, parameters: apply(authorizationRequest(target, client).parameters) });
    },
    assert: (seen) => expectAuthorizationRefused(seen, ["invalid_request"]),
  }),
);

const unknownClientAtAuthorize = check({
  id: "ERR-04/authorize",
  claim: "An authorization request of an unknown client is refused with 400 invalid_client.",
  async act(target) {
    const { parameters } = authorizationRequest(target, await authorizingClient(target));
    return attempt(target, {
      client: { redirect_uris: [] },
      parameters: replacing(parameters, "client_id", unguessable()),
    });
  },
  assert: (seen) => expectAuthorizationRefused(seen, ["invalid_client"]),
});

const unknownClientAtToken = check({
  id: "ERR-04/token",
  claim: "A code exchange of an unknown client is refused with 400 invalid_client.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target);
    return postToken(target, replacing(codeExchange(code), "client_id", unguessable()));
  },
  assert(exchange) {
    expectNoTokens(exchange);
    // RFC 6749 §5.2 has 401 for this error, and a server may have read the document's table in its light.
    if (exchange.response.status === 401) {
      expectOAuthError(exchange, ["invalid_client"]);
      return warning("refused with 401, as RFC 6749 §5.2 has it; the document says 400");
    }
    expectOAuthError(exchange, ["invalid_client"]);
    return undefined;
  },
});

const usedCode = check({
  id: "ERR-05/used-code",
  claim: "A code that was redeemed before is refused with 400 invalid_grant.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target);
    requireTokens(await postToken(target, codeExchange(code)), "the first exchange of the code");
    return postToken(target, codeExchange(code));
  },
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_grant"]),
});

const otherRedirectUri = check({
  id: "ERR-05/redirect-uri",
  claim: "A code exchange with another redirect_uri than the request's is refused with 400 invalid_grant.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target);
    return postToken(target, replacing(codeExchange(code), "redirect_uri", "https://evil.test/cb"));
  },
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_grant"]),
});

const scopeBeyondClient = check({
  id: "ERR-06",
  claim:
    "A request of a client that registered mail.read alone for both scopes is refused with 400 invalid_scope.",
  async act(target) {
    const client = await readOnlyClient(target);
    const control = authorizationRequest(target, client, { scope: "mail.read" });
    const first = await target.send({ method: "GET", url: authorizationUrl(target, control.parameters) });
    if (!showsSignIn(first, client.redirect_uris)) {
      throw controlRefused("the same client asking for mail.read", "sign-in or consent", first);
    }
    return attempt(target, authorizationRequest(target, client));
  },
  assert: (seen) => expectAuthorizationRefused(seen, ["invalid_scope"]),
});

/** @throws {InconclusiveError} precondition-missing, when registration limits no client, which the document leaves open */
async function readOnlyClient(target: Target) {
  if (target.profile.clients.registration === "none")
    throw new BlockedError("needs dynamic registration; allow it in the profile (clients.registration)");
  const redirect_uris = [redirectUris.main];
  const exchange = await postRegister(
    target,
    registrationMetadata({ redirect_uris, token_endpoint_auth_method: "none", scope: "mail.read" }),
  );
  const { client_id, scope } = jsonMembers(exchange);
  if (isSuccess(exchange) && typeof client_id === "string" && scope === "mail.read")
    return { client_id, redirect_uris };
  throw new InconclusiveError(
    "precondition-missing",
    `registering a client for mail.read alone: expected a registration that says so, got ${summary(exchange)}`,
  );
}

const afterRevocation = [
  {
    slug: "agents",
    words: "An inbox list",
    send: async (target: Target, token: string) => getAgents(target, [bearer(token)]),
  },
  {
    slug: "jmap",
    words: "A JMAP request",
    send: async (target: Target, token: string) => jmapAs(target, token, await inboxOf(target), inboxQuery),
  },
].map(({ slug, words, send }) =>
  check({
    id: `ERR-07/revoked-${slug}`,
    claim: `${words} with an access token of a revoked grant is refused with 401 invalid_token.`,
    needs: ["human"],
    async act(target) {
      const { client, tokens } = await freshGrant(target);
      const before = await send(target, tokens.access_token);
      if (!isSuccess(before)) {
        throw controlRefused("the same request before the revocation", "200", before);
      }
      await postRevoke(target, [
        ["client_id", client.client_id],
        ["token", tokens.refresh_token],
      ]);
      return untilRefused(target, () => send(target, tokens.access_token));
    },
    assert: expectInvalidToken,
  }),
);

/** Asks until the answer is no success, for as long as the profile allows a revocation to take. */
async function untilRefused(target: Target, ask: () => Promise<Exchange>): Promise<Exchange> {
  const deadline = performance.now() + target.profile.revocation_propagation_seconds * 1000;
  for (;;) {
    const exchange = await ask();
    if (!isSuccess(exchange) || performance.now() > deadline) return exchange;
    await delay(250);
  }
}

const readOnlySend = check({
  id: "ERR-08",
  claim: "A send with an access token of mail.read is refused with 403 insufficient_scope.",
  needs: ["human"],
  act: sendReadOnly,
  assert: (exchange) => expectOAuthError(exchange, ["insufficient_scope"]),
});

const foreignInbox = check({
  id: "ERR-09",
  claim: "A JMAP request for an inbox of another human is refused with 403 access_denied.",
  needs: ["human", "second-human"],
  act: askForForeignInbox,
  assert: (exchange) => expectOAuthError(exchange, ["access_denied"]),
});

/** Status and code together, row by row. Document, "Errors", OAuth endpoints. */
export const errorTableChecks = [
  ...invalidRequests,
  unknownClientAtAuthorize,
  unknownClientAtToken,
  usedCode,
  otherRedirectUri,
  scopeBeyondClient,
  ...afterRevocation,
  readOnlySend,
  foreignInbox,
];
