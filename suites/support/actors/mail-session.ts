import { type Exchange, header, isRedirect, jsonMembers } from "../wire/exchange.ts";
import { controlRefused } from "../wire/control-refused.ts";
import type { Outgoing } from "../wire/http.ts";
import { originOf } from "../wire/url.ts";
import { bearer } from "./jmap.ts";
import { isOwnOrigin } from "../target/origins.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";

/** `GET {api_url}/.well-known/jmap` with these header lines. */
function getSessionDocument(
  target: Target,
  headers: readonly (readonly [string, string])[],
): Promise<Exchange> {
  return target.send(documentRequest(target, headers));
}

/** A request for the session document (RFC 8620 §2). @param headers - with the credential, if any */
export function documentRequest(target: Target, headers: readonly (readonly [string, string])[]): Outgoing {
  return { method: "GET", url: `${target.apiUrl}/.well-known/jmap`, headers };
}

/** What a session document names as the mail account; undefined where it names none. */
export function primaryAccountIn(exchange: Exchange): unknown {
  return Reflect.get(Object(jsonMembers(exchange)["primaryAccounts"]), "urn:ietf:params:jmap:mail");
}

const maxRedirects = 3;

/** The session document, redirects within the origin of the API followed (RFC 8620 §2.2). */
export async function followedSessionDocument(
  target: Target,
  headers: readonly (readonly [string, string])[],
): Promise<Exchange> {
  let exchange = await getSessionDocument(target, headers);
  for (let count = 0; count < maxRedirects && isRedirect(exchange); count += 1) {
    const next = URL.parse(header(exchange, "location") ?? "", exchange.request.url);
    if (next === null || next.origin !== originOf(target.apiUrl)) break;
    exchange = await target.send({ method: "GET", url: next.href, headers });
  }
  return exchange;
}

/** What the proof-of-work path needs of a JMAP session document. */
export interface MailSession {
  /** Absolute. */
  readonly apiUrl: string;
  readonly accountId: string;
}

/**
 * @throws {InconclusiveError} control-refused, when the document cannot be had or lacks what is needed; foreign-origin, when
 * it names another service
 */
export async function mailSession(target: Target, capability: string): Promise<MailSession> {
  return mailSessionIn(target, await followedSessionDocument(target, [bearer(capability)]));
}

/** As {@link mailSession}, of a session document that is there. */
export function mailSessionIn(target: Target, exchange: Exchange): MailSession {
  const { apiUrl } = jsonMembers(exchange);
  const accountId = primaryAccountIn(exchange);
  const resolved = typeof apiUrl === "string" ? URL.parse(apiUrl, exchange.request.url) : null;
  if (resolved === null || typeof accountId !== "string") {
    throw controlRefused(
      "the JMAP session document",
      "apiUrl and a primary mail account",
      exchange,
      "POW-59",
    );
  }
  if (!isOwnOrigin(target.profile, resolved.href)) {
    throw new InconclusiveError(
      "foreign-origin",
      `the JMAP session document gives apiUrl at ${resolved.origin}, which is none of the profile's origins; no capability was sent there`,
      { exchange },
    );
  }
  return { apiUrl: resolved.href, accountId };
}
