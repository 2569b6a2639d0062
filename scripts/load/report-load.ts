import { join } from "node:path";
import type { LoadRun } from "../../reports/load-format.ts";
import { type LoadJournalEntry, parseLoadJournalEntry } from "../../reports/load-journal-format.ts";
import { journalName } from "../run-folder/journal-file.ts";
import { readLines } from "../run-folder/read-lines.ts";
import { UsageError } from "../usage-error.ts";
import { loadExitCode } from "./load-exit-code.ts";

/** Whether the folder holds the journal of a load run. */
export async function isLoadJournal(folder: string): Promise<boolean> {
  for await (const line of readLines(join(folder, journalName)))
    return parseLoadJournalEntry(line)?.kind === "start";
  return false;
}

/**
 * Makes the reports of a load run from its journal.
 *
 * @returns the exit code
 */
export async function reportLoad(folder: string): Promise<number> {
  const entries: LoadJournalEntry[] = [];
  for await (const line of readLines(join(folder, journalName))) {
    const entry = parseLoadJournalEntry(line);
    if (entry === undefined) break;
    entries.push(entry);
  }
  const run = loadRunOf(entries);
  // Imported late, because the chart library is slow to load.
  const { writeReport } = await import("./write-report.ts");
  writeReport(run, folder);
  return loadExitCode(run);
}

function loadRunOf([start, ...others]: readonly LoadJournalEntry[]): LoadRun {
  if (start?.kind !== "start")
    throw new UsageError("the journal does not begin with the start of a load run");
  const profiles = others.flatMap((entry) => (entry.kind === "profile" ? [entry.profile] : []));
  const end = others.find((entry) => entry.kind === "end");
  if (end === undefined) return { ...start.run, profiles };
  const { kind: _kind, ...facts } = end;
  return { ...start.run, profiles, ...facts };
}
