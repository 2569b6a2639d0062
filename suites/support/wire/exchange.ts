import { parseJson } from "./bounded-json.ts";
import { excerpt } from "./excerpt.ts";

/** Header lines as they crossed the wire: order, case and repetition kept. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** One HTTP request and its response, recorded as they happened. Never rebuilt from what was expected. */
export interface Exchange {
  /** Position in the run, from 0. */
  readonly number: number;
  /** ISO 8601, when the request was sent. */
  readonly startedAt: string;
  /** From sending to the last byte of the response. */
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    /** Origin and request target, verbatim. */
    readonly url: string;
    readonly headers: HeaderLines;
    /** UTF-8 text; bytes that are not UTF-8 show as U+FFFD. */
    readonly body: string;
    readonly cut?: CutBody;
    /** The body went out in several chunks. */
    readonly isChunked?: true;
    /** Host and port of the node that it went to instead of the host of its URL. */
    readonly node?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: HeaderLines;
    readonly body: string;
    readonly cut?: CutBody;
    /** Of a JSON body that was cut: its members near the top, long strings shortened. For judging, not for reports. */
    readonly outline?: unknown;
  };
}

/** What was left out of a long body behind the text that was kept. */
export interface CutBody {
  /** Of UTF-8 text. */
  readonly bytes: number;
  /** Of those bytes, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Every value of a response header, in order; names compare without case. White space around a value is not part of it (RFC
 * 9110 §5.5).
 */
export function headerValues(exchange: Exchange, name: string): string[] {
  return valuesOf(exchange.response.headers, name).map((value) => value.replaceAll(/^[ \t]+|[ \t]+$/gu, ""));
}

/** Every value of a header, in order; names compare without case. */
export function valuesOf(headers: HeaderLines, name: string): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  // Names of another length need no comparison, which spares most of them a copy in lower case.
  for (const [key, value] of headers)
    if (key.length === wanted.length && key.toLowerCase() === wanted) values.push(value);
  return values;
}

/** The first value of a response header. */
export function header(exchange: Exchange, name: string): string | undefined {
  return headerValues(exchange, name)[0];
}

/** A response header that may come in several lines, as one list (RFC 9110 §5.3). */
export function listHeader(exchange: Exchange, name: string): string | undefined {
  const values = headerValues(exchange, name);
  return values.length === 0 ? undefined : values.join(", ");
}

/** The media type of the response without parameters, lower case; empty when there is none. */
export function mediaType(exchange: Exchange): string {
  return (header(exchange, "content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

// As browsers do with an answer that names no media type (WHATWG MIME Sniffing §7.1).
const beginsAsPage = /^\s*<(?:!doctype html|html|head|body|title)[\s>]/iu;

/** Whether a browser shows the body as a page, in either syntax of HTML. */
export function isHtml(exchange: Exchange): boolean {
  const type = mediaType(exchange);
  if (type !== "") return ["text/html", "application/xhtml+xml"].includes(type);
  const mayGuess = header(exchange, "x-content-type-options")?.trim().toLowerCase() !== "nosniff";
  return mayGuess && beginsAsPage.test(exchange.response.body);
}

/**
 * The response body as JSON, or undefined when it is none. The media type is not looked at. What lies deeper than 64 levels
 * is null; of a body that was cut, only the outline is known.
 */
export function jsonBody({ response }: Exchange): unknown {
  return response.cut === undefined ? parseJson(response.body) : response.outline;
}

/** Whether a text stands in the response body, in JSON however its characters are escaped (RFC 8259 §7). */
export function showsText(exchange: Exchange, text: string): boolean {
  if (exchange.response.body.includes(text)) return true;
  const body = jsonBody(exchange);
  return body !== undefined && JSON.stringify(body).includes(JSON.stringify(text).slice(1, -1));
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Not null, and no array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of an array; none where it is not an array. */
export function jsonObjectsIn(value: unknown): JsonObject[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter(isJsonObject);
}

/** The response body's members; an empty object when the body is not a JSON object. */
export function jsonMembers(exchange: Exchange): JsonObject {
  const body = jsonBody(exchange);
  return isJsonObject(body) ? body : {};
}

/** Any 2xx, whatever its body says: JMAP reports the errors of calls with 200. */
export function isSuccess(exchange: Exchange): boolean {
  return exchange.response.status >= 200 && exchange.response.status < 300;
}

/** A status that sends the client elsewhere, with a `Location`. */
export function isRedirect(exchange: Exchange): boolean {
  return (
    [301, 302, 303, 307, 308].includes(exchange.response.status) && header(exchange, "location") !== undefined
  );
}

/** One line for messages: what was asked and what came back, without bodies that may hold secrets. */
export function summary(exchange: Exchange): string {
  const { error } = jsonMembers(exchange);
  const code = typeof error === "string" ? ` ${excerpt(error, 100)}` : "";
  const type =
    code === "" && exchange.response.body !== "" ? ` (${mediaType(exchange) || "no media type"})` : "";
  return `${exchange.response.status}${code}${type}`;
}

/** The parameters of a query or form text, in order, each decoded once as `application/x-www-form-urlencoded`. */
export function formParameters(text: string): [name: string, value: string][] {
  if (text === "") return [];
  return text.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [formDecode(pair), ""] : [formDecode(pair.slice(0, at)), formDecode(pair.slice(at + 1))];
  });
}

function formDecode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A malformed escape is shown as it stands: the target sent it, and a check may want to say so.
    return spaced;
  }
}
