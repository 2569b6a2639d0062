import { expect, test } from "vitest";
import { exampleCheck, exampleRun } from "./example-run.ts";
import { renderTerminal } from "./terminal.ts";

test("a violation shows both sides, its evidence and its section", () => {
  const failed = exampleCheck({
    verdict: "fail",
    expected: "no redirect",
    observed: "a redirect to https://CB",
    exchanges: [
      { number: 4, role: "control" },
      { number: 7, role: "subject" },
    ],
  });
  const text = renderTerminal(exampleRun([failed]));
  expect(text).toContain("expected no redirect\n      observed a redirect to https://CB");
  expect(text).toContain("exchanges 4, 7 in run.json; authorize parameters");
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
