import type { Exchange, HeaderLines } from "../../wire/exchange.ts";
import type { Outgoing } from "../../wire/http.ts";

interface ExampleResponse {
  readonly status?: number;
  readonly headers?: HeaderLines;
  /** A string is sent as is, anything else as JSON. */
  readonly body?: unknown;
  /** When the request was sent, in seconds since a fixed time. */
  readonly atSecond?: number;
}

export function exampleExchange(
  { method, url, headers = [], body: requestBody = "" }: Outgoing,
  { status = 200, headers: responseHeaders = [], body = "", atSecond = 0 }: ExampleResponse,
): Exchange {
  return {
    number: 0,
    startedAt: new Date(Date.UTC(2030, 0, 1, 0, 0, 0, atSecond * 1000)).toISOString(),
    durationMs: 10,
    request: { method, url, headers, body: String(requestBody) },
    response: {
      status,
      headers: [
        ["Content-Type", typeof body === "string" ? "text/html" : "application/json"],
        ...responseHeaders,
      ],
      body: typeof body === "string" ? body : JSON.stringify(body),
    },
  };
}
