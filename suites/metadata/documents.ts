import {
  type Exchange,
  isJsonObject,
  jsonBody,
  jsonMembers,
  type JsonObject,
  summary,
} from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { isOwnOrigin } from "../support/target/origins.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";

/** A GET without credential or cookie, once a run for each address and `Accept`. */
export function getDocument(target: Target, url: string, accept = "application/json"): Promise<Exchange> {
  return target.once(`document:${accept}:${url}`, (recording) =>
    recording.send({ method: "GET", url, headers: [["Accept", accept]] }),
  );
}

export function metadataUrl(target: Target): string {
  return `${target.authUrl}/.well-known/oauth-authorization-server`;
}

export function keySetUrl(target: Target): string {
  return `${target.authUrl}/.well-known/jwks.json`;
}

/** Document, "Resources", protected-resource metadata. */
export function protectedResourceUrl(target: Target): string {
  return `${target.mcpUrl}/.well-known/oauth-protected-resource/mcp`;
}

/**
 * The members of a document that was served with 200.
 *
 * @param explainedBy - the requirement that judges by itself whether the document is served
 */
export function expectDocument(exchange: Exchange, explainedBy?: string): JsonObject {
  const body = jsonBody(exchange);
  if (exchange.response.status === 200 && isJsonObject(body)) return body;
  throw new Violation("200 with one JSON object", summary(exchange), { exchange, explainedBy });
}

/** A document and the target's own addresses, which its values are compared with byte for byte. */
export interface DocumentEvidence {
  readonly exchange: Exchange;
  readonly authUrl: string;
  readonly mcpUrl: string;
}

export async function metadataDocument(target: Target): Promise<DocumentEvidence> {
  const exchange = await getDocument(target, metadataUrl(target));
  return { exchange, authUrl: target.authUrl, mcpUrl: target.mcpUrl };
}

/** The members of the authorization server metadata; whether it is served is judged by META-01. */
export function expectMetadata({ exchange }: DocumentEvidence): JsonObject {
  return expectDocument(exchange, "META-01");
}

export async function protectedResource(target: Target): Promise<DocumentEvidence> {
  const exchange = await getDocument(target, protectedResourceUrl(target));
  return { exchange, authUrl: target.authUrl, mcpUrl: target.mcpUrl };
}

/** The members of the protected-resource metadata; whether it is served is judged by MCP-01. */
export function expectProtectedResource({ exchange }: DocumentEvidence): JsonObject {
  return expectDocument(exchange, "MCP-01");
}

/** Which requirement judges the address of an endpoint in the metadata. */
const addressRequirements = {
  authorization_endpoint: "META-03",
  token_endpoint: "META-04",
  revocation_endpoint: "META-05",
  registration_endpoint: "META-06",
  jwks_uri: "META-07",
} as const;

/**
 * The address that the metadata advertises for an endpoint.
 *
 * @throws {InconclusiveError} precondition-missing, when it advertises none; which checks of its own judge
 */
export async function advertised(target: Target, member: keyof typeof addressRequirements): Promise<string> {
  const { exchange } = await metadataDocument(target.setup);
  const url = jsonMembers(exchange)[member];
  if (typeof url === "string" && /^https?:\/\/[^/?#\\]+/u.test(url)) {
    if (isOwnOrigin(target.profile, url)) return url;
    throw new InconclusiveError(
      "foreign-origin",
      `the metadata advertises ${member} at ${shown(url)}, which is none of the profile's origins; nothing was sent there`,
      { exchange, explainedBy: addressRequirements[member] },
    );
  }
  throw new InconclusiveError(
    "precondition-missing",
    `the metadata advertises no ${member}: expected an absolute URL, got ${shown(url)}`,
    { exchange, explainedBy: addressRequirements[member] },
  );
}

/** Names of members that are arrays without an element, which RFC 8414 §3.2 and RFC 9728 §3.2 want left out. */
export function emptyMembers(document: JsonObject): string[] {
  return Object.entries(document).flatMap(([name, value]) =>
    Array.isArray(value) && value.length === 0 ? [name] : [],
  );
}

/** Whether plain http cannot be held against a target: it runs on the tester's own machine. */
export function isLoopback(url: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/u.test(url);
}
