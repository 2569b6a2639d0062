import { join } from "node:path";
import { renderJunit } from "../../reports/junit.ts";
import { renderPage } from "../../reports/page/render-page.ts";
import type { Run } from "../../reports/run-format.ts";
import { replaceFile } from "../run-folder/replace-file.ts";

/** @throws {OutputError} when a file cannot be written */
export function writeRun(run: Run, folder: string): void {
  replaceFile(join(folder, "run.json"), runJson(run));
  replaceFile(join(folder, "junit.xml"), [renderJunit(run)]);
  replaceFile(join(folder, "report.html"), renderPage(run));
}

/** One line for each check and exchange, and never the whole run as one string: it may be longer than a string can be. */
function* runJson(run: Run): Iterable<string> {
  let separator = "{\n";
  for (const [name, value] of Object.entries(run) as [string, unknown][]) {
    yield `${separator}${JSON.stringify(name)}: `;
    if (Array.isArray(value)) yield* linesOf(value);
    else yield JSON.stringify(value);
    separator = ",\n";
  }
  yield "\n}\n";
}

function* linesOf(items: readonly unknown[]): Iterable<string> {
  yield "[";
  for (const [at, item] of items.entries()) yield `${at === 0 ? "\n" : ",\n"}${JSON.stringify(item)}`;
  yield "\n]";
}
