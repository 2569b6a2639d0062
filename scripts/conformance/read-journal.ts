import { join } from "node:path";
import { type JournalEntry, parseJournalEntry } from "../../reports/journal-format.ts";
import { journalName } from "../run-folder/journal-file.ts";
import { readLines } from "../run-folder/read-lines.ts";
import { UsageError } from "../usage-error.ts";

export interface JournalText {
  readonly entries: readonly JournalEntry[];
  /** The lines that cannot be read, counted from 1. A power cut may leave one at the end, a bad disk some anywhere. */
  readonly damagedLines: readonly number[];
}

/** @throws {UsageError} when the folder holds no journal of a conformance run of this version */
export async function readJournal(folder: string): Promise<JournalText> {
  const path = join(folder, journalName);
  const entries: JournalEntry[] = [];
  const damagedLines: number[] = [];
  let number = 0;
  for await (const line of readLines(path)) {
    number += 1;
    const entry = parseJournalEntry(line);
    const isExpected = (entry?.kind === "start") === (number === 1);
    if (entry !== undefined && isExpected) entries.push(entry);
    else if (number > 1) damagedLines.push(number);
    else throw new UsageError(`${path} is not the journal of a run of this version of mailproof`);
  }
  if (entries.length === 0) throw new UsageError(`${path} is empty: the run ended before it began to judge`);
  return { entries, damagedLines };
}
