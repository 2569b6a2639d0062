import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseJournalEntry } from "../../reports/journal-format.ts";
import type { Run } from "../../reports/run-format.ts";
import { journalName } from "./journal-file.ts";
import { readLines } from "./read-lines.ts";

/**
 * The folder of the newest run of a target that has a `run.json`; undefined when there is none.
 *
 * @param out - where runs are written
 */
export async function newestRun(
  out: string,
  isOf: (target: Run["target"]) => boolean,
): Promise<string | undefined> {
  for await (const folder of runsOf(out, isOf)) return folder;
  return undefined;
}

/** The folders of all such runs, newest first. */
export async function* runsOf(out: string, isOf: (target: Run["target"]) => boolean): AsyncIterable<string> {
  const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!exists(out)) return;
  // Ids begin with the time.
  for (const name of readdirSync(out).toSorted().toReversed()) {
    const folder = join(out, name);
    if (!exists(join(folder, journalName)) || !exists(join(folder, "run.json"))) continue;
    const target = await targetOf(join(folder, journalName));
    if (target !== undefined && isOf(target)) yield folder;
  }
}

async function targetOf(journal: string): Promise<Run["target"] | undefined> {
  for await (const line of readLines(journal)) {
    const entry = parseJournalEntry(line);
    return entry?.kind === "start" ? entry.target : undefined;
  }
  return undefined;
}
