import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizationRequest, registeredRedirectUri } from "../support/actors/oauth-client.ts";
import { check, requirementOf } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { clientDocument, documentClient } from "../support/material/document-clients.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { replacing, without } from "../support/wire/parameters.ts";
import { attemptChanged, requestingClients } from "./changed-requests.ts";

// What a rule for these clients might accept in place of the URI that is listed.
const nearMisses = [
  {
    slug: "segment-added",
    likewise: "REDIR-03",
    words: "a path segment added",
    sent: (uri: string) => `${uri}/x`,
  },
  {
    slug: "letter-dropped",
    likewise: "REDIR-04",
    words: "its last letter dropped",
    sent: (uri: string) => uri.slice(0, -1),
  },
  {
    slug: "slash-added",
    likewise: "REDIR-06/slash-added",
    words: "a slash added",
    sent: (uri: string) => `${uri}/`,
  },
  { slug: "query-added", likewise: "REDIR-13", words: "a query added", sent: (uri: string) => `${uri}?x=1` },
  {
    slug: "other-path",
    likewise: "REDIR-05",
    words: "another path",
    sent: (uri: string) => new URL("/elsewhere", uri).href,
  },
  {
    slug: "other-host",
    likewise: "REDIR-01",
    words: "another host",
    sent: (uri: string) => uri.replace(/^(https?:\/\/)[^/:]+/u, "$1cb.evil.test"),
  },
  {
    slug: "upper-case-host",
    likewise: "REDIR-08/upper-case-host",
    words: "its scheme and host in upper case",
    sent: (uri: string) => uri.replace(/^https?:\/\/[^/:]+/u, (origin) => origin.toUpperCase()),
  },
  {
    slug: "upper-case-path",
    likewise: "REDIR-07/last-segment",
    words: "its path in upper case",
    sent: (uri: string) =>
      uri.replace(
        /^(https?:\/\/[^/]+)(.*)$/u,
        (_, origin: string, rest: string) => origin + rest.toUpperCase(),
      ),
  },
  {
    slug: "dot-segment",
    likewise: "REDIR-17/dot-segment",
    words: "a dot segment added",
    sent: (uri: string) => uri.replace(/^(https?:\/\/[^/]+)\//u, "$1/./"),
  },
];

async function attemptNearMiss(
  target: Target,
  kind: "document" | "operator",
  sent: (uri: string) => string,
): Promise<Attempt> {
  return attemptChanged(target, kind, ({ parameters, client }) => {
    const value = sent(registeredRedirectUri(client));
    if (client.redirect_uris.includes(value))
      throw new NotApplicableError(`${value} is a redirect_uri of the client too`);
    return replacing(parameters, "redirect_uri", value);
  });
}

const nearMissesOfDocuments = nearMisses.map(({ slug, words, sent, likewise }) =>
  check({
    id: `CIMD-02/${slug}`,
    claim: `With a URL as \`client_id\`, a \`redirect_uri\` of its document with ${words} is refused without a redirect.`,
    unlockedBy: "client_metadata",
    act: (target) => attemptNearMiss(target, "document", sent),
    assert: (seen) => explained(likewise, () => expectNoRedirect(seen)),
  }),
);

const nearMissesOfOperator = nearMisses.map(({ slug, words, sent, likewise }) =>
  check({
    id: `${requirementOf(likewise)}/operator-${slug}`,
    claim: `For an operator-registered client, its \`redirect_uri\` with ${words} is refused without a redirect.`,
    unlockedBy: "operator_client",
    act: (target) => attemptNearMiss(target, "operator", sent),
    assert: (seen) => explained(likewise, () => expectNoRedirect(seen)),
  }),
);

const withoutUri = requestingClients.map(({ client, unlockedBy, whose }) =>
  check({
    id: client === "document" ? "CIMD-06/no-redirect-uri" : "REDIR-02/operator-missing",
    claim: `${whose}, an authorization request without \`redirect_uri\` is refused without a redirect.`,
    unlockedBy,
    act: (target) => attemptChanged(target, client, ({ parameters }) => without(parameters, "redirect_uri")),
    assert: (seen) => explained("REDIR-02/missing", () => expectNoRedirect(seen)),
  }),
);

const listedPort = "http://127.0.0.1:8123/cb";

const loopbackPort = check({
  id: "CIMD-02/loopback-port",
  claim:
    "With a URL as `client_id`, a `redirect_uri` on a loopback address with another port than its document lists is refused without a redirect.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target) {
    await authorizingClient(target, "document");
    const url = await target.documents.publish((at) => ({
      ...clientDocument(at),
      redirect_uris: [...documentClient(at).redirect_uris, listedPort],
    }));
    const client = { client_id: url, redirect_uris: [listedPort] };
    const request = authorizationRequest(target, client);
    target.spend("grants");
    if (codeIn((await attempt(target.control, request)).end) === undefined)
      throw new NotApplicableError(
        "the target gives a client whose document lists a loopback address no code there",
      );
    const parameters = replacing(request.parameters, "redirect_uri", listedPort.replace("8123", "9999"));
    return {
      seen: await attempt(target, { client, parameters }),
      isTolerated: target.profile.tolerate.loopback_any_port,
    };
  },
  assert({ seen, isTolerated }): Warning | undefined {
    if (isTolerated && codeIn(seen.end) !== undefined)
      return warning("any port is accepted (RFC 8252 §7.3), which the profile tolerates");
    return explained("REDIR-25/other-port", () => expectNoRedirect(seen));
  },
});

const partOfString = check({
  id: "CIMD-02/part-of-string",
  claim:
    "With a URL as `client_id` whose document has a string for its `redirect_uris`, the beginning of that string is refused without a redirect.",
  unlockedBy: "client_metadata",
  async act(target) {
    await authorizingClient(target, "document");
    const url = await target.documents.publish((at) => ({
      ...clientDocument(at),
      redirect_uris: `${registeredRedirectUri(documentClient(at))}/whole`,
    }));
    const { parameters } = authorizationRequest(target, documentClient(url));
    return attempt(target, { client: { redirect_uris: [] }, parameters });
  },
  assert: (seen) => explained("REDIR-04", () => expectNoRedirect(seen)),
});

/** A `redirect_uri` is compared exactly for every kind of client. */
export const sameRedirectChecks = [
  ...nearMissesOfDocuments,
  ...nearMissesOfOperator,
  ...withoutUri,
  loopbackPort,
  partOfString,
];
