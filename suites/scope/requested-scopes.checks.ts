import { endInWords } from "../support/judging/expected-code.ts";
import {
  agentResource,
  authorizationRequest,
  jmapResource,
  mcpResource,
} from "../support/actors/oauth-client.ts";
import { postRegister } from "../support/actors/registration.ts";
import { attempt, attemptSignedIn, codeIn } from "../support/actors/authorization.ts";
import { check, type Need, observe } from "../support/judging/check.ts";
import { requireDynamicRegistration, sharedClient } from "../support/material/clients.ts";
import { redirectUris, registrationMetadata } from "../support/material/registrations.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import {
  type Warning,
  InconclusiveError,
  NotApplicableError,
  Violation,
  warning,
} from "../support/verdict.ts";
import { askingFor, type Outcome } from "./authorizations.ts";
import { scopesIn } from "./scoped-tokens.ts";

const refusals = ["invalid_scope", "invalid_request"];

// A service that grants this one grants whatever it is asked for.
const plainUnknownScope = "SCOPE-08/mail-admin";

const unknownScopes = [
  { id: plainUnknownScope, scope: "mail.admin" },
  { id: "SCOPE-08/openid", scope: "openid" },
  { id: "SCOPE-08/asterisk", scope: "*" },
  { id: "SCOPE-08/longer", scope: "mail.readx" },
  { id: "SCOPE-08/shorter", scope: "mail" },
  { id: "SCOPE-10/capitals", scope: "Mail.Read" },
  { id: "SCOPE-10/upper-case", scope: "MAIL.SEND" },
  { id: "SCOPE-10/full-width", scope: "ｍail.read" },
].map(({ id, scope }) =>
  check({
    id,
    claim: `A request for the scope \`${scope}\` alone is refused with \`invalid_scope\` or \`invalid_request\`.`,
    act: async (target) => askingFor(target, scope),
    assert({ seen }): Warning | undefined {
      if (codeIn(seen.end) === undefined) return expectAuthorizationRefused(seen, refusals);
      throw new Violation(`a refusal with ${refusals.join(" or ")}`, "a code was issued", {
        exchange: seen.end.exchange,
        explainedBy: plainUnknownScope,
      });
    },
  }),
);

function grantedIn({ exchange }: Outcome): readonly string[] {
  const { scope } = exchange === undefined || !isSuccess(exchange) ? {} : jsonMembers(exchange);
  return typeof scope === "string" ? scopesIn(scope) : [];
}

const besideKnown = check({
  id: "SCOPE-08/beside-a-known-one",
  claim:
    "A request for `mail.read` and `mail.admin` is refused; where it is not, `mail.admin` is ignored and not granted.",
  needs: ["human"],
  act: async (target) => askingFor(target, "mail.read mail.admin"),
  assert(outcome): Warning | undefined {
    const { seen, exchange } = outcome;
    if (codeIn(seen.end) === undefined) return expectAuthorizationRefused(seen, refusals);
    const granted = grantedIn(outcome);
    if (granted.some((name) => name !== "mail.read")) {
      throw new Violation("nothing beyond mail.read", shown(granted.join(" ")), {
        exchange,
        explainedBy: plainUnknownScope,
      });
    }
    // RFC 6749 §3.3 lets a server ignore a part of the request (C-26).
    return warning(`mail.admin is ignored; granted: ${granted.join(" ") || "nothing"}`);
  },
});

const missing = check({
  id: "SCOPE-01",
  claim: "An authorization request without `scope` is refused with `invalid_scope` or `invalid_request`.",
  async act(target) {
    const client = await authorizingClient(target);
    const { parameters } = authorizationRequest(target, client);
    return attempt(target, { client, parameters: without(parameters, "scope") });
  },
  assert: (seen) => expectAuthorizationRefused(seen, refusals),
});

const separators = [
  { slug: "comma", words: "both scopes separated by a comma", scope: "mail.read,mail.send" },
  { slug: "tab", words: "both scopes separated by a tab", scope: "mail.read\tmail.send" },
  { slug: "line-feed", words: "both scopes separated by a line feed", scope: "mail.read\nmail.send" },
  { slug: "two-spaces", words: "both scopes separated by two spaces", scope: "mail.read  mail.send" },
  { slug: "repeated", words: "the same scope twice", scope: "mail.read mail.read" },
  { slug: "plus", words: "both scopes separated by an encoded plus sign", scope: "mail.read+mail.send" },
].map(({ slug, words, scope }) =>
  observe({
    id: `SCOPE-11/${slug}`,
    question: `What is a request for ${words} granted?`,
    needs: ["human"],
    act: async (target) => askingFor(target, scope),
    answer(outcome) {
      const granted = grantedIn(outcome);
      return granted.length > 0 ? granted.join(" ") : `nothing: ${endInWords(outcome.seen)}`;
    },
  }),
);

const everyGrant = check({
  id: "SCOPE-08/every-grant",
  claim: "No token response of the run grants a scope other than `mail.read` and `mail.send`.",
  needs: ["human"],
  last: true,
  async act(target) {
    const responses = target
      .runExchanges()
      .filter(
        (exchange) =>
          exchange.request.url === `${target.authUrl}/oauth/token` &&
          isSuccess(exchange) &&
          typeof jsonMembers(exchange)["scope"] === "string",
      );
    if (responses.length > 0) return responses;
    throw new InconclusiveError("precondition-missing", "no token response of the run named a scope");
  },
  assert(responses) {
    for (const exchange of responses) {
      const { scope } = jsonMembers(exchange);
      const unknown = scopesIn(String(scope)).find((name) => name !== "mail.read" && name !== "mail.send");
      if (unknown === undefined) continue;
      throw new Violation("mail.read and mail.send alone", `scope ${shown(scope)}`, {
        exchange,
        explainedBy: plainUnknownScope,
      });
    }
  },
});

/** @throws {NotApplicableError} when the target does not say so: it may register more than a client asks for (RFC 7591 §3.2.1) */
function requireLimited(target: Target, clientId: string, allowed: string): void {
  const registration = target
    .runExchanges()
    .find(
      (exchange) =>
        exchange.request.url === `${target.authUrl}/oauth/register` &&
        jsonMembers(exchange)["client_id"] === clientId,
    );
  const { scope } = registration === undefined ? {} : jsonMembers(registration);
  if (scope === allowed) return;
  throw new NotApplicableError(
    `the target limits no client to ${allowed}: such a registration is answered with scope ${shown(scope)}`,
  );
}

const both = { words: "both scopes", scope: "mail.read mail.send" };

const beyond = (
  [
    { slug: "both", kind: "readOnly", allowed: "mail.read", ...both },
    { slug: "other", kind: "readOnly", allowed: "mail.read", words: "`mail.send` alone", scope: "mail.send" },
    {
      slug: "both-of-confidential",
      kind: "readOnlyConfidential",
      allowed: "mail.read",
      ...both,
    },
    { slug: "both-of-sender", kind: "sendOnly", allowed: "mail.send", ...both },
    {
      slug: "reading-of-sender",
      kind: "sendOnly",
      allowed: "mail.send",
      words: "`mail.read` alone",
      scope: "mail.read",
    },
  ] as const
).map(({ slug, kind, allowed, words, scope }) =>
  check({
    id: `SCOPE-09/${slug}`,
    claim: `A request for ${words} by a ${kind.endsWith("Confidential") ? "confidential " : ""}client that registered \`${allowed}\` alone is refused with \`invalid_scope\`.`,
    async act(target) {
      const { client_id: clientId } = await sharedClient(target, kind);
      requireLimited(target, clientId, allowed);
      const choice = { scope: allowed, resource: jmapResource(target) };
      const client = await authorizingClient(target, kind, choice);
      const { parameters } = authorizationRequest(target, client, { scope });
      return attempt(target, { client, parameters });
    },
    assert: (seen) => expectAuthorizationRefused(seen, ["invalid_scope"]),
  }),
);

const beyondWhenSignedIn = check({
  id: "SCOPE-09/signed-in",
  claim:
    "A request for both scopes by a client that registered `mail.read` alone is refused to a person who is signed in already, too.",
  needs: ["human", "pages"],
  async act(target) {
    const { client_id: clientId } = await sharedClient(target, "readOnly");
    requireLimited(target, clientId, "mail.read");
    const choice = { scope: "mail.read", resource: jmapResource(target) };
    const client = await authorizingClient(target, "readOnly", choice);
    return attemptSignedIn(target, authorizationRequest(target, client, { scope: both.scope }));
  },
  assert: (seen) => explained("SCOPE-09/both", () => expectAuthorizationRefused(seen, ["invalid_scope"])),
});

const otherResources: readonly {
  slug: string;
  words: string;
  needs: readonly Need[];
  resource: (target: Target) => string | Promise<string>;
}[] = [
  { slug: "mcp", words: "the MCP resource", needs: [], resource: mcpResource },
  {
    slug: "single-inbox",
    words: "a single inbox",
    needs: ["human"],
    resource: async (target) => agentResource(target, await inboxOf(target)),
  },
];

const beyondForOtherResources = otherResources.map(({ slug, words, needs, resource }) =>
  check({
    id: `SCOPE-09/both-for-${slug}`,
    claim: `A request for both scopes and ${words} by a client that registered \`mail.read\` alone is refused with \`invalid_scope\`.`,
    needs,
    async act(target) {
      const { client_id: clientId } = await sharedClient(target, "readOnly");
      requireLimited(target, clientId, "mail.read");
      const chosen = { resource: await resource(target) };
      const client = await authorizingClient(target, "readOnly", { ...chosen, scope: "mail.read" });
      return attempt(target, authorizationRequest(target, client, { ...chosen, scope: both.scope }));
    },
    assert: (seen) => explained("SCOPE-09/both", () => expectAuthorizationRefused(seen, ["invalid_scope"])),
  }),
);

const beyondBesideUnknown = check({
  id: "SCOPE-09/beside-unknown",
  claim:
    "A request for both scopes by a client that registered `mail.read` and an unknown scope, and whose registration shows no `mail.send`, is refused.",
  async act(target) {
    await authorizingClient(target);
    requireDynamicRegistration(target);
    const metadata = { redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none" } as const;
    const scope = "mail.read mailproof.unknown";
    const registration = await postRegister(target.setup, registrationMetadata({ ...metadata, scope }));
    const { client_id: clientId, scope: allowed } = jsonMembers(registration);
    const isLimited =
      typeof allowed === "string" &&
      scopesIn(allowed).includes("mail.read") &&
      !scopesIn(allowed).includes("mail.send");
    if (typeof clientId !== "string" || !isLimited)
      throw new NotApplicableError("the target refuses a client with an unknown scope, or does not limit it");
    const client = { client_id: clientId, redirect_uris: metadata.redirect_uris };
    return attempt(target, authorizationRequest(target, client, { scope: both.scope }));
  },
  assert: (seen) => explained("SCOPE-09/both", () => expectAuthorizationRefused(seen, ["invalid_scope"])),
});

/** Which scopes may be asked for. Document, "Endpoints", authorize parameters, and "Errors". */
export const requestedScopeChecks = [
  missing,
  ...unknownScopes,
  besideKnown,
  ...separators,
  ...beyond,
  beyondWhenSignedIn,
  ...beyondForOtherResources,
  beyondBesideUnknown,
  everyGrant,
];
