import type { Exchange, HeaderLines } from "../../wire/exchange.ts";
import type { Outgoing } from "../../wire/http.ts";

/** A response as an engine received it. Becomes an exchange only when somebody looks at it: most answers nobody does. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** `performance.now()` when the request was sent, in ms. */
  readonly sentAtMs: number;
  /** From sending to the last byte. */
  readonly durationMs: number;
}

/** Why a request has no answer. Each is a violation: a target under load may refuse, and must say so. */
export type FailureKind = "reset" | "timeout" | "refused-connection" | "closed-early";

export const failureKinds: readonly FailureKind[] = [
  "reset",
  "timeout",
  "refused-connection",
  "closed-early",
];

export function toExchange(outgoing: Outgoing, answer: Answer): Exchange {
  return {
    number: -1,
    startedAt: new Date(performance.timeOrigin + answer.sentAtMs).toISOString(),
    durationMs: answer.durationMs,
    request: requestOf(outgoing),
    response: { status: answer.status, headers: headerLines(answer.rawHeaders), body: answer.body },
  };
}

/** The exchange of a request that nothing answered. */
export function unanswered(outgoing: Outgoing, sentAtMs: number, durationMs: number): Exchange {
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

/** Whether the target said that it is too busy: 429, or 503 with `Retry-After`. */
export function isShed(answer: Pick<Answer, "status" | "rawHeaders">): boolean {
  if (answer.status === 429) return true;
  if (answer.status !== 503) return false;
  return answer.rawHeaders.some((name, at) => at % 2 === 0 && name.toLowerCase() === "retry-after");
}
