import { join } from "node:path";
import { printable } from "../../reports/printable.ts";
import type { RunOutcome } from "../../suites/support/judging/run.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { findSecrets } from "../run-folder/find-secrets.ts";
import { journalName } from "../run-folder/journal-file.ts";
import type { KeptEvidence } from "./kept-evidence.ts";
import { ownText } from "./own-text.ts";
import type { RunRecorder } from "./record-run.ts";
import { type ChosenReporter, printReporters, writeReporters } from "./reporters.ts";
import { writePages } from "./write-pages.ts";
import { writeReports } from "./write-reports.ts";
import { writtenLine } from "./write-run.ts";

/** What is made of a run whose journal is complete. */
export interface Presentation {
  readonly folder: string;
  readonly profile: Profile;
  readonly mask: SecretMask;
  readonly masked: RunRecorder["masked"];
  readonly evidence: KeptEvidence;
  readonly reporters: readonly ChosenReporter[];
  /** Other files that the run wrote. */
  readonly logs: readonly string[];
  /** What was kept for the next run, in a sentence. */
  readonly kept?: string | undefined;
}

/**
 * Writes the reports of a run, searches them for secrets, and prints them.
 *
 * @returns the exit code of the run
 */
export async function presentRun(outcome: RunOutcome, presentation: Presentation): Promise<number> {
  const { folder, profile, mask, masked, evidence, reporters, logs, kept } = presentation;
  for (const notice of noticesOf(outcome, mask)) console.error(`mailproof: ${notice}`);
  const written = await writeReports(folder, evidence, masked);
  const files = writeReporters(written, folder, reporters);
  writePages(folder, outcome.unexpectedPages, mask);
  const leaks = await findSecrets(folder, mask, ownText(written, profile));
  for (const leak of leaks)
    console.error(`mailproof: a defect of mailproof itself: ${leak}; delete what was written`);
  if (leaks.length > 0) return exitCodes.defect;
  // The notice says all that there is to say about a target that is not there.
  const printed = reporters.filter(({ name }) => name !== "terminal" || outcome.notJudged === undefined);
  printReporters(written, printed);
  if (kept !== undefined) console.log(kept);
  if (outcome.passwordOrigins.length > 0)
    console.log(`passwords were typed at ${outcome.passwordOrigins.map(printable).join(", ")}`);
  console.log(writtenLine(folder, ...files, ...logs, join(folder, journalName)));
  return exitCodeOf(written);
}

function noticesOf({ notJudged, disturbances: { lost, restarts } }: RunOutcome, mask: SecretMask): string[] {
  if (notJudged !== undefined) return [printable(mask.text(notJudged))];
  return [
    ...(lost === 0
      ? []
      : [`${lost} requests got no answer, or a gateway's; what they had to do with was judged again`]),
    ...restarts.map((sign) => `the target was restarted during the run and lost its state: ${sign}`),
  ];
}
