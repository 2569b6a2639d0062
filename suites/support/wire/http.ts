import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, Client, type Dispatcher } from "undici";
import { createBodyKeeper } from "./body-keeper.ts";
import type { Exchange, HeaderLines } from "./exchange.ts";
import { InconclusiveError } from "../verdict.ts";
import { createConnector } from "./connector.ts";
import { createTimeoutGuard } from "./timeout-guard.ts";
import { originOf, splitUrl } from "./url.ts";

/** A request as it is to cross the wire: nothing is added but what HTTP itself needs, nothing is normalised. */
export interface Outgoing {
  readonly method: string;
  /** Origin and request target; the target is sent byte for byte. */
  readonly url: string;
  readonly headers?: HeaderLines;
  /** A list of parts goes out chunked, one chunk each. */
  readonly body?: string | Uint8Array | readonly string[];
  /** Take a 429 as the answer instead of waiting: for checks whose subject is the limit. */
  readonly takeRateLimit?: true;
  /** May go to any origin: a person's browser, and what carries no credential at all. Everything else stays at the target. */
  readonly beyondTarget?: true;
}

export interface HttpOptions {
  /** From the first byte sent to the last received. */
  timeoutMs: number;
  /** A longer body is not read to its end, and the exchange proves nothing. */
  maxBodyBytes: number;
  /** The longest that one exchange may wait for a rate limit, all tries together. */
  patienceMs: number;
  /** Upper bound on the request rate; undefined for none. */
  requestsPerSecond: number | undefined;
  signal: AbortSignal;
  /** Receives each exchange with all of its bodies, when it has ended. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** One kept-alive connection of its own, for what depends on the connection. */
export interface Connection {
  send(outgoing: Outgoing, onWaited?: (exchange: Exchange) => void): Promise<Exchange>;
  close(): Promise<void>;
}

export interface Http {
  /**
   * Sends over any pooled connection and records the exchange.
   *
   * @param onWaited - receives each 429 or 503 that was waited for before the answer that is returned
   */
  send(outgoing: Outgoing, onWaited?: (exchange: Exchange) => void): Promise<Exchange>;
  connect(origin: string): Connection;
  /** Every exchange of the run so far, in the order in which they were sent; long bodies are cut. */
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

const maxRateLimitedAttempts = 4;

export function createHttp(options: HttpOptions): Http {
  const exchanges: Exchange[] = [];
  const kept = createBodyKeeper();
  const connection = { pipelining: 1, allowH2: false, connect: createConnector(options.timeoutMs) };
  const agent = new Agent({ ...connection, connections: 64 });
  const pace = createRateLimiter(options);
  const timeoutGuard = createTimeoutGuard();

  async function exchange(dispatcher: Dispatcher, outgoing: Outgoing): Promise<Exchange> {
    const number = exchanges.length;
    // The number is taken when sending, so that the list stays in sending order however answers overtake each other.
    let exchange: Exchange = pendingExchange(number, outgoing);
    exchanges.push(exchange);
    try {
      exchange = { ...exchange, ...(await roundTrip(dispatcher, outgoing, options, exchange)) };
      return exchange;
    } finally {
      exchanges[number] = kept(exchange);
      options.onExchange?.(exchange);
    }
  }

  async function sendOver(
    dispatcher: Dispatcher,
    outgoing: Outgoing,
    onWaited: (exchange: Exchange) => void = () => {},
  ): Promise<Exchange> {
    let waitedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      await pace();
      timeoutGuard.requireResponsive(outgoing);
      const answer = await exchange(dispatcher, outgoing).catch((error: unknown) =>
        timeoutGuard.failed(outgoing, error),
      );
      timeoutGuard.answered(outgoing);
      const waitMs = outgoing.takeRateLimit ? undefined : requestedWaitMs(answer, attempt);
      if (waitMs === undefined) return answer;
      if (attempt === maxRateLimitedAttempts || waitedMs + waitMs > options.patienceMs) {
        throw new InconclusiveError(
          "rate-limited",
          `${outgoing.method} ${originOf(outgoing.url)}…: still answered ${answer.response.status} after ${attempt} tries and ${Math.round(waitedMs / 1000)} s of waiting; raise the target's limit for this run or the profile's patience`,
          { exchange: answer },
        );
      }
      onWaited(answer);
      waitedMs += waitMs;
      await delay(waitMs, undefined, { signal: options.signal }).catch(interrupted);
    }
  }

  return {
    send: (outgoing, onWaited) => sendOver(agent, outgoing, onWaited),
    connect(origin) {
      const client = new Client(origin, connection);
      return {
        send: (outgoing, onWaited) => sendOver(client, outgoing, onWaited),
        close: () => client.close(),
      };
    },
    exchanges,
    close: () => agent.destroy(),
  };
}

async function roundTrip(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  options: HttpOptions,
  pending: Exchange,
): Promise<Pick<Exchange, "durationMs" | "response">> {
  const [origin, path] = splitUrl(outgoing.url);
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const startedAt = performance.now();
  const requestLine = `${outgoing.method} ${origin}${withoutQuery(path)}`;
  try {
    const answer = await dispatcher.request({
      origin,
      path,
      method: outgoing.method as Dispatcher.HttpMethod,
      headers: (outgoing.headers ?? []).flat(),
      body: bodyOf(outgoing),
      signal: AbortSignal.any([deadline, options.signal]),
      headersTimeout: 0,
      bodyTimeout: 0,
      responseHeaders: "raw",
    });
    const body = await readBounded(answer.body, options.maxBodyBytes, requestLine, pending);
    return {
      durationMs: performance.now() - startedAt,
      response: { status: answer.statusCode, headers: pairs(answer.headers), body },
    };
  } catch (cause) {
    if (cause instanceof InconclusiveError) throw cause;
    if (options.signal.aborted) return interrupted(cause);
    if (deadline.aborted) {
      const seconds = options.timeoutMs / 1000;
      const message = `${requestLine}: no complete answer within ${seconds} s; is the target up, or too slow for the profile's timeout_seconds?`;
      throw new InconclusiveError("target-silent", message, { cause, exchange: pending });
    }
    const reason = cause instanceof Error ? (reasons[errorCode(cause)] ?? cause.message) : String(cause);
    throw new InconclusiveError("target-unreachable", `${requestLine}: ${reason}`, {
      cause,
      exchange: pending,
    });
  }
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

function withoutQuery(path: string): string {
  return path.split("?", 1)[0] ?? path;
}

function bodyOf(outgoing: Outgoing): string | Uint8Array | Readable | null {
  const { body } = outgoing;
  if (body === undefined) return null;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  return Readable.from(chunks(body));
}

async function* chunks(parts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    yield Buffer.from(part);
    // A turn of the event loop between two chunks, so that they leave as two.
    await delay(1);
  }
}

async function readBounded(
  body: AsyncIterable<unknown> & { destroy(): unknown },
  maxBytes: number,
  requestLine: string,
  exchange: Exchange,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) throw new TypeError("expected the body in bytes");
    length += part.length;
    if (length > maxBytes) {
      body.destroy();
      throw new InconclusiveError(
        "answer-unbounded",
        `${requestLine}: the answer went on past ${maxBytes} bytes; stopped reading`,
        { exchange },
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function pairs(rawHeaders: unknown): [string, string][] {
  const flat = Array.isArray(rawHeaders) ? rawHeaders.map(String) : [];
  return Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at] ?? "", flat[2 * at + 1] ?? ""]);
}

function pendingExchange(number: number, outgoing: Outgoing): Exchange {
  const { body = "" } = outgoing;
  const text =
    typeof body === "string"
      ? body
      : body instanceof Uint8Array
        ? Buffer.from(body).toString("utf8")
        : body.join("");
  return {
    number,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    request: {
      method: outgoing.method,
      url: outgoing.url,
      headers: outgoing.headers ?? [],
      body: text,
      ...(Array.isArray(body) && { isChunked: true }),
    },
    // Status 0 stays only when no answer came.
    response: { status: 0, headers: [], body: "" },
  };
}

/** How long the target asks to wait, when its answer is a rate limit or shedding; undefined when it is neither. */
function requestedWaitMs(exchange: Exchange, attempt: number): number | undefined {
  const { status, headers } = exchange.response;
  const retryAfter = headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1];
  if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return undefined;
  const seconds = Number(retryAfter);
  if (retryAfter !== undefined && Number.isFinite(seconds)) return Math.max(0, seconds) * 1000;
  const date = Date.parse(retryAfter ?? "");
  if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  return 500 * 2 ** attempt;
}

function createRateLimiter({
  requestsPerSecond,
  signal,
}: Pick<HttpOptions, "requestsPerSecond" | "signal">): () => Promise<void> {
  if (requestsPerSecond === undefined) return async () => {};
  let next = 0;
  return async () => {
    const now = performance.now();
    const at = Math.max(now, next);
    next = at + 1000 / requestsPerSecond;
    if (at > now) await delay(at - now, undefined, { signal }).catch(interrupted);
  };
}

function interrupted(cause: unknown): never {
  throw new InconclusiveError("interrupted", "the run was interrupted", { cause });
}
