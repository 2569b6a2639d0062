import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { mcpResource, postRevoke, secretOf } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat } from "../support/judging/expect.ts";
import { freshGrant, refreshed, sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { pollUntil } from "../support/judging/propagation.ts";

/** The session document with a token, undefined for none, and an inbox of the first person in the account header. */
async function documentFor(target: Target, token: string | undefined): Promise<Exchange> {
  const selection = accountHeader(target, await inboxOf(target));
  return followedSessionDocument(target, token === undefined ? [selection] : [bearer(token), selection]);
}

function namesAccount(exchange: Exchange): boolean {
  const { accounts } = jsonMembers(exchange);
  return isSuccess(exchange) && isJsonObject(accounts) && Object.keys(accounts).length > 0;
}

/**
 * The control of every refusal: the document that this token for JMAP gets names an account, and nobody gets it without one.
 *
 * @throws {NotApplicableError} when it does not: the document promises it on the proof-of-work path alone
 */
async function requireDocument(target: Target, token: string): Promise<void> {
  if (!namesAccount(await documentFor(target.control, token)))
    throw new NotApplicableError("the target serves the session document to no access token");
  if (namesAccount(await documentFor(target.setup, undefined)))
    throw new NotApplicableError("the target serves the session document without a token");
}

function expectNoDocument(exchange: Exchange, explainedBy: string): void {
  explained(explainedBy, () =>
    expectThat(!namesAccount(exchange), "no session document with an account", summary(exchange), exchange),
  );
}

/** The document is part of JMAP where access tokens get it at all. Document, "Authentication", OAuth 2.0 path 6; "States", grant. */
export const sessionDocumentChecks = [
  check({
    id: "RES-29/session-document",
    claim:
      "The session document names no account to a token for the MCP resource with an owned account header, where a JMAP token gets it.",
    needs: ["human"],
    async act(target) {
      await requireDocument(target, await sharedAccessToken(target));
      return documentFor(target, await sharedAccessToken(target, { resource: mcpResource(target) }));
    },
    assert: (exchange) => expectNoDocument(exchange, "RES-29/mailbox-query"),
  }),
  check({
    id: "BEARER-11/session-document",
    claim:
      "The session document names no account to an access token that was revoked, where it did so before the revocation.",
    needs: ["human"],
    async act(target) {
      // Refreshed once: what is lost of an unrefreshed grant has checks of its own.
      const { tokens, client } = await refreshed(target, await freshGrant(target));
      await requireDocument(target, tokens.access_token);
      const revocation = await postRevoke(target.setup, [
        ["client_id", client.client_id],
        ["token", tokens.access_token],
        ...secretOf(client),
      ]);
      if (!isSuccess(revocation))
        throw controlRefused("revoking an access token", "200", revocation, "REVOKE-01/status");
      return pollUntil(
        target,
        () => documentFor(target, tokens.access_token),
        (exchange) => !namesAccount(exchange),
      );
    },
    assert: (exchange) => expectNoDocument(exchange, "REVOKE-10"),
  }),
];
