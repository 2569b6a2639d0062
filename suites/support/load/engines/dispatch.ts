import { type Dispatcher, errors, Pool } from "undici";
import type { ConnectionSettings } from "../../target/connection.ts";
import { createConnector } from "../../wire/connector.ts";
import type { Outgoing } from "../../wire/http.ts";
import { splitUrl } from "../../wire/url.ts";
import type { LoadResponse, FailureKind } from "./response.ts";

export interface DispatchOptions {
  readonly timeoutMs: number;
  /** Closes the connection after the response. */
  readonly newConnection?: boolean;
}

export interface ResponseHandler {
  onResponse(response: LoadResponse): void;
  onFailure(kind: FailureKind, sentAtMs: number): void;
}

/** A pool with as many connections to one origin as there are requests in flight. */
export function openPool(origin: string, timeoutMs: number, connection?: ConnectionSettings): Dispatcher {
  // Unlimited: a request that waited for a connection would add the generator's own delay to the latency. undici's keep-alive
  // timeout is shorter than that of servers; a request on a connection that the server is closing would look like a reset.
  const pool = new Pool(origin, {
    connections: null,
    pipelining: 1,
    allowH2: false,
    // Without the proxy variables: load is not sent through a proxy.
    connect: createConnector(timeoutMs, connection?.network, {}),
  });
  const added = (connection?.headersFor(origin) ?? []).flat();
  if (added.length === 0) return pool;
  return pool.compose((send) => (options, handler) => {
    const headers = Array.isArray(options.headers) ? [...options.headers, ...added] : added;
    return send({ ...options, headers }, handler);
  });
}

/**
 * Calls one method of the handler, once. There is no promise: at thousands of requests per second promises cost more than the
 * requests.
 */
export function dispatch(
  pool: Dispatcher,
  outgoing: Outgoing,
  options: DispatchOptions,
  handler: ResponseHandler,
): void {
  const [origin, path] = splitUrl(outgoing.url);
  const sentAtMs = performance.now();
  const chunks: Buffer[] = [];
  let status = 0;
  let rawHeaders: string[] = [];
  const body = outgoing.body;
  if (Array.isArray(body)) throw new TypeError("the body of a load request must not be an array");
  pool.dispatch(
    {
      origin,
      path,
      method: outgoing.method as Dispatcher.HttpMethod,
      headers: (outgoing.headers ?? []).flat(),
      body: (body as string | Uint8Array | undefined) ?? null,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      ...(options.newConnection && { reset: true }),
    },
    {
      onRequestStart: () => {},
      onResponseStart(controller, statusCode) {
        status = statusCode;
        rawHeaders = Array.isArray(controller.rawHeaders) ? controller.rawHeaders.map(String) : [];
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        const body = Buffer.concat(chunks).toString();
        handler.onResponse({ status, rawHeaders, body, sentAtMs, durationMs: performance.now() - sentAtMs });
      },
      onResponseError: (_controller, error) => handler.onFailure(failureKindOf(error), sentAtMs),
    },
  );
}

function failureKindOf(error: Error): FailureKind {
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  )
    return "timeout";
  const code: unknown = Reflect.get(error, "code");
  if (code === "ECONNREFUSED") return "refused-connection";
  return code === "ECONNRESET" || code === "EPIPE" ? "reset" : "closed-early";
}
