import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import { readLines } from "./read-lines.ts";

const mostReported = 5;
/** Pages are made of `run.json` alone. Their evidence is compressed, and its letters may spell a short password by chance. */
const page = ".html";

/**
 * Searches the files of a run for every secret that the run knows.
 *
 * @param ownText - what it may hold by itself, such as a password that is a word of ours, is found for no secret
 * @returns a sentence for each place, without the secret
 */
export async function findSecrets(folder: string, mask: SecretMask, ownText: string): Promise<string[]> {
  const ordinary = mask.fingerprintsIn(ownText);
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.endsWith(page)) continue;
    const path = join(entry.parentPath, entry.name);
    let line = 0;
    for await (const text of readLines(path)) {
      line += 1;
      for (const fingerprint of mask.fingerprintsIn(text)) {
        if (ordinary.has(fingerprint)) continue;
        found.push(`line ${line} of ${path} holds the secret ${fingerprint}`);
        if (found.length === mostReported) return found;
      }
    }
  }
  return found;
}
