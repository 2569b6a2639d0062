import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import { header, isJsonObject, jsonBody, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { expectEqual, expectStatus, expectThat, shown } from "../support/judging/expect.ts";
import { observation } from "../support/verdict.ts";
import { emptyMembers, expectDocument, getDocument, isLoopback, metadataDocument } from "./documents.ts";
import { initializeMcp, protectedResource } from "./protected-resource.checks.ts";

const metadataType = check({
  id: "B-META-01",
  claim: "The metadata has the media type application/json.",
  act: metadataDocument,
  assert: ({ exchange }) =>
    advise(() => {
      expectStatus(exchange, 200);
      expectEqual(mediaType(exchange), "application/json", "the media type");
    }),
});

const issuerForm = check({
  id: "B-META-03",
  claim: "The issuer is an https URL without query or fragment; http is tolerated on a loopback address.",
  act: metadataDocument,
  assert: ({ exchange }) =>
    advise(() => {
      const { issuer } = expectDocument(exchange);
      const isIssuer = typeof issuer === "string" && (issuer.startsWith("https://") || isLoopback(issuer));
      expectThat(isIssuer && !/[?#]/u.test(issuer), "an https URL without query or fragment", shown(issuer));
    }),
});

const noEmptyMember = check({
  id: "B-META-04",
  claim: "No member of the metadata is an empty array.",
  act: metadataDocument,
  assert: ({ exchange }) =>
    advise(() => {
      const empty = emptyMembers(expectDocument(exchange));
      expectThat(empty.length === 0, "no empty array", empty.join(", "));
    }),
});

const revocationMethods = check({
  id: "B-META-05",
  claim: "revocation_endpoint_auth_methods_supported is recorded.",
  act: metadataDocument,
  assert: ({ exchange }) =>
    observation(shown(jsonMembers(exchange)["revocation_endpoint_auth_methods_supported"])),
});

const insertedPath = check({
  id: "B-META-06",
  claim: "What the metadata address with the issuer's path behind the well-known part answers is recorded.",
  async act(target) {
    const [, origin = "", path = ""] = /^(https?:\/\/[^/]+)(.*)$/u.exec(target.authUrl) ?? [];
    if (path === "") return undefined;
    return getDocument(target, `${origin}/.well-known/oauth-authorization-server${path}`);
  },
  assert: (exchange) =>
    observation(exchange === undefined ? "auth_url has no path: there is one address" : summary(exchange)),
});

const openid = check({
  id: "B-META-07",
  claim: "What the address of OpenID Connect metadata answers is recorded.",
  act: (target) => getDocument(target, `${target.authUrl}/.well-known/openid-configuration`),
  assert(exchange) {
    const body = jsonBody(exchange);
    return observation(summary(exchange) + (isJsonObject(body) ? `, issuer ${shown(body["issuer"])}` : ""));
  },
});

const foreignOrigin = "https://evil.test";

const crossOrigin = [
  { slug: "metadata", method: "GET", path: "/.well-known/oauth-authorization-server" },
  { slug: "keys", method: "GET", path: "/.well-known/jwks.json" },
  { slug: "token", method: "OPTIONS", path: "/oauth/token" },
  { slug: "registration", method: "OPTIONS", path: "/oauth/register" },
].map(({ slug, method, path }) =>
  check({
    id: `B-META-08/${slug}`,
    claim: `Which other origins may read ${path} is recorded, and none of them with credentials.`,
    act: (target) =>
      target.send({
        method,
        url: `${target.authUrl}${path}`,
        headers: [
          ["Origin", foreignOrigin],
          ["Access-Control-Request-Method", method === "OPTIONS" ? "POST" : "GET"],
        ],
      }),
    assert(exchange) {
      const allowed = header(exchange, "access-control-allow-origin");
      const withCredentials = header(exchange, "access-control-allow-credentials") === "true";
      return (
        advise(() =>
          expectThat(
            !(allowed === foreignOrigin && withCredentials),
            "no credentials for whoever asks",
            `${foreignOrigin} allowed with credentials`,
          ),
        ) ?? observation(`${exchange.response.status}, Access-Control-Allow-Origin ${allowed ?? "absent"}`)
      );
    },
  }),
);

const protectedResourceForm = check({
  id: "B-PRM-01",
  claim: "The protected-resource metadata is application/json and has no empty array.",
  act: protectedResource,
  assert: ({ exchange }) =>
    advise(() => {
      expectEqual(mediaType(exchange), "application/json", "the media type");
      const empty = emptyMembers(expectDocument(exchange));
      expectThat(empty.length === 0, "no empty array", empty.join(", "));
    }),
});

const ownIdentifier = check({
  id: "B-PRM-02",
  claim: "resource of the protected-resource metadata is {mcp_url}/mcp byte for byte.",
  act: protectedResource,
  assert: ({ exchange, mcpUrl }) =>
    advise(() => expectEqual(expectDocument(exchange)["resource"], `${mcpUrl}/mcp`, "resource")),
});

const serverIdentifiers = check({
  id: "B-PRM-03",
  claim: "authorization_servers is an array of https URLs; http is tolerated on a loopback address.",
  act: protectedResource,
  assert: ({ exchange }) =>
    advise(() => {
      const { authorization_servers: servers } = expectDocument(exchange);
      const isIssuer = (it: unknown): boolean =>
        typeof it === "string" && (it.startsWith("https://") || isLoopback(it));
      expectThat(
        Array.isArray(servers) && servers.length > 0 && servers.every(isIssuer),
        "an array of https URLs",
        shown(servers),
      );
    }),
});

const challenge = check({
  id: "B-PRM-04",
  claim:
    "A request to the MCP endpoint without a token gets 401 with a Bearer challenge that names the metadata.",
  act: async (target) => ({ exchange: await initializeMcp(target, []), mcpUrl: target.mcpUrl }),
  assert: ({ exchange, mcpUrl }) =>
    advise(() => {
      const challenges = header(exchange, "www-authenticate") ?? "";
      const named = `resource_metadata="${mcpUrl}/.well-known/oauth-protected-resource/mcp"`;
      expectThat(
        exchange.response.status === 401 && /^bearer\b/iu.test(challenges) && challenges.includes(named),
        `401 with WWW-Authenticate Bearer and ${named}`,
        `${summary(exchange)} with ${shown(challenges)}`,
      );
    }),
});

const offeredMethods = check({
  id: "B-PRM-05",
  claim:
    "bearer_methods_supported, where present, holds header; scopes_supported, where present, nothing but mail.read and mail.send.",
  act: protectedResource,
  assert: ({ exchange }) =>
    advise(() => {
      const { bearer_methods_supported: methods, scopes_supported: scopes } = expectDocument(exchange);
      expectThat(
        methods === undefined || (Array.isArray(methods) && methods.includes("header")),
        "bearer_methods_supported with header",
        shown(methods),
      );
      const isOwn = (scope: unknown): boolean => scope === "mail.read" || scope === "mail.send";
      expectThat(
        scopes === undefined || (Array.isArray(scopes) && scopes.every(isOwn)),
        "scopes_supported within mail.read and mail.send",
        shown(scopes),
      );
    }),
});

const listedResources = check({
  id: "B-PRM-06",
  claim: "protected_resources of the authorization server metadata is recorded.",
  act: metadataDocument,
  assert: ({ exchange }) => observation(shown(jsonMembers(exchange)["protected_resources"])),
});

const jmapMetadata = check({
  id: "B-PRM-07",
  claim: "What the address of protected-resource metadata for the JMAP API answers is recorded.",
  act: (target) => getDocument(target, `${target.apiUrl}/.well-known/oauth-protected-resource/jmap`),
  assert: (exchange) => observation(summary(exchange)),
});

/** What the RFCs ask of the two documents beyond what the interface states: warnings and observations alone. */
export const documentFormChecks = [
  metadataType,
  issuerForm,
  noEmptyMember,
  revocationMethods,
  insertedPath,
  openid,
  ...crossOrigin,
  protectedResourceForm,
  ownIdentifier,
  serverIdentifiers,
  challenge,
  offeredMethods,
  listedResources,
  jmapMetadata,
];
