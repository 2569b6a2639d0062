import { join } from "node:path";
import { type JournalEntry, parseJournalEntry } from "../../reports/journal-format.ts";
import { journalName } from "../run-folder/journal-file.ts";
import { readLines } from "../run-folder/read-lines.ts";
import { UsageError } from "../usage-error.ts";

export interface JournalText {
  readonly entries: readonly JournalEntry[];
  /** The first line that cannot be read, counted from 1; nothing after it is used. A power cut may leave one. */
  readonly damagedLine?: number;
}

/** @throws {UsageError} when the folder holds no journal of a conformance run of this version */
export async function readJournal(folder: string): Promise<JournalText> {
  const path = join(folder, journalName);
  const entries: JournalEntry[] = [];
  for await (const line of readLines(path)) {
    const entry = parseJournalEntry(line);
    const isExpected = (entry?.kind === "start") === (entries.length === 0);
    if (entry === undefined || !isExpected) {
      if (entries.length > 0) return { entries, damagedLine: entries.length + 1 };
      throw new UsageError(`${path} is not the journal of a run of this version of mailproof`);
    }
    entries.push(entry);
  }
  if (entries.length === 0) throw new UsageError(`${path} is empty: the run ended before it began to judge`);
  return { entries };
}
