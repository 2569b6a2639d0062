import { join } from "node:path";
import type { JournalEntry } from "../../reports/journal-format.ts";
import type { Run } from "../../reports/run-format.ts";
import { journalName } from "../run-folder/journal-file.ts";
import { replaceFile } from "../run-folder/replace-file.ts";
import { composeRun } from "./compose-run.ts";
import type { KeptEvidence } from "./kept-evidence.ts";
import { readJournal } from "./read-journal.ts";
import { runJournal } from "./run-journal.ts";
import { writeRun } from "./write-run.ts";
import { writeStories } from "./write-stories.ts";

export interface Reports {
  readonly run: Run;
  /** The lines of the journal that cannot be read; the run is incomplete without them. */
  readonly damagedLines: readonly number[];
}

/**
 * Makes `run.json` from the journal beside it, and the tests of the stories in it.
 *
 * @param masked - replaces what is known as a secret only now, and gives the same entry where there is nothing to replace; the
 *   journal is rewritten where that changes it
 * @throws {UsageError} when there is no journal, or a file cannot be written
 */
export async function writeReports(
  folder: string,
  evidence: KeptEvidence,
  masked: (entry: JournalEntry) => JournalEntry,
): Promise<Run> {
  const { entries } = await readJournal(folder);
  const shown = entries.map(masked);
  if (shown.some((entry, at) => entry !== entries[at]))
    replaceFile(join(folder, journalName), jsonLines(shown));
  const run = composeRun(runJournal(shown), evidence);
  writeRunFiles(run, folder);
  return run;
}

/**
 * What the journal of a run tells, without writing anything.
 *
 * @throws {UsageError} when there is no journal
 */
export async function readReports(folder: string, evidence: KeptEvidence): Promise<Reports> {
  const { entries, damagedLines } = await readJournal(folder);
  const journal = runJournal(entries);
  const isComplete = journal.isComplete && damagedLines.length === 0;
  return { run: composeRun({ ...journal, isComplete }, evidence), damagedLines };
}

/** @throws {OutputError} when a file cannot be written */
export function writeRunFiles(run: Run, folder: string): void {
  writeRun(run, folder);
  writeStories(run, folder);
}

function* jsonLines(entries: readonly JournalEntry[]): Iterable<string> {
  for (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}
