import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadRun } from "../../reports/load-format.ts";
import { renderLoadHtml } from "../../reports/load/html.ts";
import { renderLoadTerminal } from "../../reports/load/terminal.ts";

/** Shows a run and writes it as `load.json` and `load.html`. */
export function writeReport(run: LoadRun, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "load.json");
  // First, because it is what cannot be had again.
  writeFileSync(file, `${JSON.stringify(run, undefined, 1)}\n`);
  writeFileSync(join(folder, "load.html"), renderLoadHtml(run));
  console.log(renderLoadTerminal(run));
  console.log(`written: ${file} and load.html`);
}
