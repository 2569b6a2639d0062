import { expect, test } from "vitest";
import { evidenceLines, shownExchanges } from "./evidence.ts";
import { exampleCheck, exampleExchange, exampleRun } from "./example-run.ts";
import type { RunCheck, RunExchange } from "./run-format.ts";

const roles: RunCheck["exchanges"] = [
  { number: 1, role: "setup" },
  { number: 2, role: "control" },
  { number: 3, role: "control" },
  { number: 4, role: "subject" },
  { number: 5, role: "waited" },
  { number: 6, role: "subject" },
];

function numbersShown(changes: Partial<RunCheck>): number[] {
  const check = exampleCheck({ verdict: "fail", exchanges: roles, ...changes });
  const exchanges = [1, 2, 3, 4, 5, 6].map((number) => exampleExchange(number));
  return shownExchanges(check, exampleRun([check], { exchanges })).map(({ exchange }) => exchange.number);
}

test.for<{ why: string; changes: Partial<RunCheck>; shown: number[] }>([
  { why: "the decisive one, then the last control", changes: { decisive: 4 }, shown: [4, 3] },
  { why: "the first subject too, when another decided", changes: { decisive: 6 }, shown: [6, 4, 3] },
  { why: "the last subject, when none decided", changes: {}, shown: [6, 4, 3] },
  { why: "a refused control alone", changes: { verdict: "inconclusive", decisive: 3 }, shown: [3] },
  { why: "an earlier control that broke, then the last", changes: { decisive: 2 }, shown: [2, 3] },
  {
    why: "a setup that stood in the way",
    changes: { verdict: "inconclusive", decisive: 1, exchanges: [{ number: 1, role: "setup" }] },
    shown: [1],
  },
  { why: "a warning with two sides", changes: { verdict: "warn", expected: "a" }, shown: [6, 4, 3] },
  { why: "nothing for a warning without", changes: { verdict: "warn" }, shown: [] },
  { why: "nothing for a pass", changes: { verdict: "pass" }, shown: [] },
])("shows $why", ({ changes, shown }) => {
  expect(numbersShown(changes)).toEqual(shown);
});

function linesOf(...exchanges: readonly RunExchange[]): string[] {
  const check = exampleCheck({
    verdict: "fail",
    exchanges: exchanges.map(({ number }) => ({ number, role: "subject" })),
  });
  return evidenceLines(check, exampleRun([check], { exchanges }));
}

test("an exchange is shown as it crossed the wire", () => {
  const exchange = exampleExchange(7, {
    url: "https://auth.example/oauth/%74oken?a=/../b#c",
    headers: [
      ["Accept", "application/json"],
      ["X-two", "1"],
      ["X-TWO", "2"],
    ],
    body: '{"a":1,\r\n"a":2}',
  });
  expect(linesOf(exchange).slice(0, 12)).toEqual([
    "exchange 7 (subject) with https://auth.example",
    "  > POST /oauth/%74oken?a=/../b#c",
    "  > Accept: application/json",
    "  > X-two: 1",
    "  > X-TWO: 2",
    "  >",
    String.raw`  > {"a":1,\u{d}`,
    '  > "a":2}',
    "  < 400",
    "  < content-type: application/json",
    "  <",
    '  < {"error":"invalid_grant"}',
  ]);
});

test("of the exchange that only began it, the request is shown and the status", () => {
  const lines = linesOf(exampleExchange(7), exampleExchange(8));
  const beginning = lines.slice(lines.indexOf("exchange 7 (subject) with https://auth.example"));
  expect(beginning.filter((line) => line.startsWith("  <"))).toEqual(["  < 400"]);
  expect(beginning).toContain("  > grant_type=authorization_code");
});

test("what is cut says how much, and where the rest is", () => {
  const lines = linesOf(
    exampleExchange(
      7,
      {
        headers: [["X-Long", "x".repeat(400)], ...Array.from({ length: 20 }, () => ["X-Many", "1"] as const)],
        body: "y".repeat(3000),
      },
      { body: "line\n".repeat(40) },
    ),
  );
  expect(lines.find((line) => line.includes("X-Long"))).toMatch(
    /^ {2}> X-Long: x{292} … 108 more characters: exchange 7 in run\.json$/u,
  );
  expect(lines).toContain("  > … 6 more header lines: exchange 7 in run.json");
  expect(lines).toContain("  > … 1800 more characters: exchange 7 in run.json");
  expect(lines).toContain("  < … 141 more characters: exchange 7 in run.json");
});

test("a request without an answer says so", () => {
  const exchange = exampleExchange(7, {}, { status: 0, headers: [], body: "" });
  expect(linesOf(exchange)).toContain("  < (no answer)");
});

test("what came from the target cannot move the cursor", () => {
  const lines = linesOf(exampleExchange(7, {}, { body: "\u{1B}[2J\u{202E}", headers: [["x", "\u{9B}1m"]] }));
  expect(lines).toContain(String.raw`  < \u{1b}[2J\u{202e}`);
  expect(lines).toContain(String.raw`  < x: \u{9b}1m`);
});

test("a request without a command says why, and where it is", () => {
  expect(linesOf(exampleExchange(7, { isChunked: true }))).toContain(
    "  no curl command: the body went out in chunks whose borders curl cannot set; the request is exchange 7 in run.json",
  );
});

test("of requests that were sent at the same time, the command says that it sends one", () => {
  const at = (number: number, startedAt: string): RunExchange => ({
    ...exampleExchange(number),
    startedAt: `2026-01-01T00:00:00.${startedAt}Z`,
    durationMs: 20,
  });
  const race = "it was sent at the same time as exchange 7; the command sends it alone";
  expect(linesOf(at(7, "000"), at(8, "010"))).toContain(`  ${race}`);
  expect(linesOf(at(7, "000"), at(8, "020"))).not.toContain(`  ${race}`);
});

test("secrets of both exchanges are numbered together", () => {
  const [first, second] = ["aaaaaaaa", "bbbbbbbb"].map((digest, at) =>
    exampleExchange(at, { body: `code=<code ${digest}, 43 characters>` }),
  );
  const check = exampleCheck({
    verdict: "fail",
    exchanges: [
      { number: 0, role: "control" },
      { number: 1, role: "subject" },
    ],
  });
  const run = exampleRun([check], { exchanges: [first, second].filter((each) => each !== undefined) });
  expect(evidenceLines(check, run)).toEqual(
    expect.arrayContaining([
      "  $CODE_1 stands for <code bbbbbbbb, 43 characters>",
      "  $CODE_2 stands for <code aaaaaaaa, 43 characters>",
    ]),
  );
});
