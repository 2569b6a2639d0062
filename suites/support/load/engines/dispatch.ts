import { type Dispatcher, errors, Pool } from "undici";
import type { Outgoing } from "../../wire/http.ts";
import { splitUrl } from "../../wire/url.ts";
import type { Answer, FailureKind } from "./answer.ts";

export interface DispatchOptions {
  readonly timeoutMs: number;
  /** Closes the connection after the answer. */
  readonly newConnection?: boolean;
}

export interface Sent {
  answered(answer: Answer): void;
  failed(kind: FailureKind, sentAtMs: number): void;
}

/** Connections to one origin, as many as are needed. */
export function openPool(origin: string, timeoutMs: number): Pool {
  // No limit: a request that waited for a connection here would be late through our own fault. Idle ones are closed after
  // undici's own few seconds, before servers close them: a request that meets a closing connection would look like a reset.
  return new Pool(origin, {
    connections: null,
    pipelining: 1,
    connect: { timeout: timeoutMs },
  });
}

/** Sends without a promise: at thousands a second those cost more than the request. One of the callbacks comes, once. */
export function dispatch(pool: Dispatcher, outgoing: Outgoing, options: DispatchOptions, sent: Sent): void {
  const [origin, path] = splitUrl(outgoing.url);
  const sentAtMs = performance.now();
  const chunks: Buffer[] = [];
  let status = 0;
  let rawHeaders: string[] = [];
  const body = outgoing.body;
  if (Array.isArray(body)) throw new TypeError("a load request has a body of one piece");
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
        sent.answered({ status, rawHeaders, body, sentAtMs, durationMs: performance.now() - sentAtMs });
      },
      onResponseError: (_controller, error) => sent.failed(failureKindOf(error), sentAtMs),
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
