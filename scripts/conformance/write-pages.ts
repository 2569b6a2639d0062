import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UnexpectedPage } from "../../suites/support/actors/chromium/unexpected-page.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import { onFileSystem } from "../run-folder/output-error.ts";

/**
 * Writes what the browser driver saw where its steps did not fit.
 *
 * @throws {OutputError}
 */
export function writePages(folder: string, pages: readonly UnexpectedPage[], mask: SecretMask): void {
  onFileSystem(`write to ${folder}`, () => {
    for (const { name, text, screenshot } of pages) {
      writeFileSync(join(folder, `${name}.txt`), mask.text(text));
      if (screenshot !== undefined) writeFileSync(join(folder, `${name}.png`), screenshot);
    }
  });
}
