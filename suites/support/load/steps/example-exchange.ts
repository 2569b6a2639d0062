import type { Exchange, HeaderLines } from "../../wire/exchange.ts";
import type { Outgoing } from "../../wire/http.ts";

interface ExampleAnswer {
  readonly status?: number;
  readonly headers?: HeaderLines;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Of the minute, when the request was sent. */
  readonly atSecond?: number;
}

/** An exchange for tests of judges: what a request was answered. */
export function exampleExchange(
  { method, url, headers = [], body: sent = "" }: Outgoing,
  { status = 200, headers: answered = [], body = "", atSecond = 0 }: ExampleAnswer,
): Exchange {
  return {
    number: 0,
    startedAt: new Date(Date.UTC(2030, 0, 1, 0, 0, 0, atSecond * 1000)).toISOString(),
    durationMs: 10,
    request: { method, url, headers, body: String(sent) },
    response: {
      status,
      headers: [["Content-Type", typeof body === "string" ? "text/html" : "application/json"], ...answered],
      body: typeof body === "string" ? body : JSON.stringify(body),
    },
  };
}
