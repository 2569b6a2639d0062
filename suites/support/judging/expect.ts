import {
  type Exchange,
  header,
  isJsonObject,
  jsonBody,
  jsonMembers,
  mediaType,
  summary,
} from "../wire/exchange.ts";
import { methodResponses } from "../actors/jmap.ts";
import { Violation } from "../verdict.ts";

/** @throws {Violation} naming both values, JSON for what is not text */
export function expectEqual(observed: unknown, expected: unknown, what: string): void {
  if (!Object.is(observed, expected))
    throw new Violation(`${what} to be ${shown(expected)}`, shown(observed));
}

/** The assertion in words: `expected` reads after "expected", `observed` after "observed". */
export function expectThat(holds: boolean, expected: string, observed: string): void {
  if (!holds) throw new Violation(expected, observed);
}

export function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}

export function expectStatus(exchange: Exchange, status: number): void {
  if (exchange.response.status !== status) throw new Violation(`status ${status}`, summary(exchange));
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
 * The OAuth error shape with this status and one of these codes. Document, "Resources", OAuth error body, and "Errors".
 */
export function expectOAuthError(exchange: Exchange, status: number, codes: readonly string[]): void {
  expectOAuthErrorShape(exchange);
  const { error } = jsonMembers(exchange);
  if (exchange.response.status !== status || typeof error !== "string" || !codes.includes(error)) {
    throw new Violation(`${status} ${codes.join(" or ")}`, summary(exchange));
  }
}

/** `error` and `error_description`, both strings, in a JSON object. */
export function expectOAuthErrorShape(exchange: Exchange): void {
  const body = jsonBody(exchange);
  const { error, error_description: description } = isJsonObject(body) ? body : {};
  if (typeof error !== "string" || typeof description !== "string") {
    throw new Violation(
      "a JSON body with string error and string error_description",
      `${summary(exchange)} with error ${shown(error)} and error_description ${shown(description)}`,
    );
  }
}

/**
 * A refusal of the token endpoint: 400, JSON, one of the codes, a description, and no token.
 */
export function expectTokenRefused(exchange: Exchange, codes: readonly string[]): void {
  expectNoTokens(exchange);
  expectOAuthError(exchange, 400, codes);
  expectThat(
    mediaType(exchange) === "application/json",
    "Content-Type application/json",
    header(exchange, "content-type") ?? "none",
  );
}

export function expectNoTokens(exchange: Exchange): void {
  const members = Object.keys(jsonMembers(exchange)).filter((name) =>
    ["access_token", "refresh_token"].includes(name),
  );
  if (members.length > 0)
    throw new Violation("no tokens", `${summary(exchange)} with ${members.join(" and ")}`);
}

/** 401 `invalid_token` in the OAuth error shape. */
export function expectInvalidToken(exchange: Exchange): void {
  expectOAuthError(exchange, 401, ["invalid_token"]);
}

/** A JMAP request that was not served: neither 2xx nor method responses. */
export function expectNotServed(exchange: Exchange): void {
  const { status } = exchange.response;
  const isServed = (status >= 200 && status < 300) || methodResponses(exchange) !== undefined;
  if (isServed) throw new Violation("the request to be refused", summary(exchange));
}

// A missing route, a wrong method, a rate limit or a fault of the server is no decision about the request.
export function isRefusalStatus(status: number): boolean {
  return status >= 400 && status < 500 && ![404, 405, 429].includes(status);
}

/** A refusal on a proof-of-work endpoint: a 4xx of its own, no token in the header, the error shape of that path. */
export function expectPowRefused(exchange: Exchange): void {
  const credential = header(exchange, "authorization");
  expectThat(
    credential === undefined,
    "no token in the Authorization response header",
    `${summary(exchange)} with one`,
  );
  if (!isRefusalStatus(exchange.response.status)) {
    throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange));
  }
  expectAgentErrorShape(exchange);
}

/** `error.message`, `error.hint`, `error.docs_url`, all strings. Document, "Resources", PoW-path error body. */
export function expectAgentErrorShape(exchange: Exchange): void {
  const { error } = jsonMembers(exchange);
  const { message, hint, docs_url: docsUrl } = isJsonObject(error) ? error : {};
  if ([message, hint, docsUrl].some((member) => typeof member !== "string")) {
    throw new Violation(
      "a JSON body with strings error.message, error.hint and error.docs_url",
      `${exchange.response.status} with error ${shown(error)}`,
    );
  }
}
