import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadRun } from "../../reports/load-format.ts";
import { renderLoadHtml } from "../../reports/load/html.ts";
import { renderLoadTerminal } from "../../reports/load/terminal.ts";

/** Writes `load.json` and `load.html`, and prints the run. */
export function writeReport(run: LoadRun, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "load.json");
  // Written first, because the other reports can be rendered from it.
  writeFileSync(file, `${JSON.stringify(run, undefined, 1)}\n`);
  writeFileSync(join(folder, "load.html"), renderLoadHtml(run));
  console.log(renderLoadTerminal(run));
  console.log(`wrote ${file} and load.html`);
}
