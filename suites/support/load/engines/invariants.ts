import { type Exchange, header, isJsonObject, jsonMembers } from "../../wire/exchange.ts";
import { expectAgentErrorShape, expectOAuthErrorShape } from "../../judging/expect.ts";
import type { Outgoing } from "../../wire/http.ts";
import { Violation } from "../../verdict.ts";
import { type Answer, type FailureKind, toExchange, unanswered } from "./answer.ts";
import type { Volley } from "../load-step.ts";

/** A broken invariant with the exchange that shows it. */
export interface LoadViolation {
  readonly step: string;
  readonly expected: string;
  readonly observed: string;
  /** The exchanges of the volley. Secrets stand in them. */
  readonly exchanges: readonly Exchange[];
  /** How many more of the same kind there were. */
  readonly repeated: number;
}

/** Holds the answers of one stream to what the document says, whatever the load. */
export interface InvariantWatch {
  /** @param answers - of one volley; undefined for a request that failed */
  watch(volley: Volley, answers: readonly (Answer | undefined)[]): void;
  watchShed(outgoing: Outgoing, answer: Answer): void;
  watchFailure(outgoing: Outgoing, kind: FailureKind, sentAtMs: number, atMs: number): void;
  readonly violations: readonly LoadViolation[];
}

// An engine that read every body of ten thousand answers a second would measure itself.
const judgedAtFirst = 100;
const judgedEverySeconds = 0.02;
// What is observed may name something that is new in every answer.
const kindsOfOneExpectation = 10;

const failureText: Record<FailureKind, string> = {
  reset: "the connection was reset without an answer",
  timeout: "no answer within the profile's timeout_seconds",
  "refused-connection": "the connection was refused",
  "closed-early": "the connection was closed before a complete answer",
};

export function createInvariantWatch(step: string): InvariantWatch {
  const byKind = new Map<string, { first: LoadViolation; count: number }>();
  let judged = 0;
  let lastJudgedMs = -Infinity;

  function note(expected: string, observed: string, exchanges: () => Exchange[]): void {
    const key = `${expected}\n${observed}`;
    const alike = [...byKind.values()].filter(({ first }) => first.expected === expected);
    const known = byKind.get(key) ?? (alike.length < kindsOfOneExpectation ? undefined : alike.at(-1));
    if (known !== undefined) known.count += 1;
    else
      byKind.set(key, { first: { step, expected, observed, exchanges: exchanges(), repeated: 0 }, count: 1 });
  }

  function holding(exchanges: () => Exchange[], assert: (exchanges: readonly Exchange[]) => void): void {
    const seen = exchanges();
    try {
      assert(seen);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      note(error.expected, error.observed, () => seen);
    }
  }

  /** The first hundred, and then fifty a second. */
  function isInSample(atMs: number): boolean {
    judged += 1;
    if (judged > judgedAtFirst && atMs - lastJudgedMs < judgedEverySeconds * 1000) return false;
    lastJudgedMs = atMs;
    return true;
  }

  return {
    watch(volley, answers) {
      const answered = volley.requests.flatMap((outgoing, at) => {
        const answer = answers[at];
        return answer === undefined ? [] : [{ outgoing, answer }];
      });
      if (answered.length === 0) return;
      const isPlanned = answered.every(({ answer }) => volley.isPlanned(answer.status));
      const first = answered[0]?.answer;
      const atMs = (first?.sentAtMs ?? 0) + (first?.durationMs ?? 0);
      if (isPlanned && !volley.judgesAll && !isInSample(atMs)) return;
      const exchanges = (): Exchange[] =>
        answered.map(({ outgoing, answer }) => toExchange(outgoing, answer));
      holding(exchanges, (seen) => {
        volley.judge(seen);
        const stray = seen.find(({ response }) => !volley.isPlanned(response.status));
        if (stray !== undefined)
          throw new Violation(
            "an answer that the document names for this request",
            `${stray.response.status}`,
          );
      });
    },
    watchShed(outgoing, answer) {
      if (isInSample(answer.sentAtMs + answer.durationMs))
        holding(() => [toExchange(outgoing, answer)], expectDocumentedErrorShape);
    },
    watchFailure(outgoing, kind, sentAtMs, atMs) {
      note("an answer, be it 429 or 503 with Retry-After", failureText[kind], () => [
        unanswered(outgoing, sentAtMs, atMs - sentAtMs),
      ]);
    },
    get violations() {
      return [...byKind.values()].map(({ first, count }) => ({ ...first, repeated: count - 1 }));
    },
  };
}

/** Whichever error shape the document has for the path: a target that is too busy may still not change it. */
function expectDocumentedErrorShape(exchanges: readonly Exchange[]): void {
  for (const exchange of exchanges) {
    const isOfAgents = /\/api\/v1\/(?:challenge|session|capability)$/u.test(exchange.request.url);
    const { error, type } = jsonMembers(exchange);
    // RFC 8620 §3.6.1 has a problem document for a request that JMAP does not take.
    const isOfJmap = typeof type === "string" && type.startsWith("urn:ietf:params:jmap:error:");
    if (isOfAgents) expectAgentErrorShape(exchange);
    else if (isJsonObject(error)) expectAgentErrorShape(exchange);
    else if (isOfJmap) continue;
    else if (header(exchange, "content-type")?.includes("json")) expectOAuthErrorShape(exchange);
  }
}
