import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleRun } from "../../reports/example-run.ts";
import { UsageError } from "../usage-error.ts";
import { readRun } from "./read-run.ts";

const place = mkdtempSync(join(tmpdir(), "mailproof-read-run-"));
afterAll(() => rmSync(place, { recursive: true }));

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(place, "run-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const run = exampleRun([exampleCheck({ verdict: "fail", expected: "a", observed: "b" })], {
  exchanges: [exampleExchange(0)],
});

test("a run is read from its folder and from its file", () => {
  const folder = folderWith({ "run.json": JSON.stringify(run) });
  expect(readRun(folder)).toEqual(run);
  expect(readRun(join(folder, "run.json"))).toEqual(run);
});

test("members that a later version adds are kept", () => {
  const later = { ...run, checks: [{ ...run.checks[0], mood: "calm" }] };
  expect(readRun(folderWith({ "run.json": JSON.stringify(later) }))).toEqual(later);
});

test.for([
  { why: "no JSON", files: { "run.json": '{"format": ' }, says: "run.json is not JSON" },
  {
    why: "of another version",
    files: { "run.json": '{"format":"mailproof-run/2"}' },
    says: "is mailproof-run/2, of another version of mailproof",
  },
  { why: "of a load run", files: { "run.json": '{"format":"mailproof-load/2"}' }, says: "is of a load run" },
  { why: "something else", files: { "run.json": "[]" }, says: "is not the run.json of a mailproof run" },
  {
    why: "damaged",
    files: { "run.json": JSON.stringify({ ...run, checks: [{ ...run.checks[0], verdict: "good" }] }) },
    says: "is damaged: checks[0].verdict: ",
  },
  { why: "missing in the folder of a load run", files: { "load.json": "{}" }, says: "is of a load run" },
  { why: "missing beside a journal", files: { "journal.jsonl": "" }, says: "mailproof report " },
  { why: "missing in an empty folder", files: {}, says: "is not the folder of a run" },
])("a run.json that is $why is refused and says so", ({ files, says }) => {
  expect(() => readRun(folderWith(files as Record<string, string>))).toThrow(UsageError);
  expect(() => readRun(folderWith(files as Record<string, string>))).toThrow(says);
});

test("a path that leads nowhere is refused, and a folder of that name too", () => {
  expect(() => readRun(join(place, "nowhere"))).toThrow(/cannot read .*nowhere: it does not exist/u);
  const folder = folderWith({});
  mkdirSync(join(folder, "run.json"));
  expect(() => readRun(folder)).toThrow("it is a directory");
});
