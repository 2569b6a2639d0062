import { attempt, codeIn, obtainCode } from "../support/actors/authorization.ts";
import {
  agentResource,
  authorizationRequest,
  codeExchange,
  mcpResource,
  postToken,
  registeredRedirectUri,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { grantsSending } from "../support/judging/token-responses.ts";
import { clientFor, type ClientKind } from "../support/material/clients.ts";
import { freshGrant, type GrantSpec, refreshed } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { narrowedGrant } from "../support/material/narrowed-grant.ts";
import { otherClients } from "../support/material/other-clients.ts";
import type { Target } from "../support/target/target.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { jsonMembers } from "../support/wire/exchange.ts";
import { trySendingWith } from "./read-only-again.ts";
import { requireReadOnly } from "./scoped-tokens.ts";
import { expectSendRefused } from "./send-attempts.ts";

const kinds: readonly {
  slug: string;
  words: string;
  spec: (target: Target) => GrantSpec | Promise<GrantSpec>;
}[] = [
  { slug: "confidential", words: "of a confidential client", spec: () => ({ client: "confidential" }) },
  { slug: "mcp", words: "for the MCP resource", spec: (target) => ({ resource: mcpResource(target) }) },
  {
    slug: "reversed",
    words: "for `mail.send mail.read`, in this order,",
    spec: () => ({ scope: "mail.send mail.read" }),
  },
  {
    slug: "single-inbox",
    words: "for a single inbox",
    spec: async (target) => ({ resource: agentResource(target, await inboxOf(target)) }),
  },
];

const responses = kinds.map(({ slug, words, spec }) =>
  check({
    id: `SCOPE-06/${slug}`,
    claim: `When the person narrows a request ${words} to read-only, the token response and those of two refreshes say \`mail.read\`.`,
    needs: ["human"],
    async act(target) {
      const grant = await freshGrant(target, { ...(await spec(target)), decision: "approve read-only" });
      const once = await refreshed(target, grant);
      const twice = await refreshed(target, once);
      return [grant.response, once.response, twice.response];
    },
    assert(responses) {
      for (const [at, exchange] of responses.entries()) {
        const { scope } = jsonMembers(exchange);
        explained(at === 0 ? "SCOPE-06/response" : "SCOPE-06/refresh", () =>
          expectThat(scope === "mail.read", "scope mail.read", shown(scope), exchange),
        );
      }
    },
  }),
);

const clients: readonly {
  client: ClientKind;
  words: string;
  unlockedBy?: Unlock;
}[] = [{ client: "confidential", words: "a confidential client" }, ...otherClients];

// A response may say less than its token.
const sends = clients.map(({ client, words, unlockedBy }) =>
  check({
    id: `SCOPE-06/${client}-send`,
    claim: `A send with a token of ${words}, whose grant the person narrowed to read-only, is refused with \`insufficient_scope\`.`,
    needs: ["human"],
    ...(unlockedBy !== undefined && { unlockedBy }),
    async act(target) {
      const grant = await narrowedGrant(target, client);
      return trySendingWith(target, requireReadOnly(grant).tokens);
    },
    assert: (attempt) => explained("SCOPE-06/send", () => expectSendRefused(attempt)),
  }),
);

const fullAgain = check({
  id: "SCOPE-06/approved-later",
  claim:
    "A scope that a person removed from one grant is in their next grant to the same client when they approve both.",
  needs: ["human"],
  async act(target) {
    const client = await clientFor(target, "public", "narrowed once");
    const once = await obtainCode(target.setup, authorizationRequest(target, client), {
      decision: "approve read-only",
    });
    requireTokens(await postToken(target.setup, codeExchange(once)), "the code of a narrowed grant");
    const request = authorizationRequest(target, client);
    target.spend("grants");
    const { end, isDecided } = await attempt(target, request);
    if (isDecided === false)
      throw new NotApplicableError("a person who has decided about a client is not asked again");
    const code = codeIn(end);
    if (code === undefined)
      throw controlRefused("a second consent to a client", "a code", end.exchange, "AUTHZ-09");
    const { verifier } = request;
    const fields = codeExchange({ code, client, verifier, redirect_uri: registeredRedirectUri(client) });
    const exchange = await postToken(target, fields);
    requireTokens(exchange, "the code of a second consent");
    return exchange;
  },
  assert(exchange): Warning | undefined {
    if (grantsSending(exchange)) return undefined;
    // The response may say less than was asked for, whatever the reason.
    return warning(`the person approved both scopes, and got ${shown(jsonMembers(exchange)["scope"])}`);
  },
});

/** The person's decision holds for every kind of grant, and lasts. Document, "Authentication", OAuth 2.0 path 7. */
export const narrowedGrantChecks = [...responses, ...sends, fullAgain];
