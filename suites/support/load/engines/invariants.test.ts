import { expect, test } from "vitest";
import { expectEqual } from "../../judging/expect.ts";
import { Violation } from "../../verdict.ts";
import type { LoadResponse } from "./response.ts";
import { createInvariantChecker } from "./invariants.ts";
import type { Batch } from "../load-step.ts";

const url = "https://auth.example/api/v1/session";
const agentError = JSON.stringify({
  error: { message: "busy", hint: "later", docs_url: "https://d.example" },
});
const oauthError = JSON.stringify({ error: "temporarily_unavailable", error_description: "busy" });

function answer(status: number, body: string, sentAtMs = 0, headers: string[] = []): LoadResponse {
  return {
    status,
    body,
    sentAtMs,
    durationMs: 1,
    rawHeaders: ["content-type", "application/json", ...headers],
  };
}

/** Expects status 200 and the body "right". */
function batch(changes: Partial<Batch> = {}): Batch {
  return {
    requests: [{ method: "POST", url }],
    isExpectedStatus: (status) => status === 200,
    judge([exchange]) {
      expectEqual(exchange?.response.body, "right", "the body");
    },
    ...changes,
  };
}

test("correct responses are not a violation", () => {
  const checker = createInvariantChecker("s");
  for (let at = 0; at < 500; at += 1) checker.check(batch(), [answer(200, "right", at)]);
  expect(checker.violations).toEqual([]);
});

test("the first 100 expected responses are judged, then 50 per second", () => {
  const judgedAt: number[] = [];
  const checker = createInvariantChecker("s");
  // 1,000 per second for two seconds.
  for (let ms = 0; ms < 2000; ms += 1)
    checker.check(batch({ judge: ([exchange]) => void judgedAt.push(Number(exchange?.response.body)) }), [
      answer(200, String(ms), ms),
    ]);
  expect(judgedAt.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  expect(judgedAt.slice(100)).toHaveLength(95);
});

test("a wrong response outside the sample is missed, unless the batch judges all", () => {
  const sampled = createInvariantChecker("s");
  const all = createInvariantChecker("s");
  for (let at = 0; at < 200; at += 1) {
    const wrong = answer(200, at === 150 ? "wrong" : "right", at / 100);
    sampled.check(batch(), [wrong]);
    all.check(batch({ judgesAll: true }), [wrong]);
  }
  expect(sampled.violations).toEqual([]);
  expect(all.violations).toMatchObject([
    { step: "s", expected: 'the body to be "right"', observed: '"wrong"', repeated: 0 },
  ]);
});

test("a response with an unexpected status is always judged, and is a violation even if the judge accepts it", () => {
  const checker = createInvariantChecker("s");
  for (let at = 0; at < 200; at += 1) checker.check(batch(), [answer(200, "right", at / 100)]);
  checker.check(batch({ judge: () => {} }), [answer(500, "", 3)]);
  checker.check(batch(), [answer(500, "", 3)]);
  expect(checker.violations).toMatchObject([
    { expected: "a status that the document allows for this request", observed: "500" },
    { expected: 'the body to be "right"', observed: '""' },
  ]);
});

test("a batch is judged by the responses that arrived, and not at all without one", () => {
  const seen: number[] = [];
  const checker = createInvariantChecker("s");
  const pair = batch({
    requests: [
      { method: "POST", url },
      { method: "POST", url },
    ],
    judge: (exchanges) => void seen.push(exchanges.length),
  });
  checker.check(pair, [answer(200, ""), undefined]);
  checker.check(pair, [undefined, undefined]);
  expect(seen).toEqual([1]);
});

test("a repeated violation is kept once with its exchange, and counted", () => {
  const checker = createInvariantChecker("s");
  for (let at = 0; at < 7; at += 1) checker.check(batch(), [answer(500, "no", at)]);
  expect(checker.violations).toHaveLength(1);
  expect(checker.violations[0]).toMatchObject({ repeated: 6 });
  expect(checker.violations[0]?.exchanges).toMatchObject([
    { request: { method: "POST", url }, response: { status: 500, body: "no" } },
  ]);
});

test("an observation that differs in every response does not exhaust memory", () => {
  const checker = createInvariantChecker("s");
  for (let at = 0; at < 1000; at += 1) checker.check(batch(), [answer(500, `id ${at}`, at)]);
  const { violations } = checker;
  expect(violations).toHaveLength(10);
  expect(violations.reduce((sum, { repeated }) => sum + 1 + repeated, 0)).toBe(1000);
});

test("any other error of a judge is a defect, not a violation", () => {
  const broken = batch({
    judge() {
      throw new TypeError("a defect");
    },
  });
  expect(() => createInvariantChecker("s").check(broken, [answer(200, "")])).toThrow("a defect");
});

const shape = "a JSON body with strings error.message, error.hint and error.docs_url";
const oauthShape = "a JSON body with string error and string error_description";

test.for([
  { path: "https://auth.example/api/v1/session", body: agentError, expected: [] },
  { path: "https://auth.example/api/v1/session", body: "", expected: [shape] },
  { path: "https://auth.example/api/v1/challenge", body: oauthError, expected: [shape] },
  { path: "https://auth.example/api/v1/capability", body: "<h1>busy</h1>", expected: [shape] },
  { path: "https://auth.example/oauth/token", body: oauthError, expected: [] },
  { path: "https://auth.example/oauth/token", body: "{}", expected: [oauthShape] },
  { path: "https://api.example/jmap", body: agentError, expected: [] },
  { path: "https://api.example/jmap", body: '{"error":{"message":"busy"}}', expected: [shape] },
  { path: "https://api.example/jmap", body: '{"type":"urn:ietf:params:jmap:error:limit"}', expected: [] },
])("a shed response of $path with body $body", ({ path, body, expected }) => {
  const checker = createInvariantChecker("s");
  checker.checkShed({ method: "POST", url: path }, answer(503, body, 0, ["retry-after", "1"]));
  expect(checker.violations.map((violation) => violation.expected)).toEqual(expected);
});

test.for(["reset", "timeout", "refused-connection", "closed-early"] as const)(
  "%s is a violation, with the failed request as evidence",
  (kind) => {
    const checker = createInvariantChecker("s");
    checker.recordFailure({ method: "POST", url, body: "x" }, kind, 100, 130);
    checker.recordFailure({ method: "POST", url, body: "y" }, kind, 100, 130);
    expect(checker.violations).toMatchObject([
      {
        expected: "a response, possibly 429 or 503 with Retry-After",
        repeated: 1,
        exchanges: [{ durationMs: 30, request: { body: "x" }, response: { status: 0 } }],
      },
    ]);
  },
);

test("different failures are different violations", () => {
  const checker = createInvariantChecker("s");
  checker.recordFailure({ method: "POST", url }, "reset", 0, 1);
  checker.recordFailure({ method: "POST", url }, "timeout", 0, 1);
  expect(checker.violations.map(({ observed }) => observed)).toEqual([
    "the connection was reset before a response",
    "no response within the profile's timeout_seconds",
  ]);
});

test("a violation has the expected and the observed value", () => {
  const checker = createInvariantChecker("s");
  const judge = (): never => {
    throw new Violation("one session", "two sessions");
  };
  checker.check(batch({ judge }), [answer(200, "")]);
  expect(checker.violations).toMatchObject([{ expected: "one session", observed: "two sessions" }]);
});
