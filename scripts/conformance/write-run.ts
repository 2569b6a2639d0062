import { basename, dirname, join } from "node:path";
import type { Run } from "../../reports/run-format.ts";
import { replaceFile } from "../run-folder/replace-file.ts";
import { runName } from "./read-run.ts";
import { runJson } from "./run-json.ts";

/** @throws {OutputError} when it cannot be written */
export function writeRun(run: Run, folder: string): void {
  replaceFile(join(folder, runName), runJson(run));
}

/** @param others - paths of what was written beside `run.json` */
export function writtenLine(folder: string, ...others: readonly string[]): string {
  const files = [join(folder, runName), ...others.filter((path) => path !== join(folder, runName))];
  const names = files.map((path, at) => (at > 0 && dirname(path) === folder ? basename(path) : path));
  const last = names.pop() ?? "";
  return `written: ${names.length === 0 ? last : `${names.join(", ")} and ${last}`}`;
}
