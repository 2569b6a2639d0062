import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { format } from "prettier";
import { expect, onTestFinished, test } from "vitest";
import { foundTable } from "./found-table.ts";
import { appendTrial, isTried, readTrials, type Trial } from "./trials.ts";

const trials: readonly Trial[] = [
  { fault: "a/strong", seed: 1, check: "LIFE-01/one", steps: 4, seconds: 1 },
  { fault: "a/strong", seed: 2, check: "LIFE-01/two", steps: 6, seconds: 2 },
  { fault: "b/weak", seed: 1, check: "LIFE-01/one", steps: 5, seconds: 3 },
  { fault: "b/weak", seed: 2, seconds: 9 },
];

test("the weakest defect comes first, with the seeds that missed it and the interval of Wilson", () => {
  const cells = foundTable("# Found", trials)
    .split("\n")
    .filter((line) => line.includes("/"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  // 1 of 2 and 2 of 2: 9.45 to 90.55 %, and 34.24 to 100 %.
  expect(cells).toEqual([
    ["", "b/weak", "1 of 2", "9–91 %", "5", "9.0", "LIFE-01/one 1", "2", ""],
    ["", "a/strong", "2 of 2", "34–100 %", "6", "2.0", "LIFE-01/one 1, LIFE-01/two 1", "", ""],
  ]);
});

test("it is formatted as the project's files are", async () => {
  const text = foundTable("# Found", trials);
  expect(await format(text, { parser: "markdown" })).toBe(text);
});

test("trials that were kept are known the next time", () => {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-trials-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "trials.jsonl");
  expect(readTrials(path)).toEqual([]);
  for (const trial of trials) appendTrial(path, trial);
  const kept = readTrials(path);
  expect(kept).toEqual(trials);
  expect(isTried(kept, "b/weak", 2)).toBe(true);
  expect(isTried(kept, "b/weak", 3)).toBe(false);
});
