import { observe, recommend } from "../support/judging/check.ts";
import { header, isJsonObject, jsonBody, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { challengeAttributes } from "../support/wire/challenge-attributes.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import {
  type DocumentEvidence,
  emptyMembers,
  expectMetadata,
  expectProtectedResource,
  getDocument,
  isLoopback,
  metadataDocument,
  protectedResource,
  expectDocument,
} from "./documents.ts";
import { initializeMcp } from "../support/actors/mcp.ts";
import { bearerChallengeIn } from "../support/wire/www-authenticate.ts";

function expectJsonType({ exchange }: DocumentEvidence): void {
  const type = mediaType(exchange);
  expectThat(type === "application/json", "application/json", type || "no media type", exchange);
}

const metadataType = recommend({
  id: "B-META-01",
  claim: "The metadata has the media type `application/json`.",
  act: metadataDocument,
  assert(evidence) {
    expectMetadata(evidence);
    expectJsonType(evidence);
  },
});

const issuerForm = recommend({
  id: "B-META-03",
  claim: "`issuer` is an https URL without query or fragment, or an http URL on a loopback address.",
  act: metadataDocument,
  assert(evidence) {
    const { issuer } = expectMetadata(evidence);
    const isIssuer = typeof issuer === "string" && (issuer.startsWith("https://") || isLoopback(issuer));
    expectThat(
      isIssuer && !/[?#]/u.test(issuer),
      "an https URL without query or fragment",
      shown(issuer),
      evidence.exchange,
    );
  },
});

const noEmptyMember = recommend({
  id: "B-META-04",
  claim: "No member of the metadata is an empty array.",
  act: metadataDocument,
  assert(evidence) {
    const empty = emptyMembers(expectMetadata(evidence));
    expectThat(empty.length === 0, "no empty array", empty.join(", "), evidence.exchange);
  },
});

const revocationMethods = observe({
  id: "B-META-05",
  question: "Which `revocation_endpoint_auth_methods_supported` does the metadata name?",
  act: metadataDocument,
  answer: ({ exchange }) => shown(jsonMembers(exchange)["revocation_endpoint_auth_methods_supported"]),
});

const insertedPath = recommend({
  id: "B-META-06",
  claim:
    "The metadata is served where RFC 8414 §3.1 looks for it: with the issuer's path, if any, after the well-known part.",
  async act(target) {
    const [, origin = "", path = ""] = /^(https?:\/\/[^/]+)(.*)$/u.exec(target.authUrl) ?? [];
    return getDocument(target, `${origin}/.well-known/oauth-authorization-server${path}`);
  },
  assert: (exchange) => void expectDocument(exchange, "META-01"),
});

const openid = observe({
  id: "B-META-07",
  question: "What does the address of OpenID Connect metadata answer?",
  act: (target) => getDocument(target, `${target.authUrl}/.well-known/openid-configuration`),
  answer(exchange) {
    const body = jsonBody(exchange);
    return summary(exchange) + (isJsonObject(body) ? `, issuer ${shown(body["issuer"])}` : "");
  },
});

const crossOrigin = [
  { slug: "metadata", method: "GET", path: "/.well-known/oauth-authorization-server" },
  { slug: "keys", method: "GET", path: "/.well-known/jwks.json" },
  { slug: "token", method: "OPTIONS", path: "/oauth/token" },
  { slug: "registration", method: "OPTIONS", path: "/oauth/register" },
].map(({ slug, method, path }) =>
  observe({
    id: `B-META-08/${slug}`,
    question: `Which other origins may read \`${path}\`?`,
    act: (target) =>
      target.send({
        method,
        url: `${target.authUrl}${path}`,
        headers: [
          ["Origin", "https://evil.test"],
          ["Access-Control-Request-Method", method === "OPTIONS" ? "POST" : "GET"],
        ],
      }),
    answer(exchange) {
      const allowed = header(exchange, "access-control-allow-origin") ?? "absent";
      return `${exchange.response.status}, Access-Control-Allow-Origin ${allowed}`;
    },
  }),
);

const protectedResourceType = recommend({
  id: "B-PRM-01/media-type",
  claim: "The protected-resource metadata has the media type `application/json`.",
  act: protectedResource,
  assert(evidence) {
    expectProtectedResource(evidence);
    expectJsonType(evidence);
  },
});

const protectedResourceMembers = recommend({
  id: "B-PRM-01/no-empty-array",
  claim: "No member of the protected-resource metadata is an empty array.",
  act: protectedResource,
  assert(evidence) {
    const empty = emptyMembers(expectProtectedResource(evidence));
    expectThat(empty.length === 0, "no empty array", empty.join(", "), evidence.exchange);
  },
});

const ownIdentifier = recommend({
  id: "B-PRM-02",
  claim: "`resource` of the protected-resource metadata is `{mcp_url}/mcp`, byte for byte.",
  act: protectedResource,
  assert(evidence) {
    const { resource } = expectProtectedResource(evidence);
    const own = `${evidence.mcpUrl}/mcp`;
    expectThat(resource === own, `resource ${shown(own)}`, shown(resource), evidence.exchange);
  },
});

const serverIdentifiers = recommend({
  id: "B-PRM-03",
  claim: "`authorization_servers` is an array of https URLs, or of http URLs on a loopback address.",
  act: protectedResource,
  assert(evidence) {
    const { authorization_servers: servers } = expectProtectedResource(evidence);
    const isIssuer = (it: unknown): boolean =>
      typeof it === "string" && (it.startsWith("https://") || isLoopback(it));
    expectThat(
      Array.isArray(servers) && servers.length > 0 && servers.every(isIssuer),
      "an array of https URLs",
      shown(servers),
      evidence.exchange,
    );
  },
});

const challenge = recommend({
  id: "B-PRM-04",
  claim:
    "The MCP endpoint answers a request without a token with 401 and a Bearer challenge that names the metadata.",
  act: async (target) => ({ exchange: await initializeMcp(target, []), mcpUrl: target.mcpUrl }),
  assert({ exchange, mcpUrl }) {
    const value = bearerChallengeIn(exchange) ?? "";
    const metadata = `${mcpUrl}/.well-known/oauth-protected-resource/mcp`;
    expectThat(
      exchange.response.status === 401 && challengeAttributes(value).values["resource_metadata"] === metadata,
      `401 with WWW-Authenticate Bearer and resource_metadata="${metadata}"`,
      `${summary(exchange)} with ${shown(value)}`,
      exchange,
    );
  },
});

const offeredMethods = recommend({
  id: "B-PRM-05/methods",
  claim: "`bearer_methods_supported` of the protected-resource metadata, where present, holds `header`.",
  act: protectedResource,
  assert(evidence) {
    const { bearer_methods_supported: methods } = expectProtectedResource(evidence);
    const isFine = methods === undefined || (Array.isArray(methods) && methods.includes("header"));
    expectThat(isFine, "an array with header", shown(methods), evidence.exchange);
  },
});

const offeredScopes = recommend({
  id: "B-PRM-05/scopes",
  claim:
    "`scopes_supported` of the protected-resource metadata, where present, names no scope but `mail.read` and `mail.send`.",
  act: protectedResource,
  assert(evidence) {
    const { scopes_supported: scopes } = expectProtectedResource(evidence);
    const isOwn = (scope: unknown): boolean => scope === "mail.read" || scope === "mail.send";
    const isFine = scopes === undefined || (Array.isArray(scopes) && scopes.every(isOwn));
    expectThat(isFine, "mail.read and mail.send alone", shown(scopes), evidence.exchange);
  },
});

const listedResources = observe({
  id: "B-PRM-06",
  question: "Which `protected_resources` does the authorization server metadata name?",
  act: metadataDocument,
  answer: ({ exchange }) => shown(jsonMembers(exchange)["protected_resources"]),
});

const jmapMetadata = observe({
  id: "B-PRM-07",
  question: "What does the address of protected-resource metadata for the JMAP API answer?",
  act: (target) => getDocument(target, `${target.apiUrl}/.well-known/oauth-protected-resource/jmap`),
  answer: summary,
});

/** What the RFCs ask of the two documents beyond what the interface states. */
export const documentFormChecks = [
  metadataType,
  issuerForm,
  noEmptyMember,
  revocationMethods,
  insertedPath,
  openid,
  ...crossOrigin,
  protectedResourceType,
  protectedResourceMembers,
  ownIdentifier,
  serverIdentifiers,
  challenge,
  offeredMethods,
  offeredScopes,
  listedResources,
  jmapMetadata,
];
