import { isServed } from "../support/judging/access-token-use.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import {
  type Exchange,
  type HeaderLines,
  isSuccess,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import { type GrantSpec, sharedAccessToken } from "../support/material/grants.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { accountHeader, bearer, inboxQuery, jsonContentType } from "../support/actors/jmap.ts";
import { initializeMessage } from "../support/actors/mcp.ts";
import { mcpResource } from "../support/actors/oauth-client.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";

/** Where an access token is a bearer credential; everything but the credential is valid. */
export interface ProtectedEndpoint {
  readonly slug: "jmap" | "agents" | "mcp";
  /** Reads after "by" and "at". */
  readonly words: string;
  readonly address: (target: Target) => string;
  readonly outgoing: (target: Target, credential: HeaderLines) => Promise<Outgoing>;
  /** The grant whose tokens it takes. */
  readonly grant: (target: Target) => GrantSpec;
  /** Whether the answer is that to a valid token. */
  readonly isServed: (exchange: Exchange) => boolean;
  /** The check that judges by itself whether a valid token is taken. */
  readonly judgedBy: string;
  /** Why there is nothing to judge where a valid token is not served; control-refused unless given. */
  readonly notServed?: (exchange: Exchange) => Error;
}

function jmapAddress(target: Target): string {
  return `${target.apiUrl}/jmap`;
}

function agentsAddress(target: Target): string {
  return `${target.authUrl}/api/v1/agents`;
}

export const jmapEndpoint: ProtectedEndpoint = {
  slug: "jmap",
  words: "the JMAP endpoint",
  address: jmapAddress,
  outgoing: async (target, credential) => ({
    method: "POST",
    url: jmapAddress(target),
    headers: [...credential, accountHeader(target, await inboxOf(target)), jsonContentType],
    body: inboxQuery,
  }),
  grant: () => ({}),
  isServed,
  judgedBy: "BEARER-01/jmap",
};

export const agentsEndpoint: ProtectedEndpoint = {
  slug: "agents",
  words: "the inbox list",
  address: agentsAddress,
  outgoing: async (target, credential) => ({
    method: "GET",
    url: agentsAddress(target),
    headers: credential,
  }),
  grant: () => ({}),
  isServed,
  judgedBy: "BEARER-01/agents",
};

/** Only a token for its own resource is accepted there. */
export const mcpEndpoint: ProtectedEndpoint = {
  slug: "mcp",
  words: "the MCP endpoint",
  address: mcpResource,
  outgoing: async (target, credential) => initializeMessage(target, credential),
  grant: (target) => ({ resource: mcpResource(target) }),
  isServed: isSuccess,
  judgedBy: "MCP-04/mcp-token",
  notServed: notServedByMcp,
};

/** The endpoints of the document that take an access token for JMAP. */
export const protectedEndpoints: readonly ProtectedEndpoint[] = [jmapEndpoint, agentsEndpoint];

export async function present(
  target: Target,
  endpoint: ProtectedEndpoint,
  credential: HeaderLines,
): Promise<Exchange> {
  return target.send(await endpoint.outgoing(target, credential));
}

/**
 * An access token that the endpoint accepted in this run, with everything else the same: the control of every refusal.
 *
 * @throws {InconclusiveError} control-refused, when the endpoint refuses a valid token too
 */
export async function acceptedToken(
  target: Target,
  endpoint: ProtectedEndpoint,
  spec: GrantSpec = {},
): Promise<string> {
  const granted = { ...endpoint.grant(target), ...spec };
  const key = `control:bearer:${endpoint.slug}:${JSON.stringify(Object.entries(spec).toSorted())}`;
  await target.control.once(key, async (recording) => {
    const token = await sharedAccessToken(recording, granted);
    const exchange = await present(recording, endpoint, [bearer(token)]);
    if (endpoint.isServed(exchange)) return;
    const { words, judgedBy, notServed } = endpoint;
    throw (
      notServed?.(exchange) ??
      controlRefused(`a valid access token at ${words}`, "200 with data", exchange, judgedBy)
    );
  });
  return sharedAccessToken(target, granted);
}

/**
 * Why there is nothing to judge at the MCP endpoint where a valid token opens nothing. The document shows none of its messages,
 * which may be others, or be served elsewhere.
 */
export function notServedByMcp(exchange: Exchange): Error {
  const { status } = exchange.response;
  return [400, 404, 405, 406, 410, 415, 501].includes(status)
    ? new NotApplicableError(`the MCP endpoint takes no \`initialize\`: ${summary(exchange)}`)
    : controlRefused("a valid access token at the MCP endpoint", "2xx", exchange, "MCP-04/mcp-token");
}

/** 401 and no data. The document names the code for a token that was sent; without one it names none. */
export function expectUnauthorized(exchange: Exchange): void {
  const { agents, methodResponses: responses } = jsonMembers(exchange);
  if (exchange.response.status === 401 && agents === undefined && responses === undefined) return;
  throw new Violation("401 without data", summary(exchange), {
    exchange,
    explainedBy: exchange.response.status >= 500 ? "ERR-11" : undefined,
  });
}
