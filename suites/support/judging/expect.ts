import { isDeepStrictEqual } from "node:util";
import { isStoppedByGateway } from "../wire/stopped-by-gateway.ts";
import { type Exchange, header, isJsonObject, jsonBody, jsonMembers, summary } from "../wire/exchange.ts";
import { excerpt } from "../wire/excerpt.ts";
import { methodResponses } from "../actors/jmap.ts";
import { type ExchangeReference, Violation } from "../verdict.ts";

/** @throws {Violation} naming both values, JSON for what is not text */
export function expectEqual(observed: unknown, expected: unknown, what: string): void {
  if (!Object.is(observed, expected))
    throw new Violation(`${what} to be ${shown(expected)}`, shown(observed));
}

/** The assertion in words: `expected` reads after "expected", `observed` after "observed". */
export function expectThat(
  holds: boolean,
  expected: string,
  observed: string,
  exchange?: ExchangeReference,
): void {
  if (!holds) throw new Violation(expected, observed, { exchange });
}

/** A value in a message, as JSON: the beginning of a long one, with no token cut in half. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return excerpt(text, 200);
}

/** Whether two values are the same in JSON, where the order of members means nothing (RFC 8259 §4). */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** For a status that the document names. {@link expectOAuthError} judges refusals. @throws {Violation} */
export function expectStatus(exchange: Exchange, status: number): void {
  if (exchange.response.status !== status)
    throw new Violation(`status ${status}`, summary(exchange), { exchange });
}

/** Set equality of a JSON array of strings, without duplicates; order is free. */
export function expectStringSet(value: unknown, expected: readonly string[], what: string): void {
  const items: unknown[] = Array.isArray(value) ? value : [];
  const equal =
    Array.isArray(value) &&
    items.length === expected.length &&
    expected.every((item) => items.includes(item));
  if (!equal) throw new Violation(`${what} to hold exactly ${expected.join(", ")}`, shown(value));
}

/**
 * A refusal with one of these codes in the OAuth error shape. Which status belongs to a code, and that there is an
 * `error_description`, is judged over the whole run (ERR-01 to ERR-09), so that one mistake there does not fail every
 * refusal.
 */
export function expectOAuthError(exchange: Exchange, codes: readonly string[]): void {
  const expected = `a refusal with ${codes.join(" or ")}`;
  if (!isRefusal(exchange)) throw new Violation(expected, summary(exchange), { exchange });
  if (isStoppedByGateway(exchange)) return;
  const { error } = jsonMembers(exchange);
  if (typeof error !== "string") {
    throw new Violation(expected, `${summary(exchange)} with error ${shown(error)}`, {
      exchange,
      explainedBy: "ERR-01",
    });
  }
  if (!codes.includes(error)) throw new Violation(expected, summary(exchange), { exchange });
}

/** `error` and `error_description`, both strings, in a JSON object. Document, "Resources", OAuth error body. */
export function expectOAuthErrorShape(exchange: Exchange): void {
  const body = jsonBody(exchange);
  const { error, error_description: description } = isJsonObject(body) ? body : {};
  if (typeof error !== "string" || typeof description !== "string") {
    throw new Violation(
      "a JSON body with string error and string error_description",
      `${summary(exchange)} with error ${shown(error)} and error_description ${shown(description)}`,
      { exchange },
    );
  }
}

/** A refusal of the token endpoint: one of the codes, and no token. */
export function expectTokenRefused(exchange: Exchange, codes: readonly string[]): void {
  expectNoTokens(exchange);
  expectOAuthError(exchange, codes);
}

/**
 * What a confidential client may get for a secret that it left out or sent empty: the document names `invalid_client` for
 * an unknown client alone, and a required field is missing. A wrong secret is another matter.
 */
export const missingSecretErrors: readonly string[] = ["invalid_client", "invalid_request"];

/** Neither an access token nor a refresh token in the body, whatever the status. @throws {Violation} */
export function expectNoTokens(exchange: Exchange): void {
  const members = Object.keys(jsonMembers(exchange)).filter((name) =>
    ["access_token", "refresh_token"].includes(name),
  );
  if (members.length > 0)
    throw new Violation("no tokens", `${summary(exchange)} with ${members.join(" and ")}`, { exchange });
}

/** A refusal with `invalid_token` in the OAuth error shape. */
export function expectInvalidToken(exchange: Exchange): void {
  expectOAuthError(exchange, ["invalid_token"]);
}

/** No 5xx, whatever else was answered. */
export function expectNoServerError(exchange: Exchange): void {
  expectThat(exchange.response.status < 500, "an answer below 500", summary(exchange), exchange);
}

/** A JMAP request that was not served: neither 2xx nor method responses. */
export function expectNotServed(exchange: Exchange): void {
  const { status } = exchange.response;
  const isServed = (status >= 200 && status < 300) || methodResponses(exchange) !== undefined;
  if (isServed) throw new Violation("the request to be refused", summary(exchange), { exchange });
}

/**
 * A 4xx that decides about the request. A missing route (404), a wrong method (405), a rate limit (429) and a fault of the server
 * do not.
 */
export function isRefusalStatus(status: number): boolean {
  return status >= 400 && status < 500 && ![404, 405, 429].includes(status);
}

/**
 * A decision against the request. A 404 is one where its body has the shape of the proof-of-work path's errors, whose status the
 * document does not show: no server answers a missing route so.
 */
export function isRefusal(exchange: Exchange): boolean {
  const { status } = exchange.response;
  return isRefusalStatus(status) || (status === 404 && hasAgentErrorShape(exchange));
}

/**
 * A refusal on a proof-of-work endpoint: a 4xx of its own and no token in the header. The shape of the body is judged by
 * POW-54.
 */
export function expectPowRefused(exchange: Exchange): void {
  const credential = header(exchange, "authorization");
  expectThat(
    credential === undefined,
    "no token in the Authorization response header",
    `${summary(exchange)} with one`,
    exchange,
  );
  if (!isRefusal(exchange)) {
    throw new Violation(
      "a refusal with 4xx (not 405 or 429, nor the 404 of a missing route)",
      summary(exchange),
      {
        exchange,
      },
    );
  }
}

function hasAgentErrorShape(exchange: Exchange): boolean {
  const { error } = jsonMembers(exchange);
  const { message, hint, docs_url: docsUrl } = isJsonObject(error) ? error : {};
  return [message, hint, docsUrl].every((member) => typeof member === "string");
}

/** `error.message`, `error.hint`, `error.docs_url`, all strings. Document, "Resources", PoW-path error body. */
export function expectAgentErrorShape(exchange: Exchange): void {
  if (!hasAgentErrorShape(exchange)) {
    throw new Violation(
      "a JSON body with strings error.message, error.hint and error.docs_url",
      `${exchange.response.status} with error ${shown(jsonMembers(exchange)["error"])}`,
      { exchange },
    );
  }
}
