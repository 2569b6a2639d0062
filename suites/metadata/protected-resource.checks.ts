import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { bearer } from "../support/actors/jmap.ts";
import type { HeaderLines } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { observation, Violation, warning } from "../support/verdict.ts";
import { type DocumentEvidence, expectDocument, getDocument, protectedResourceUrl } from "./documents.ts";

export async function protectedResource(target: Target): Promise<DocumentEvidence> {
  const exchange = await getDocument(target, protectedResourceUrl(target));
  return { exchange, authUrl: target.authUrl, mcpUrl: target.mcpUrl };
}

/** The first message of an MCP client, whatever the credential. */
export function initializeMcp(target: Target, credential: HeaderLines): Promise<Exchange> {
  return target.send({
    method: "POST",
    url: `${target.mcpUrl}/mcp`,
    headers: [
      ...credential,
      ["Content-Type", "application/json"],
      ["Accept", "application/json, text/event-stream"],
    ],
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "mailproof", version: "1" },
      },
    }),
  });
}

const served = check({
  id: "MCP-01",
  claim:
    "The protected-resource metadata of the MCP server is a JSON object, answered with 200 without credential.",
  act: protectedResource,
  assert: ({ exchange }) => void expectDocument(exchange),
});

const withoutSuffix = check({
  id: "MCP-01/without-suffix",
  claim:
    "What the protected-resource well-known address without the path of the resource answers is recorded.",
  act: (target) => getDocument(target, `${target.mcpUrl}/.well-known/oauth-protected-resource`),
  assert: (exchange) => observation(summary(exchange)),
});

const namesServer = check({
  id: "MCP-02",
  claim: "authorization_servers of the protected-resource metadata names {auth_url} byte for byte.",
  act: protectedResource,
  assert({ exchange, authUrl }) {
    const { authorization_servers: servers } = expectDocument(exchange);
    expectThat(
      Array.isArray(servers) && servers.includes(authUrl),
      `an array with ${shown(authUrl)}`,
      shown(servers),
    );
  },
});

const resource = check({
  id: "MCP-03",
  claim: "The resource that the protected-resource metadata names is recorded.",
  act: protectedResource,
  assert: ({ exchange }) => observation(shown(jsonMembers(exchange)["resource"])),
});

const takesOwnToken = check({
  id: "MCP-04/mcp-token",
  claim: "The MCP endpoint takes an access token that was minted for it.",
  needs: ["human"],
  act: async (target) =>
    initializeMcp(target, [bearer(await sharedAccessToken(target, { resource: mcpResource(target) }))]),
  assert(exchange) {
    const { status } = exchange.response;
    if ([401, 403].includes(status)) throw new Violation("the token to be taken", summary(exchange));
    if (status >= 200 && status < 300) return undefined;
    return warning(`the token was not refused, but initialize was answered ${summary(exchange)}`);
  },
});

const jmapToken = check({
  id: "MCP-04/jmap-token",
  claim: "What the MCP endpoint answers to an access token for the JMAP API is recorded.",
  needs: ["human"],
  act: async (target) =>
    initializeMcp(target, [bearer(await sharedAccessToken(target, { resource: jmapResource(target) }))]),
  assert: (exchange) => observation(summary(exchange)),
});

export const protectedResourceChecks = [
  served,
  withoutSuffix,
  namesServer,
  resource,
  takesOwnToken,
  jmapToken,
];
