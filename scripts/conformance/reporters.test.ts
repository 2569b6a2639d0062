import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { exampleCheck, exampleExchange, exampleFinding, exampleRun } from "../../reports/example-run.ts";
import { UsageError } from "../usage-error.ts";
import { readRun } from "./read-run.ts";
import { chooseReporters, printReporters, reporterNames, writeReporters } from "./reporters.ts";

const place = mkdtempSync(join(tmpdir(), "mailproof-reporters-"));
afterAll(() => rmSync(place, { recursive: true }));

const run = exampleRun([exampleCheck({ id: "A-1/x", verdict: "fail", expected: "a", observed: "b" })], {
  findings: [exampleFinding()],
  exchanges: [exampleExchange(0)],
});

test("without a choice a run is shown at the terminal, as JUnit and as a page, and on GitHub as annotations too", () => {
  const names = (environment: Record<string, string>) =>
    chooseReporters([], environment).map(({ name }) => name);
  expect(names({})).toEqual(["terminal", "junit", "html"]);
  expect(names({ GITHUB_ACTIONS: "true" })).toEqual(["terminal", "junit", "html", "github"]);
});

test("a choice replaces what is shown without one, and may name files", () => {
  expect(chooseReporters(["sarif", "badge=a=b.svg"], { GITHUB_ACTIONS: "true" })).toEqual([
    { name: "sarif" },
    { name: "badge", file: "a=b.svg" },
  ]);
});

test.for([
  { option: "xunit", says: "there is no reporter xunit; there are terminal, html, junit, github" },
  { option: "toString", says: "there is no reporter toString" },
  { option: "junit=", says: "give a file after the =" },
])("--reporter $option is refused", ({ option, says }) => {
  expect(() => chooseReporters([option], {})).toThrow(UsageError);
  expect(() => chooseReporters([option], {})).toThrow(says);
});

test("every reporter writes the file that it is given", () => {
  const chosen = reporterNames.map((name) => ({ name, file: join(place, `out.${name}`) }));
  expect(writeReporters(run, place, chosen)).toEqual(chosen.map(({ file }) => file));
  for (const { file } of chosen) expect(readFileSync(file, "utf8")).toMatch(/\S\n$/u);
  expect(readRun(join(place, "out.json"))).toEqual(run);
});

test("what has no file by itself is printed, and the summary of the step is added to", () => {
  const summary = join(place, "step.md");
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const chosen = [{ name: "terminal" }, { name: "github" }, { name: "badge" }] as const;
  for (let times = 0; times < 2; times++) printReporters(run, chosen, { GITHUB_STEP_SUMMARY: summary });
  const printed = log.mock.calls.flat().join("\n");
  log.mockRestore();
  expect(printed).toContain("✗ F1  The service compares");
  expect(printed).toContain("::error title=mailproof%3A F1 account takeover::");
  expect(printed).not.toContain("<svg");
  expect(readFileSync(summary, "utf8").match(/^## /gmu)).toHaveLength(2);
  expect(existsSync(join(place, "badge.svg"))).toBe(false);
});
