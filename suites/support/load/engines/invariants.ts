import { type Exchange, header, isJsonObject, jsonMembers } from "../../wire/exchange.ts";
import { expectAgentErrorShape, expectOAuthErrorShape } from "../../judging/expect.ts";
import type { Outgoing } from "../../wire/http.ts";
import { Violation } from "../../verdict.ts";
import { type LoadResponse, type FailureKind, toExchange, failedExchange } from "./response.ts";
import type { Batch } from "../load-step.ts";

/** A violated invariant with the exchanges that show it. */
export interface LoadViolation {
  readonly step: string;
  readonly expected: string;
  readonly observed: string;
  /** The exchanges of the batch, with secrets not yet masked. */
  readonly exchanges: readonly Exchange[];
  /** How many more times it was observed. */
  readonly repeated: number;
}

/** Checks the responses of one step against the document. */
export interface InvariantChecker {
  /** @param responses - of one batch; undefined for a request that failed or was shed */
  check(batch: Batch, responses: readonly (LoadResponse | undefined)[]): void;
  checkShed(outgoing: Outgoing, response: LoadResponse): void;
  recordFailure(outgoing: Outgoing, kind: FailureKind, sentAtMs: number, atMs: number): void;
  readonly violations: readonly LoadViolation[];
}

// Parsing every body at 10,000 responses per second would make the generator the bottleneck.
const initialSample = 100;
const sampleIntervalSeconds = 0.02;
// The observed text may differ in every response.
const maxKindsPerExpectation = 10;

const failureText: Record<FailureKind, string> = {
  reset: "the connection was reset before a response",
  timeout: "no response within the profile's timeout_seconds",
  "refused-connection": "the connection was refused",
  "closed-early": "the connection was closed before a complete response",
};

export function createInvariantChecker(step: string): InvariantChecker {
  const byKind = new Map<string, { first: LoadViolation; count: number }>();
  let judged = 0;
  let lastJudgedMs = -Infinity;

  function recordViolation(expected: string, observed: string, exchanges: () => Exchange[]): void {
    const key = `${expected}\n${observed}`;
    const alike = [...byKind.values()].filter(({ first }) => first.expected === expected);
    const known = byKind.get(key) ?? (alike.length < maxKindsPerExpectation ? undefined : alike.at(-1));
    if (known !== undefined) known.count += 1;
    else
      byKind.set(key, { first: { step, expected, observed, exchanges: exchanges(), repeated: 0 }, count: 1 });
  }

  function checkExchanges(
    exchanges: () => Exchange[],
    assert: (exchanges: readonly Exchange[]) => void,
  ): void {
    const seen = exchanges();
    try {
      assert(seen);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      recordViolation(error.expected, error.observed, () => seen);
    }
  }

  function isInSample(atMs: number): boolean {
    judged += 1;
    if (judged > initialSample && atMs - lastJudgedMs < sampleIntervalSeconds * 1000) return false;
    lastJudgedMs = atMs;
    return true;
  }

  return {
    check(batch, responses) {
      const completed = batch.requests.flatMap((outgoing, at) => {
        const response = responses[at];
        return response === undefined ? [] : [{ outgoing, response }];
      });
      if (completed.length === 0) return;
      const isExpectedStatus = completed.every(({ response }) => batch.isExpectedStatus(response.status));
      const first = completed[0]?.response;
      const atMs = (first?.sentAtMs ?? 0) + (first?.durationMs ?? 0);
      if (isExpectedStatus && !batch.judgesAll && !isInSample(atMs)) return;
      const exchanges = (): Exchange[] =>
        completed.map(({ outgoing, response }) => toExchange(outgoing, response));
      checkExchanges(exchanges, (seen) => {
        batch.judge(seen);
        const unexpected = seen.find(({ response }) => !batch.isExpectedStatus(response.status));
        if (unexpected !== undefined)
          throw new Violation(
            "a status that the document allows for this request",
            `${unexpected.response.status}`,
          );
      });
    },
    checkShed(outgoing, response) {
      if (isInSample(response.sentAtMs + response.durationMs))
        checkExchanges(() => [toExchange(outgoing, response)], expectDocumentedErrorShape);
    },
    recordFailure(outgoing, kind, sentAtMs, atMs) {
      recordViolation("a response, possibly 429 or 503 with Retry-After", failureText[kind], () => [
        failedExchange(outgoing, sentAtMs, atMs - sentAtMs),
      ]);
    },
    get violations() {
      return [...byKind.values()].map(({ first, count }) => ({ ...first, repeated: count - 1 }));
    },
  };
}

/** Checks the error shape that the document prescribes for the path; it applies to shed responses too. */
function expectDocumentedErrorShape(exchanges: readonly Exchange[]): void {
  for (const exchange of exchanges) {
    const isAgentEndpoint = /\/api\/v1\/(?:challenge|session|capability)$/u.test(exchange.request.url);
    const { error, type } = jsonMembers(exchange);
    // RFC 8620 §3.6.1: request-level errors are problem documents.
    const isJmapProblem = typeof type === "string" && type.startsWith("urn:ietf:params:jmap:error:");
    if (isAgentEndpoint) expectAgentErrorShape(exchange);
    else if (isJsonObject(error)) expectAgentErrorShape(exchange);
    else if (isJmapProblem) continue;
    else if (header(exchange, "content-type")?.includes("json")) expectOAuthErrorShape(exchange);
  }
}
