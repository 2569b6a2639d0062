import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { bearer } from "../support/actors/jmap.ts";
import { Violation, type Warning, warning } from "../support/verdict.ts";
import { expectDocument, expectProtectedResource, getDocument, protectedResource } from "./documents.ts";
import { initializeMcp } from "../support/actors/mcp.ts";

const served = check({
  id: "MCP-01",
  claim:
    "The protected-resource metadata of the MCP server is one JSON object, answered with 200 without a credential.",
  act: protectedResource,
  assert: ({ exchange }) => void expectDocument(exchange),
});

const withoutSuffix = observe({
  id: "MCP-01/without-suffix",
  question:
    "What does the address of the protected-resource metadata answer without the path of the resource?",
  act: (target) => getDocument(target, `${target.mcpUrl}/.well-known/oauth-protected-resource`),
  answer: summary,
});

const namesServer = check({
  id: "MCP-02",
  claim:
    "`authorization_servers` of the protected-resource metadata names `{auth_url}`, byte for byte; any other entry is a warning.",
  act: protectedResource,
  assert(evidence): Warning | undefined {
    const { authUrl, exchange } = evidence;
    const { authorization_servers: servers } = expectProtectedResource(evidence);
    const named = Array.isArray(servers) ? (servers as unknown[]) : [];
    expectThat(named.includes(authUrl), `an array with ${shown(authUrl)}`, shown(servers), exchange);
    // The document speaks of one; RFC 9728 §2 lets a resource have several, and clients may choose any of them.
    return named.length > 1 ? warning(`${shown(servers)} names others beside it`) : undefined;
  },
});

const resource = observe({
  id: "MCP-03",
  question: "Which `resource` does the protected-resource metadata name?",
  act: protectedResource,
  answer: ({ exchange }) => shown(jsonMembers(exchange)["resource"]),
});

const takesOwnToken = check({
  id: "MCP-04/mcp-token",
  claim: "The MCP endpoint accepts an access token for the MCP resource.",
  needs: ["human"],
  act: async (target) =>
    initializeMcp(target, [bearer(await sharedAccessToken(target, { resource: mcpResource(target) }))]),
  assert(exchange) {
    const { status } = exchange.response;
    if ([401, 403].includes(status))
      throw new Violation("the token to be accepted", summary(exchange), { exchange });
    if (status >= 200 && status < 300) return undefined;
    return warning(`the token was not refused, but initialize got ${summary(exchange)}`);
  },
});

const jmapToken = observe({
  id: "MCP-04/jmap-token",
  question: "What does the MCP endpoint answer to an access token for the JMAP API?",
  needs: ["human"],
  act: async (target) =>
    initializeMcp(target, [bearer(await sharedAccessToken(target, { resource: jmapResource(target) }))]),
  answer: summary,
});

export const protectedResourceChecks = [
  served,
  withoutSuffix,
  namesServer,
  resource,
  takesOwnToken,
  jmapToken,
];
