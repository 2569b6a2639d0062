import { expect, test } from "vitest";
import { exampleCheck, exampleFinding, exampleRun } from "./example-run.ts";
import { renderGithub } from "./github.ts";

function failures(count: number) {
  return Array.from({ length: count }, (_, at) =>
    exampleCheck({
      id: `REDIR-${at}/a`,
      verdict: "fail",
      expected: "a",
      observed: "50 %",
      requirement: { ...exampleCheck({}).requirement, id: `REDIR-${at}` },
    }),
  );
}

test("a finding is one error, with its severity, what was observed and its checks", () => {
  const checks = [exampleCheck({ id: "A-1/x", verdict: "fail", expected: "a", observed: "50 %" })];
  const finding = exampleFinding({ explains: ["A-1/x"] });
  const [line, ...more] = renderGithub(exampleRun(checks, { findings: [finding] }))
    .trim()
    .split("\n");
  expect(more).toEqual([]);
  expect(line).toMatch(/^::error title=mailproof%3A F1 account takeover::The service compares /u);
  expect(line?.split("%0A")).toEqual(expect.arrayContaining(["observed  50 %25", "1 check failed: A-1/x"]));
});

test("GitHub shows ten errors of a step, so the tenth says how many more there are", () => {
  const lines = renderGithub(exampleRun(failures(14)))
    .trim()
    .split("\n");
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("::error title=mailproof%3A and more::5 more are in the report of the run");
});

test("what was not judged is a warning for each cause, and a known failure is none", () => {
  const checks = [
    exampleCheck({ id: "A-1", verdict: "fail", reason: "r", known: "being fixed" }),
    exampleCheck({ id: "A-2", verdict: "blocked", reason: "needs a human" }),
    exampleCheck({ id: "A-3", verdict: "blocked", reason: "needs a human" }),
  ];
  const lines = renderGithub(exampleRun(checks, { isComplete: false }))
    .trim()
    .split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/^::warning title=mailproof%3A incomplete::the run ended before/u),
    "::warning title=mailproof%3A 2 checks blocked::needs a human%0AA-2, A-3",
  ]);
});

test("a run that conforms has no annotation", () => {
  expect(renderGithub(exampleRun([exampleCheck({})]))).toBe("");
});
