import { join } from "node:path";
import { keptEvidenceOption } from "./conformance/kept-evidence.ts";
import { chooseReporters, printReporters, writeReporters } from "./conformance/reporters.ts";
import { readReports, writeRunFiles } from "./conformance/write-reports.ts";
import { writtenLine } from "./conformance/write-run.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { isLoadJournal, reportLoad } from "./load/report-load.ts";
import { parseOptions } from "./parse-options.ts";
import { journalName } from "./run-folder/journal-file.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `mailproof report DIRECTORY [--reporter NAME[=FILE]]… [--evidence needed|full]

Makes the reports of a run from its journal, for example after the run was killed or the disk was full. DIRECTORY is the
folder of the run, as in reports/runs/<id>. A run that did not finish is reported as incomplete.

  --reporter NAME    what is made, instead of terminal, junit and html; may be repeated: terminal, junit, html, github,
                     markdown, sarif, har, ctrf, badge, json; NAME=FILE writes to that file
  --evidence WHICH   which exchanges run.json keeps in full: needed (default: those of claims and controls, and all of
                     checks that did not pass), or full

Exit codes: those of the run, as far as its journal goes · 2 the journal cannot be used · 3 also for a run that did not
finish, unless it found a violation`;

const mostNamed = 10;

/** @returns the exit code */
export async function report(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      reporter: { type: "string", multiple: true, default: [] },
      evidence: { type: "string", default: "needed" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0)
    throw new UsageError("report needs the folder of one run, such as reports/runs/<id>");
  const reporters = chooseReporters(values.reporter, process.env);
  const evidence = keptEvidenceOption(values.evidence);
  if (await isLoadJournal(folder)) return reportLoad(folder);
  const { run, damagedLines } = await readReports(folder, evidence);
  if (damagedLines.length > 0) {
    const lines = damagedLines.slice(0, mostNamed).join(", ");
    const more = damagedLines.length > mostNamed ? ` and ${damagedLines.length - mostNamed} more` : "";
    const place = `${join(folder, journalName)}, line ${lines}${more}`;
    console.error(`mailproof: ${place}: cannot be read, and is left out: the run counts as incomplete`);
  }
  // Before anything is written, since the disk may still be full.
  printReporters(run, reporters);
  writeRunFiles(run, folder);
  const files = writeReporters(run, folder, reporters);
  console.log(writtenLine(folder, ...files));
  return exitCodeOf(run);
}
