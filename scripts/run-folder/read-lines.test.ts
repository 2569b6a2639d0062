import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLines } from "./read-lines.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mailproof-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const megabyte = 1024 * 1024;

test.for([
  { text: "", lines: [], why: "an empty file" },
  { text: "a\n\nb\n", lines: ["a", "", "b"], why: "an empty line" },
  { text: "a\nb", lines: ["a"], why: "what was cut off is left out" },
  {
    text: "a\u{2028}b\r\u{85}\nc\n",
    lines: ["a\u{2028}b\r\u{85}", "c"],
    why: "only a line feed ends a line",
  },
  {
    text: `${"x".repeat(megabyte - 1)}\u{20ac}\nb\n`,
    lines: [`${"x".repeat(megabyte - 1)}\u{20ac}`, "b"],
    why: "a character lies in two chunks",
  },
  {
    text: `a\n${"y".repeat(3 * megabyte)}\nb\n`,
    lines: ["a", "y".repeat(3 * megabyte), "b"],
    why: "a line is longer than a chunk",
  },
  {
    text: `${"x".repeat(megabyte - 1)}\nb\n`,
    lines: ["x".repeat(megabyte - 1), "b"],
    why: "a chunk ends with a line",
  },
])("reads $lines.length lines: $why", async ({ text, lines }) => {
  const path = join(folder, "lines");
  writeFileSync(path, text);
  const read: string[] = [];
  for await (const line of readLines(path)) read.push(line);
  expect(read).toEqual(lines);
});
