import { controlRefused } from "../wire/control-refused.ts";
import {
  type Exchange,
  type HeaderLines,
  isJsonObject,
  type JsonObject,
  jsonMembers,
} from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import { sentUntilServed } from "./held-back.ts";
import type { Target } from "../target/target.ts";

/** `[name, arguments, callId]`, RFC 8620 §3.2. */
export type MethodCall = readonly [name: string, args: JsonObject, callId: string];

export const urn = {
  core: "urn:ietf:params:jmap:core",
  mail: "urn:ietf:params:jmap:mail",
  submission: "urn:ietf:params:jmap:submission",
} as const;

/** A JMAP request object as text. */
export function jmapBody(
  methodCalls: readonly MethodCall[],
  using: readonly string[] = Object.values(urn),
): string {
  return JSON.stringify({ using, methodCalls });
}

/** The smallest request that says whether an inbox was reached: its mailbox with the role inbox. */
export const inboxQuery = jmapBody([["Mailbox/query", { filter: { role: "inbox" } }, "0"]]);

/** Where a JMAP request goes and as whom. Nothing is defaulted but what no check is about. */
export interface JmapRequest {
  readonly headers: HeaderLines;
  readonly body: string | Uint8Array | readonly string[];
  /** `{api_url}/jmap` unless given; the session document's `apiUrl` on the proof-of-work path. */
  readonly url?: string;
  /** POST unless given. */
  readonly method?: string;
}

/**
 * Sends a JMAP request, and again for as long as a limit inside JMAP holds it back.
 *
 * @throws {InconclusiveError} rate-limited, when that outlasts the profile's patience
 */
export function postJmap(target: Target, request: JmapRequest): Promise<Exchange> {
  return sentUntilServed(target, () => target.send(jmapRequest(target, request)));
}

/** What {@link postJmap} sends: repeatable unless one of its calls may change something. */
export function jmapRequest(target: Target, { url, headers, body, method = "POST" }: JmapRequest): Outgoing {
  return {
    method,
    url: url ?? `${target.apiUrl}/jmap`,
    headers,
    body,
    isRepeatable: typeof body === "string" && !changesSomething.test(body),
  };
}

// Every other method of RFC 8620 and RFC 8621 only reads.
const changesSomething = /\/(?:set|import|copy)"/u;

export const jsonContentType = ["Content-Type", "application/json"] as const;

/** The header line that presents a token (RFC 6750 §2.1). */
export function bearer(token: string): readonly [string, string] {
  return ["Authorization", `Bearer ${token}`];
}

/** The same lines with a scheme that is written `bearer`. */
export function withLowerCaseScheme(lines: HeaderLines): HeaderLines {
  return lines.map(([name, value]) => [name, value.replace(/^Bearer /u, "bearer ")]);
}

/** The header that selects an inbox on the OAuth path. Document, "Authentication", OAuth 2.0 path 9. */
export function accountHeader(target: Target, accountId: string): readonly [string, string] {
  return [target.profile.names.account_header, accountId];
}

/** A complete OAuth-path request for an inbox, as the document shows it. */
export function jmapAs(
  target: Target,
  accessToken: string,
  accountId: string,
  body: string,
): Promise<Exchange> {
  return postJmap(target, {
    headers: [bearer(accessToken), accountHeader(target, accountId), jsonContentType],
    body,
  });
}

/**
 * The method responses of a 200 answer; undefined when the answer is not a JMAP response, or nothing was served for the moment
 * (RFC 8620 §3.6.2).
 */
export function methodResponses(exchange: Exchange): MethodCall[] | undefined {
  const responses = jsonMembers(exchange)["methodResponses"];
  if (exchange.response.status !== 200 || !Array.isArray(responses)) return undefined;
  if (!responses.every(isMethodCall)) return undefined;
  const isUnavailable = responses.every(
    ([name, args]) => name === "error" && args["type"] === "serverUnavailable",
  );
  return isUnavailable && responses.length > 0 ? undefined : responses;
}

function isMethodCall(value: unknown): value is MethodCall {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    typeof value[0] === "string" &&
    isJsonObject(value[1]) &&
    typeof value[2] === "string"
  );
}

/** The arguments of the first response to a call, whatever its name. */
export function responseTo(
  exchange: Exchange,
  callId: string,
): { name: string; args: JsonObject } | undefined {
  const found = methodResponses(exchange)?.find(([, , id]) => id === callId);
  return found && { name: found[0], args: found[1] };
}

/** The id of what a call says it has created under a creation id (RFC 8620 §5.3); undefined when it was not made. */
export function createdId(exchange: Exchange, callId: string, creationId: string): string | undefined {
  return createdIdIn(responseTo(exchange, callId)?.args, creationId);
}

/** {@link createdId}, of the arguments of a response. */
export function createdIdIn(args: JsonObject | undefined, creationId: string): string | undefined {
  const created = args?.["created"];
  const made = isJsonObject(created) ? created[creationId] : undefined;
  const id = isJsonObject(made) ? made["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** @throws {InconclusiveError} control-refused, when the request was not served */
export function requireServed(exchange: Exchange, what: string): MethodCall[] {
  const responses = methodResponses(exchange);
  if (responses !== undefined) return responses;
  throw controlRefused(what, "200 with methodResponses", exchange, "JMAP-01");
}

export interface InboxEntry {
  readonly accountId: string;
  readonly inboxId: string;
  readonly status: string;
}

/** The inbox list. Document, "GET /api/v1/agents". @param headers - with the credential, if any */
export function getAgents(target: Target, headers: HeaderLines): Promise<Exchange> {
  return target.send({ method: "GET", url: `${target.authUrl}/api/v1/agents`, headers });
}

/** The entries of an inbox list as they are; one that is not an object has no fields. */
export function entriesIn(exchange: Exchange): readonly JsonObject[] {
  const { agents } = jsonMembers(exchange);
  const found: unknown[] = Array.isArray(agents) ? agents : [];
  return found.map((entry) => (isJsonObject(entry) ? entry : {}));
}

/** The entries of an inbox list that can be used; what is wrong with others is for the checks of AGENTS to say. */
export function inboxEntries(exchange: Exchange): InboxEntry[] {
  return entriesIn(exchange).flatMap(({ accountId, inboxId, status }) =>
    typeof accountId === "string" ? [{ accountId, inboxId: String(inboxId), status: String(status) }] : [],
  );
}

/** The first id of a `Mailbox/query` or `Email/query` response. */
export function firstId(exchange: Exchange, callId: string): string | undefined {
  const ids = responseTo(exchange, callId)?.args["ids"];
  const id: unknown = Array.isArray(ids) ? ids[0] : undefined;
  return typeof id === "string" ? id : undefined;
}
