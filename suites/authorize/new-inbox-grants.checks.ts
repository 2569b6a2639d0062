import { codeIn } from "../support/actors/authorization.ts";
import {
  codeExchange,
  mcpResource,
  newVerifier,
  postToken,
  registeredRedirectUri,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, expectTokenRefused, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { expectAudience } from "../support/judging/token-audience.ts";
import { grantsSending } from "../support/judging/token-responses.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { creatingInbox } from "../support/material/created-inboxes.ts";
import { forgedEnd } from "../support/material/forged-forms.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";

interface NewInboxGrant {
  readonly resource: string;
  /** With a verifier that is not the code's. */
  readonly wrong: Exchange;
  readonly right: Exchange;
}

/**
 * A consent for the MCP resource at which the person takes sending away and creates an inbox: once for all checks of a run.
 *
 * @throws {InconclusiveError} consent-stuck, when no form had the field for the inbox, or there was no code
 */
function newInboxGrant(target: Target): Promise<NewInboxGrant> {
  return target.once("authorize:new-inbox-grant", async (recording) => {
    const client = await authorizingClient(recording);
    const resource = mcpResource(recording);
    let isCreated = false;
    const forge = creatingInbox(recording, () => (isCreated = true));
    const { request, ended } = await forgedEnd(recording, client, forge, {
      request: { resource },
      decision: "approve read-only",
    });
    const code = "end" in ended ? codeIn(ended.end) : undefined;
    if (!isCreated || code === undefined)
      throw new InconclusiveError(
        "consent-stuck",
        "a consent that narrows and creates an inbox: expected a form for both, and a code",
        { explainedBy: "AGENTS-11/after-consent" },
      );
    const fields = codeExchange({
      code,
      client: request.client,
      verifier: request.verifier,
      redirect_uri: registeredRedirectUri(request.client),
    });
    return {
      resource,
      wrong: await postToken(recording, replacing(fields, "code_verifier", newVerifier())),
      right: await postToken(recording, fields),
    };
  });
}

/** @throws {NotApplicableError} when the failed exchange has used the code up, or succeeded */
function requireRight({ wrong, right }: NewInboxGrant): Exchange {
  if (!isSuccess(right) && isSuccess(wrong))
    throw new NotApplicableError("the exchange with another verifier was answered with the tokens");
  if (jsonMembers(right)["error"] === "invalid_grant")
    throw new NotApplicableError("an exchange with another verifier uses a code up");
  requireTokens(right, "the code of a consent that created an inbox");
  return right;
}

const needs = ["human", "pages"] as const;
const unlockedBy = "new_inbox";

const verifier = check({
  id: "PKCE-13/new-inbox",
  claim:
    "The code of a consent at which the person created an inbox is not redeemed with another `code_verifier`.",
  needs,
  unlockedBy,
  async act(target) {
    const made = await newInboxGrant(target);
    // A code that nobody can redeem would be refused too.
    if (!isSuccess(made.wrong)) requireRight(made);
    return made.wrong;
  },
  assert: (exchange) => explained("PKCE-13", () => expectTokenRefused(exchange, ["invalid_grant"])),
});

const narrowed = check({
  id: "SCOPE-06/new-inbox",
  claim: "A grant that the person narrowed to reading has no `mail.send` when they created an inbox with it.",
  needs,
  unlockedBy,
  act: async (target) => requireRight(await newInboxGrant(target)),
  assert(exchange) {
    const { scope } = jsonMembers(exchange);
    explained("SCOPE-06/response", () =>
      expectThat(!grantsSending(exchange), "no mail.send", shown(scope), exchange),
    );
  },
});

const audience = check({
  id: "RES-02/new-inbox",
  claim:
    "The access token of a consent for the MCP resource at which the person created an inbox is for that resource.",
  needs,
  unlockedBy,
  async act(target) {
    const made = await newInboxGrant(target);
    return { resource: made.resource, exchange: requireRight(made) };
  },
  assert: ({ resource, exchange }) => expectAudience(exchange, resource, "RES-02"),
});

/** What a consent grants does not depend on the inbox that the person chooses with it. Document, "GET /oauth/authorize". */
export const newInboxGrantChecks = [verifier, narrowed, audience];
