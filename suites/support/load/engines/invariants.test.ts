import { expect, test } from "vitest";
import { expectEqual } from "../../judging/expect.ts";
import { Violation } from "../../verdict.ts";
import type { Answer } from "./answer.ts";
import { createInvariantWatch } from "./invariants.ts";
import type { Volley } from "../load-step.ts";

const url = "https://auth.example/api/v1/session";
const agentError = JSON.stringify({
  error: { message: "busy", hint: "later", docs_url: "https://d.example" },
});
const oauthError = JSON.stringify({ error: "temporarily_unavailable", error_description: "busy" });

function answer(status: number, body: string, sentAtMs = 0, headers: string[] = []): Answer {
  return {
    status,
    body,
    sentAtMs,
    durationMs: 1,
    rawHeaders: ["content-type", "application/json", ...headers],
  };
}

/** Planned is 200, and its body must be "right". */
function volley(changes: Partial<Volley> = {}): Volley {
  return {
    requests: [{ method: "POST", url }],
    isPlanned: (status) => status === 200,
    judge([exchange]) {
      expectEqual(exchange?.response.body, "right", "the body");
    },
    ...changes,
  };
}

test("right answers are no violation", () => {
  const watch = createInvariantWatch("s");
  for (let at = 0; at < 500; at += 1) watch.watch(volley(), [answer(200, "right", at)]);
  expect(watch.violations).toEqual([]);
});

test("the first hundred planned answers are judged, then fifty a second", () => {
  const judgedAt: number[] = [];
  const watch = createInvariantWatch("s");
  // A thousand a second for two seconds.
  for (let ms = 0; ms < 2000; ms += 1)
    watch.watch(volley({ judge: ([exchange]) => void judgedAt.push(Number(exchange?.response.body)) }), [
      answer(200, String(ms), ms),
    ]);
  expect(judgedAt.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  expect(judgedAt.slice(100)).toHaveLength(95);
});

test("a wrong answer outside the sample goes unseen, unless the volley judges all", () => {
  const sampled = createInvariantWatch("s");
  const all = createInvariantWatch("s");
  for (let at = 0; at < 200; at += 1) {
    const wrong = answer(200, at === 150 ? "wrong" : "right", at / 100);
    sampled.watch(volley(), [wrong]);
    all.watch(volley({ judgesAll: true }), [wrong]);
  }
  expect(sampled.violations).toEqual([]);
  expect(all.violations).toMatchObject([
    { step: "s", expected: 'the body to be "right"', observed: '"wrong"', repeated: 0 },
  ]);
});

test("an answer that was not planned is always judged, and is a violation when the judge has nothing against it", () => {
  const watch = createInvariantWatch("s");
  for (let at = 0; at < 200; at += 1) watch.watch(volley(), [answer(200, "right", at / 100)]);
  watch.watch(volley({ judge: () => {} }), [answer(500, "", 3)]);
  watch.watch(volley(), [answer(500, "", 3)]);
  expect(watch.violations).toMatchObject([
    { expected: "an answer that the document names for this request", observed: "500" },
    { expected: 'the body to be "right"', observed: '""' },
  ]);
});

test("a volley is judged by the answers that came, and not at all when none did", () => {
  const seen: number[] = [];
  const watch = createInvariantWatch("s");
  const pair = volley({
    requests: [
      { method: "POST", url },
      { method: "POST", url },
    ],
    judge: (exchanges) => void seen.push(exchanges.length),
  });
  watch.watch(pair, [answer(200, ""), undefined]);
  watch.watch(pair, [undefined, undefined]);
  expect(seen).toEqual([1]);
});

test("the same violation is kept once with its exchange, and counted", () => {
  const watch = createInvariantWatch("s");
  for (let at = 0; at < 7; at += 1) watch.watch(volley(), [answer(500, "no", at)]);
  expect(watch.violations).toHaveLength(1);
  expect(watch.violations[0]).toMatchObject({ repeated: 6 });
  expect(watch.violations[0]?.exchanges).toMatchObject([
    { request: { method: "POST", url }, response: { status: 500, body: "no" } },
  ]);
});

test("an observation that is new in every answer does not fill the memory", () => {
  const watch = createInvariantWatch("s");
  for (let at = 0; at < 1000; at += 1) watch.watch(volley(), [answer(500, `id ${at}`, at)]);
  const { violations } = watch;
  expect(violations).toHaveLength(10);
  expect(violations.reduce((sum, { repeated }) => sum + 1 + repeated, 0)).toBe(1000);
});

test("a judge that fails otherwise is a defect, and no violation", () => {
  const broken = volley({
    judge() {
      throw new TypeError("a defect");
    },
  });
  expect(() => createInvariantWatch("s").watch(broken, [answer(200, "")])).toThrow("a defect");
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
])("$path sheds with $body", ({ path, body, expected }) => {
  const watch = createInvariantWatch("s");
  watch.watchShed({ method: "POST", url: path }, answer(503, body, 0, ["retry-after", "1"]));
  expect(watch.violations.map((violation) => violation.expected)).toEqual(expected);
});

test.for(["reset", "timeout", "refused-connection", "closed-early"] as const)(
  "%s is a violation with the request that nothing answered",
  (kind) => {
    const watch = createInvariantWatch("s");
    watch.watchFailure({ method: "POST", url, body: "x" }, kind, 100, 130);
    watch.watchFailure({ method: "POST", url, body: "y" }, kind, 100, 130);
    expect(watch.violations).toMatchObject([
      {
        expected: "an answer, be it 429 or 503 with Retry-After",
        repeated: 1,
        exchanges: [{ durationMs: 30, request: { body: "x" }, response: { status: 0 } }],
      },
    ]);
  },
);

test("different failures are different violations", () => {
  const watch = createInvariantWatch("s");
  watch.watchFailure({ method: "POST", url }, "reset", 0, 1);
  watch.watchFailure({ method: "POST", url }, "timeout", 0, 1);
  expect(watch.violations.map(({ observed }) => observed)).toEqual([
    "the connection was reset without an answer",
    "no answer within the profile's timeout_seconds",
  ]);
});

test("both sides of a violation stand in it", () => {
  const watch = createInvariantWatch("s");
  const judge = (): never => {
    throw new Violation("one session", "two sessions");
  };
  watch.watch(volley({ judge }), [answer(200, "")]);
  expect(watch.violations).toMatchObject([{ expected: "one session", observed: "two sessions" }]);
});
