import { StringDecoder } from "node:string_decoder";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { InconclusiveError, interrupted } from "../verdict.ts";
import { tlsReason } from "./tls-reasons.ts";
import { decodedBody } from "./content-coding.ts";
import { type Exchange, type HeaderLines, valuesOf } from "./exchange.ts";
import { endpointText } from "./network.ts";
import type { Outgoing } from "./outgoing.ts";
import { splitUrl } from "./url.ts";

export interface RoundTripOptions {
  /** From the first byte sent to the last received. */
  timeoutMs: number;
  /** A longer body is not read to its end, and the exchange proves nothing. */
  maxBodyBytes: number;
  signal: AbortSignal;
}

type Answered = Pick<Exchange, "durationMs" | "response">;

/**
 * Sends one request and reads its answer to the end, its content codings undone; of an event stream the head alone, where the
 * request says so.
 *
 * @param pending - the exchange without its answer, for errors
 * @throws {InconclusiveError} target-unreachable, target-silent or answer-unbounded, when there is no complete answer
 */
export async function roundTrip(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  options: RoundTripOptions,
  pending: Exchange,
): Promise<Answered> {
  const [origin, path] = splitUrl(outgoing.url);
  const timeoutMs = Math.min(options.timeoutMs, outgoing.mostMs ?? Infinity);
  const deadline = startDeadline({ ...options, timeoutMs });
  const startedAt = performance.now();
  const requestLine = requestLineOf(outgoing);
  try {
    const answer = await dispatcher.request({
      origin,
      path,
      method: outgoing.method as Dispatcher.HttpMethod,
      headers: [...pending.request.headers, ...framing(outgoing)].flatMap(([name, value]) => [
        name,
        inBytes(value),
      ]),
      body: bodyOf(outgoing),
      signal: deadline.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      responseHeaders: "raw",
    });
    const headers = headerLines(answer.headers);
    if (outgoing.leavesEventsUnread && isEventStream(headers)) {
      // Ending it early is an error to the stream, and to nobody else.
      answer.body.on("error", () => {}).destroy();
      const durationMs = performance.now() - startedAt;
      return { durationMs, response: { status: answer.statusCode, headers, body: "" } };
    }
    const read = await readBounded(answer.body, options.maxBodyBytes);
    const body = read && (await decoded(read, headers, options.maxBodyBytes));
    if (body === undefined) {
      const message = `${requestLine}: the answer went on past ${options.maxBodyBytes} bytes; stopped reading`;
      throw new InconclusiveError("answer-unbounded", message, { exchange: pending });
    }
    return {
      durationMs: performance.now() - startedAt,
      response: { status: answer.statusCode, headers, body: textOf(body) },
    };
  } catch (cause) {
    if (cause instanceof InconclusiveError) throw cause;
    if (options.signal.aborted) throw interrupted(cause);
    if (deadline.isOver) {
      const seconds = timeoutMs / 1000;
      const message = `${requestLine}: no complete answer within ${seconds} s; is the target up, or too slow for the profile's timeout_seconds?`;
      throw new InconclusiveError("target-silent", message, { cause, exchange: pending });
    }
    if (cause instanceof Error && errorCode(cause) === "UND_ERR_INVALID_ARG") {
      const message = `${requestLine}: has a value that cannot be sent (${cause.message})`;
      throw new InconclusiveError("precondition-missing", message, { cause, exchange: pending });
    }
    const reason = cause instanceof Error ? reasonOf(cause) : String(cause);
    throw new InconclusiveError("target-unreachable", `${requestLine}: ${reason}`, {
      cause,
      exchange: pending,
    });
  } finally {
    deadline.end();
  }
}

interface Deadline {
  /** Aborts when the time is up, and when the run is interrupted. */
  readonly signal: AbortSignal;
  readonly isOver: boolean;
  end(): void;
}

/**
 * `AbortSignal.timeout` cannot be ended: for half a minute each request left behind a timer and what hangs on it, and then
 * an error with its stack.
 */
function startDeadline({ timeoutMs, signal }: Pick<RoundTripOptions, "timeoutMs" | "signal">): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, timeoutMs);
  const interrupt = (): void => controller.abort(signal.reason);
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
    },
  };
}

/** A header line holds bytes (RFC 9110 §5.5), of which undici sends those of a string of code points up to 255. */
function inBytes(value: string): string {
  return /[^\u0000-\u00FF]/u.test(value) ? Buffer.from(value).toString("latin1") : value;
}

function reasonOf(cause: Error): string {
  const code = errorCode(cause);
  return reasons[code] ?? tlsReason(code, cause) ?? cause.message;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "the connection was refused; nothing listens there",
  ENOTFOUND: "the host name does not resolve",
  EAI_AGAIN: "the host name does not resolve (no name server answered)",
  ECONNRESET: "the connection was reset before an answer",
  UND_ERR_SOCKET: "the connection was closed before a complete answer",
  UND_ERR_CONNECT_TIMEOUT: "no connection could be made in time",
};

function errorCode(error: Error): string {
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? code : "";
}

/** Whether the same would come again: the certificates of a connection. */
export function isPermanent({ cause }: InconclusiveError): boolean {
  return cause instanceof Error && tlsReason(errorCode(cause), cause) !== undefined;
}

/** Whether no connection could be made, so that the target cannot have seen the request. */
export function wasNeverSent(error: InconclusiveError): boolean {
  const { cause } = error;
  return cause instanceof Error && ["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"].includes(errorCode(cause));
}

/** Whether a connection was made and closed without a complete answer. */
export function wasClosed({ cause }: InconclusiveError): boolean {
  return cause instanceof Error && ["ECONNRESET", "UND_ERR_SOCKET"].includes(errorCode(cause));
}

/** Method and address for messages, without a query that may hold secrets. */
export function requestLineOf({ method, url, node }: Outgoing): string {
  const [origin, target] = splitUrl(url);
  const place = node === undefined ? "" : ` at the node ${endpointText(node)}`;
  return `${method} ${origin}${target.split("?", 1)[0] ?? target}${place}`;
}

/** A body whose last byte is held back has a known length, and must not go out chunked. */
function framing({ body, lastByte }: Outgoing): [string, string][] {
  return lastByte !== undefined && typeof body === "string"
    ? [["Content-Length", String(Buffer.byteLength(body))]]
    : [];
}

function bodyOf({ body, lastByte }: Outgoing): string | Uint8Array | Readable | null {
  if (body === undefined) return null;
  if (typeof body === "string" && lastByte !== undefined)
    return Readable.from(heldBack(Buffer.from(body), lastByte));
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  return Readable.from(chunks(body));
}

async function* heldBack(body: Uint8Array, lastByte: () => Promise<void>): AsyncIterable<Uint8Array> {
  if (body.length > 1) yield body.subarray(0, -1);
  await lastByte();
  yield body.subarray(-1);
}

async function* chunks(parts: readonly (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    yield Buffer.from(part);
    // A turn of the event loop between two chunks, so that they leave as two.
    await delay(1);
  }
}

/** @returns undefined for a body that goes on past the bound */
async function readBounded(
  body: AsyncIterable<unknown> & { destroy(): unknown },
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) throw new TypeError("expected the body in bytes");
    length += part.length;
    if (length > maxBytes) {
      body.destroy();
      return undefined;
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function isEventStream(headers: HeaderLines): boolean {
  return valuesOf(headers, "content-type").some((value) => /^\s*text\/event-stream\b/iu.test(value));
}

const bytesOfPiece = 256 * 1024;

/**
 * UTF-8 as text, a piece at a time: Node keeps a string of more than a megabyte that is made in one piece outside of the heap,
 * in memory that is hardly ever given back to the system.
 */
function textOf(body: Uint8Array): string {
  const decoder = new StringDecoder("utf8");
  const pieces: string[] = [];
  for (let at = 0; at < body.length; at += bytesOfPiece)
    pieces.push(decoder.write(body.subarray(at, at + bytesOfPiece)));
  return [...pieces, decoder.end()].join("");
}

/** @returns undefined for a body that is longer than the bound when it is decoded */
async function decoded(
  body: Uint8Array,
  headers: HeaderLines,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  try {
    return await decodedBody(body, headers, maxBytes);
  } catch (cause) {
    if (cause instanceof Error && errorCode(cause) === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw new Error("the answer's content coding cannot be undone", { cause });
  }
}

function headerLines(rawHeaders: unknown): HeaderLine[] {
  const flat = Array.isArray(rawHeaders) ? rawHeaders.map(String) : [];
  return Array.from({ length: flat.length / 2 }, (_, at) =>
    sharedLine(flat[2 * at] ?? "", flat[2 * at + 1] ?? ""),
  );
}

type HeaderLine = HeaderLines[number];

const mostSharedLines = 1000;
const longestSharedLine = 128;
const sharedLines = new Map<string, HeaderLine>();

/** Most lines of an answer are those of the answers before it, and a run keeps every exchange. */
function sharedLine(name: string, value: string): HeaderLine {
  const text = `${name}:${value}`;
  const known = sharedLines.get(text);
  if (known !== undefined) return known;
  const line: HeaderLine = [name, value];
  if (sharedLines.size < mostSharedLines && text.length <= longestSharedLine) sharedLines.set(text, line);
  return line;
}
