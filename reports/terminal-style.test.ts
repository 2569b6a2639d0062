import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleFinding, exampleRun } from "./example-run.ts";
import { terminalStyle, wrapped } from "./terminal-style.ts";
import { renderTerminal } from "./terminal.ts";

const terminal = { isTTY: true, columns: 100 };

test.for([
  { stream: terminal, env: {}, style: { isColoured: true, width: 100 } },
  { stream: terminal, env: { NO_COLOR: "1" }, style: { isColoured: false, width: 100 } },
  { stream: terminal, env: { NO_COLOR: "" }, style: { isColoured: true, width: 100 } },
  { stream: terminal, env: { TERM: "dumb" }, style: { isColoured: false, width: 100 } },
  { stream: terminal, env: { FORCE_COLOR: "1", NO_COLOR: "1" }, style: { isColoured: true, width: 100 } },
  { stream: terminal, env: { FORCE_COLOR: "0" }, style: { isColoured: false, width: 100 } },
  { stream: { isTTY: true, columns: 20 }, env: {}, style: { isColoured: true } },
  { stream: {}, env: {}, style: { isColoured: false } },
  { stream: {}, env: { FORCE_COLOR: "1" }, style: { isColoured: true } },
])("$stream with $env is $style", ({ stream, env, style }) => {
  expect(terminalStyle(stream, env)).toEqual(style);
});

test("a long line is broken between words, and goes on two columns further right", () => {
  expect(wrapped("  one two three four", 12)).toEqual(["  one two", "    three", "    four"]);
  expect(wrapped("  one two", undefined)).toEqual(["  one two"]);
  expect(wrapped(`  ${"x".repeat(20)} y`, 12)).toEqual([`  ${"x".repeat(20)}`, "    y"]);
});

const run = exampleRun(
  [
    exampleCheck({ id: "A-1/x", verdict: "fail", expected: "a ".repeat(60), observed: "b", decisive: 0 }),
    exampleCheck({ id: "A-2/y", verdict: "fail", expected: "a", observed: "b" }),
  ],
  { findings: [exampleFinding()], exchanges: [exampleExchange(0, { body: "a=b c".repeat(30) })] },
);

test("sentences fit the width, and evidence is left as it is to be copied", () => {
  const lines = renderTerminal(run, { width: 72 }).split("\n");
  const long = lines.filter((line) => line.length > 72);
  expect(long.length).toBeGreaterThan(0);
  expect(long.filter((line) => !/a=b c|curl -i/u.test(line))).toEqual([]);
});

test("a finding says what is wrong, what is lost, how sure it is, and shows its first check", () => {
  const lines = renderTerminal(run)
    .split("\n")
    .map((line) => line.trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      "findings:",
      "✗ F1  The service compares `redirect_uri` by prefix.",
      "account takeover: An attacker who owns a page below the registered path gets the code.",
      "97 % sure that it is this defect, 99 % that it is this rule",
      "cause     A prefix comparison looks like a convenience.",
      "fix       Compare the whole string.",
      "explains  1 check: A-1/x",
      "A-1/x  A host in upper case is refused.",
      "exchange 0 (subject) with https://auth.example",
      "✗ A-1/x  A host in upper case is refused. (F1)",
    ]),
  );
  expect(lines.indexOf("findings:")).toBeLessThan(lines.indexOf("failed:"));
  // A-2/y is shown in full too, since no finding explains it.
  expect(lines.filter((line) => line.startsWith("curl -i"))).toHaveLength(2);
});
