import { authorizationRequest, jmapResource } from "../support/actors/oauth-client.ts";
import { attempt, codeIn, responseParameter } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, InconclusiveError, observation, Violation, warning } from "../support/verdict.ts";
import { askingFor } from "./requests.ts";
import { scopesIn } from "./tokens.ts";

/** The scopes of a token response. @throws {Violation} when there is one and it does not say, or one of them does not exist */
function grantedIn(exchange: Exchange | undefined): readonly string[] {
  if (exchange === undefined || !isSuccess(exchange)) return [];
  const { scope } = jsonMembers(exchange);
  const granted = typeof scope === "string" ? scopesIn(scope) : [];
  const unknown = granted.filter((name) => name !== "mail.read" && name !== "mail.send");
  expectThat(
    granted.length > 0 && unknown.length === 0,
    "a scope of mail.read and mail.send alone",
    shown(scope),
  );
  return granted;
}

const refusals = ["invalid_scope", "invalid_request"];

const unknownScopes: readonly { id: string; scope: string; hasKnown?: true }[] = [
  { id: "SCOPE-08/mail-admin", scope: "mail.admin" },
  { id: "SCOPE-08/openid", scope: "openid" },
  { id: "SCOPE-08/asterisk", scope: "*" },
  { id: "SCOPE-08/longer", scope: "mail.readx" },
  { id: "SCOPE-08/shorter", scope: "mail" },
  { id: "SCOPE-08/beside-a-known-one", scope: "mail.read mail.admin", hasKnown: true },
  { id: "SCOPE-10/capitals", scope: "Mail.Read" },
  { id: "SCOPE-10/upper-case", scope: "MAIL.SEND" },
];

const unknown = unknownScopes.map(({ id, scope, hasKnown }) =>
  check({
    id,
    claim: `A request for the scope ${JSON.stringify(scope)} is refused${hasKnown ? ", or grants mail.read alone" : ""}.`,
    act: async (target) => askingFor(target, scope),
    assert({ seen, exchange }): Finding | undefined {
      if (codeIn(seen.end) === undefined || !hasKnown) return expectAuthorizationRefused(seen, refusals);
      const granted = grantedIn(exchange);
      if (granted.includes("mail.send")) throw new Violation("nothing beyond mail.read", granted.join(" "));
      // RFC 6749 §3.3 lets a server ignore a part of the request.
      return warning(`the scope that does not exist is ignored; granted: ${granted.join(" ") || "nothing"}`);
    },
  }),
);

const missing = check({
  id: "SCOPE-01",
  claim: "A request without scope is refused: at least one is required.",
  async act(target) {
    const client = await authorizingClient(target);
    const { parameters } = authorizationRequest(target, client);
    return attempt(target, { client, parameters: without(parameters, "scope") });
  },
  assert: (seen) => expectAuthorizationRefused(seen, refusals),
});

const separators = [
  { slug: "comma", words: "both scopes with a comma between", scope: "mail.read,mail.send" },
  { slug: "tab", words: "both scopes with a tab between", scope: "mail.read\tmail.send" },
  { slug: "line-feed", words: "both scopes with a line feed between", scope: "mail.read\nmail.send" },
  { slug: "two-spaces", words: "both scopes with two spaces between", scope: "mail.read  mail.send" },
  { slug: "repeated", words: "the same scope twice", scope: "mail.read mail.read" },
  {
    slug: "plus",
    words: "both scopes with a plus sign between, itself encoded",
    scope: "mail.read+mail.send",
  },
].map(({ slug, words, scope }) =>
  check({
    id: `SCOPE-11/${slug}`,
    claim: `What a request for ${words} gets is recorded; it is never more than mail.read and mail.send.`,
    needs: ["human"],
    act: async (target) => askingFor(target, scope),
    assert({ seen: { end }, exchange }) {
      const granted = grantedIn(exchange);
      if (granted.length > 0) return observation(`granted: ${granted.join(" ")}`);
      return observation(
        end.kind === "redirect"
          ? `refused with ${shown(responseParameter(end.location, "error"))}`
          : `refused with ${summary(end.exchange)}`,
      );
    },
  }),
);

/**
 * What the target says that a client registered.
 *
 * @throws {InconclusiveError} precondition-missing, when that is not mail.read: what the client is allowed is then unknown
 */
function requireLimited(target: Target, clientId: string): void {
  const registration = target.runExchanges.find(
    ({ request, response }) =>
      request.url === `${target.authUrl}/oauth/register` && response.body.includes(JSON.stringify(clientId)),
  );
  const { scope } = registration === undefined ? {} : jsonMembers(registration);
  if (scope === "mail.read") return;
  throw new InconclusiveError(
    "precondition-missing",
    `registering a client for mail.read alone: expected the response to say so, got scope ${shown(scope)}`,
  );
}

const beyond = [
  { slug: "both", words: "both scopes", scope: "mail.read mail.send" },
  { slug: "other", words: "mail.send alone", scope: "mail.send" },
].map(({ slug, words, scope }) =>
  check({
    id: `SCOPE-09/${slug}`,
    claim: `A request for ${words} by a client that registered mail.read alone is refused with 400 invalid_scope.`,
    async act(target) {
      const { client_id: clientId } = await sharedClient(target, "readOnly");
      requireLimited(target, clientId);
      const choice = { scope: "mail.read", resource: jmapResource(target) };
      const client = await authorizingClient(target, "readOnly", choice);
      const { parameters } = authorizationRequest(target, client, { scope });
      return attempt(target, { client, parameters });
    },
    assert: (seen) => expectAuthorizationRefused(seen, ["invalid_scope"]),
  }),
);

export const requestedScopeChecks = [missing, ...unknown, ...separators, ...beyond];
