import type { Exchange, HeaderLines } from "../../wire/exchange.ts";
import type { Outgoing } from "../../wire/http.ts";

/** A response as an engine received it. Converted to an exchange only when it is judged, which most responses are not. */
export interface LoadResponse {
  readonly status: number;
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** `performance.now()` when the request was sent, in ms. */
  readonly sentAtMs: number;
  /** From sending the request to the last byte of the response. */
  readonly durationMs: number;
}

/** Why a request has no response. Each is a violation: an overloaded target must shed with a status, not drop connections. */
export type FailureKind = "reset" | "timeout" | "refused-connection" | "closed-early";

export const failureKinds: readonly FailureKind[] = [
  "reset",
  "timeout",
  "refused-connection",
  "closed-early",
];

export function toExchange(outgoing: Outgoing, response: LoadResponse): Exchange {
  return {
    number: -1,
    startedAt: new Date(performance.timeOrigin + response.sentAtMs).toISOString(),
    durationMs: response.durationMs,
    request: requestOf(outgoing),
    response: {
      status: response.status,
      headers: headerLines(response.rawHeaders),
      body: response.body,
    },
  };
}

/** The exchange of a request without a response: status 0. */
export function failedExchange(outgoing: Outgoing, sentAtMs: number, durationMs: number): Exchange {
  return {
    number: -1,
    startedAt: new Date(performance.timeOrigin + sentAtMs).toISOString(),
    durationMs,
    request: requestOf(outgoing),
    response: { status: 0, headers: [], body: "" },
  };
}

function requestOf({ method, url, headers = [], body = "" }: Outgoing): Exchange["request"] {
  const text =
    typeof body === "string"
      ? body
      : body instanceof Uint8Array
        ? Buffer.from(body).toString()
        : body.join("");
  return { method, url, headers, body: text };
}

function headerLines(raw: readonly string[]): HeaderLines {
  return Array.from(
    { length: raw.length / 2 },
    (_, at) => [raw[2 * at] ?? "", raw[2 * at + 1] ?? ""] as const,
  );
}

/** Whether the target shed the request: 429, or 503 with `Retry-After`. */
export function isShed(response: Pick<LoadResponse, "status" | "rawHeaders">): boolean {
  if (response.status === 429) return true;
  if (response.status !== 503) return false;
  return response.rawHeaders.some((name, at) => at % 2 === 0 && name.toLowerCase() === "retry-after");
}
