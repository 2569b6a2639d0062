import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../reports/run-format.ts";
import { hasStory, storiesFolder, storyTest } from "../../reports/story-test.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { replaceFile } from "../run-folder/replace-file.ts";

/**
 * Writes a test for each story that the run has found and that can be played again.
 *
 * @throws {OutputError}
 */
export function writeStories(run: Run, folder: string): void {
  const tests = run.checks.filter(hasStory).map((check) => storyTest(check, run));
  if (tests.length === 0) return;
  const path = join(folder, storiesFolder);
  onFileSystem(`make ${path}`, () => mkdirSync(path, { recursive: true }));
  for (const { name, source } of tests) replaceFile(join(path, name), [source]);
}
