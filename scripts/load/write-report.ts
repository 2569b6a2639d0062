import { join } from "node:path";
import type { LoadRun } from "../../reports/load-format.ts";
import { renderLoadHtml } from "../../reports/load/html.ts";
import { renderLoadTerminal } from "../../reports/load/terminal.ts";
import { replaceFile } from "../run-folder/replace-file.ts";

/**
 * Writes `load.json` and `load.html`, and prints the run.
 *
 * @throws {OutputError} when a file cannot be written
 */
export function writeReport(run: LoadRun, folder: string): void {
  const file = join(folder, "load.json");
  // Written first, because the other reports can be rendered from it.
  replaceFile(file, [`${JSON.stringify(run, undefined, 1)}\n`]);
  replaceFile(join(folder, "load.html"), [renderLoadHtml(run)]);
  console.log(renderLoadTerminal(run));
  console.log(`wrote ${file} and load.html`);
}
