import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleRun } from "./example-run.ts";
import type { RunCheck } from "./run-format.ts";
import { renderTerminal } from "./terminal.ts";

const violation = exampleCheck({
  verdict: "fail",
  expected: "no redirect",
  observed: "a redirect to https://CB\u{1B}[2K",
  interpretations: ["C-01", "C-02", "C-05"],
  decisive: 7,
  exchanges: [
    { number: 4, role: "control" },
    { number: 7, role: "subject" },
  ],
});

test("a violation shows both sides, its section, the readings it rests on, and its evidence", () => {
  const text = renderTerminal(
    exampleRun([violation], {
      interpretations: ["C-01", "C-02", "C-05"].map((id) => ({
        id,
        question: "Which?",
        reading: "Either. ".repeat(40),
      })),
      exchanges: [exampleExchange(4, {}, { status: 200 }), exampleExchange(7)],
    }),
  );
  const lines = text.split("\n").map((line) => line.trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      "✗ REDIR-08/upper-case-host  A host in upper case is refused.",
      "expected  no redirect",
      String.raw`observed  a redirect to https://CB\u{1b}[2K`,
      "section   authorize parameters (MUST)",
      expect.stringMatching(/^reading taken: C-01: Which\? Either\. .{0,240} …$/u),
      "more readings in run.json: C-05",
      "exchange 7 (subject) with https://auth.example",
      "exchange 4 (control) with https://auth.example",
    ]),
  );
  expect(lines.indexOf("exchange 7 (subject) with https://auth.example")).toBeLessThan(
    lines.indexOf("exchange 4 (control) with https://auth.example"),
  );
});

test("a refused control is shown with its exchange", () => {
  const refused = exampleCheck({
    verdict: "inconclusive",
    reason: "a valid code exchange: expected 200 with access_token, got 400 invalid_grant",
    decisive: 4,
    exchanges: [{ number: 4, role: "control" }],
  });
  const text = renderTerminal(exampleRun([refused], { exchanges: [exampleExchange(4)] }));
  expect(text).toContain("exchange 4 (control) with https://auth.example");
  expect(text).toContain('< {"error":"invalid_grant"}');
  expect(text).toContain(
    "curl -i --path-as-is --globoff --http1.1 -X POST 'https://auth.example/oauth/token'",
  );
});

function many(count: number, changes: Partial<RunCheck>): RunCheck[] {
  return Array.from({ length: count }, (_, at) => exampleCheck({ id: `X-${at + 1}`, ...changes }));
}

test("checks that one cause stopped are one item, with the evidence of one of them", () => {
  const stopped = many(47, {
    verdict: "inconclusive",
    explainedBy: ["AUTHZ-09"],
    decisive: 4,
    exchanges: [{ number: 4, role: "control" }],
  }).map((check) => ({ ...check, reason: `${check.id} got 503` }));
  const text = renderTerminal(exampleRun(stopped, { exchanges: [exampleExchange(4)] }));
  expect(text).toContain("? 47 checks: X-1 got 503");
  expect(text).toContain("explained by AUTHZ-09");
  expect(text).toContain("X-1, X-2, X-3, X-4, X-5, X-6, X-7, X-8, X-9, X-10 and 37 more");
  expect(text).not.toContain("X-11");
  expect(text.match(/exchange 4 \(control\)/gu)).toHaveLength(1);
});

test.for(["inconclusive", "blocked", "warn"] as const)("%s for the same reason is one item", (verdict) => {
  const checks = [
    ...many(1, { verdict, reason: "alone" }),
    ...many(3, { verdict, reason: "needs a human; add one" }),
  ];
  const text = renderTerminal(exampleRun(checks));
  expect(text.match(/needs a human/gu)).toHaveLength(1);
  expect(text.indexOf("needs a human")).toBeLessThan(text.indexOf("alone"));
});

test("a warning takes two lines and shows no evidence", () => {
  const warned = exampleCheck({
    verdict: "warn",
    reason: "expected a; observed b",
    expected: "a",
    observed: "b",
  });
  const text = renderTerminal(exampleRun([warned], { exchanges: [exampleExchange(0)] }));
  expect(text).toContain("A host in upper case is refused.\n      expected a; observed b\n\n");
  expect(text).not.toContain("curl");
});

test("of 150 failures ten are shown in full, and the others with both sides and where to look", () => {
  const failed = many(150, { verdict: "fail", expected: "a", observed: "b" });
  const text = renderTerminal(exampleRun(failed, { exchanges: [exampleExchange(0)] }));
  expect(text.match(/curl -i/gu)).toHaveLength(10);
  expect(text).toContain(
    "✗ X-150  A host in upper case is refused.\n      expected  a\n      observed  b\n      exchange 0 in run.json",
  );
});

test("a failure that is known comes last, and short", () => {
  const known = exampleCheck({ id: "X-1", verdict: "fail", known: "being fixed", reason: "r" });
  const text = renderTerminal(
    exampleRun([known, exampleCheck({ id: "X-2", verdict: "fail" })], { exchanges: [exampleExchange(0)] }),
  );
  expect(text.indexOf("✗ X-2")).toBeLessThan(text.indexOf("✗ X-1 (known: being fixed)"));
  expect(text.match(/curl -i/gu)).toHaveLength(1);
});

test("what was not judged is listed with its reason", () => {
  const text = renderTerminal(
    exampleRun([
      exampleCheck({ verdict: "blocked", reason: "needs a human" }),
      exampleCheck({ id: "B", verdict: "inconclusive", reason: "429" }),
    ]),
  );
  expect(text).toContain("needs a human");
  expect(text).toContain("1 inconclusive, 1 blocked");
});

test("a run of nothing says so", () => {
  expect(renderTerminal(exampleRun([], { isComplete: false }))).toContain(
    "0 checks in 2.5 s: none judged (interrupted)",
  );
});

test("checks that a missing key left out are listed by the key, with their requirements", () => {
  const leftOut = [
    {
      needs: "client_metadata: a place to publish",
      checks: ["CIMD-02/query-added", "CIMD-02/other-host", "PKCE-09/document-plain"],
    },
    { needs: "internal_urls: the addresses", checks: ["INT-01/get"] },
  ];
  const lines = renderTerminal(exampleRun([exampleCheck({ verdict: "pass" })], { leftOut })).split("\n");
  const at = lines.indexOf("not judged, for lack of a key in the profile:");
  expect(lines.slice(at + 1, at + 5).map((line) => line.trim())).toEqual([
    "3 checks need client_metadata: a place to publish",
    "CIMD-02, PKCE-09",
    "1 check needs internal_urls: the addresses",
    "INT-01",
  ]);
});
