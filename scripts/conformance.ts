import { join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { printable } from "../reports/printable.ts";
import type { Check } from "../suites/support/judging/check.ts";
import { leaveOut } from "../suites/support/judging/left-out.ts";
import { refuseUnknownChecks } from "../suites/support/judging/known-results.ts";
import { loadProfile, type Profile } from "../suites/support/target/profile.ts";
import { runChecks, type RunOutcome } from "../suites/support/judging/run.ts";
import { findSecrets } from "./run-folder/find-secrets.ts";
import { type Catalogue, checkIds } from "./conformance/catalogue.ts";
import { askToGoOn, canAsk, planLines } from "./conformance/confirm-run.ts";
import { loadOwnSuites } from "./conformance/load-own-suites.ts";
import { ownText } from "./conformance/own-text.ts";
import { type KeptEvidence, keptEvidenceOption } from "./conformance/kept-evidence.ts";
import { profileContent } from "./conformance/profile-content.ts";
import { recordRun } from "./conformance/record-run.ts";
import {
  type ChosenReporter,
  chooseReporters,
  printReporters,
  writeReporters,
} from "./conformance/reporters.ts";
import { watchFingerprint } from "./conformance/watch-fingerprint.ts";
import { writePages } from "./conformance/write-pages.ts";
import { writeReports } from "./conformance/write-reports.ts";
import { writtenLine } from "./conformance/write-run.ts";
import { learnProfile } from "../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../suites/support/wire/secrets.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { maskError } from "./error-text.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { listenForInterruption } from "./interruption.ts";
import { showProgress } from "./conformance/progress.ts";
import { selectChecks } from "./conformance/select-checks.ts";
import { createRunFolder } from "./run-folder/create-run-folder.ts";
import { createJournalFile, journalName } from "./run-folder/journal-file.ts";
import { OutputError } from "./run-folder/output-error.ts";
import { applyNetworkSettings } from "./network-settings.ts";

export const usage = `mailproof conformance [--target PROFILE] [--suite NAME]… [--check ID]… [--checks MODULE]…
                      [--reporter NAME[=FILE]]… [--evidence needed|full] [--out DIRECTORY] [--read-only] [--yes]

Judges a target. Without --target, starts the reference service that comes with mailproof and judges that.

  --target PROFILE   a profile file: the target's addresses, its people, its limits
  --suite NAME       only this suite; may be repeated
  --check ID         only this check, or all of a requirement (REDIR-08); may be repeated
  --checks MODULE    a JavaScript or TypeScript module with checks of your own, judged too; may be repeated
  --reporter NAME    how the run is shown, in place of terminal, junit and html; may be repeated: terminal, junit,
                     html, github, markdown, sarif, har, ctrf, badge, json; NAME=FILE writes it to a file of that name
  --evidence WHICH   exchanges that run.json holds whole: needed (those of a claim, its control, and all of what did not
                     pass), or full
  --out DIRECTORY    where runs are written (reports/runs)
  --read-only        send nothing that might make or change something; judges what can be judged so
  --yes              do not ask before a run; without a terminal, and where CI is set, there is no question

Exit codes: 0 conforms · 1 a requirement is violated, or a known result no longer holds · 2 usage or profile, or results
cannot be written · 3 incomplete: something was inconclusive or blocked, the run was interrupted, or nothing was judged ·
5 a defect of mailproof itself`;

/** @returns the exit code */
export async function conformance(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: "string" },
      suite: { type: "string", multiple: true, default: [] },
      check: { type: "string", multiple: true, default: [] },
      checks: { type: "string", multiple: true, default: [] },
      reporter: { type: "string", multiple: true, default: [] },
      evidence: { type: "string", default: "needed" },
      out: { type: "string", default: "reports/runs" },
      "read-only": { type: "boolean", default: false },
      yes: { type: "boolean", short: "y", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const isReadOnly = values["read-only"];
  const reporters = chooseReporters(values.reporter, process.env);
  const evidence = keptEvidenceOption(values.evidence);
  const catalogue = await loadOwnSuites(values.checks);
  const selected = selectChecks(catalogue.suites, values.suite, values.check);
  // Those that look at the whole run would look at next to nothing.
  const checks = isReadOnly ? selected.filter(({ last }) => !last) : selected;
  if (values.target !== undefined) {
    applyNetworkSettings();
    const profile = loadProfile(values.target);
    refuseUnknownChecks(profile, checkIds(catalogue));
    for (const line of planLines(profile, leaveOut(checks, profile).judged.length, isReadOnly))
      console.log(line);
    const terminal = { input: process.stdin, output: process.stdout };
    const isAsked = !values.yes && !isReadOnly && canAsk(terminal, process.env);
    if (isAsked && !(await askToGoOn(terminal))) {
      console.log("nothing was sent");
      return exitCodes.incomplete;
    }
    return judgeTarget(profile, checks, {
      catalogue,
      out: values.out,
      isReadOnly,
      reporters,
      evidence,
      flags: args,
      profilePath: values.target,
    });
  }
  const embedded = await startEmbeddedService();
  try {
    const { judged } = leaveOut(checks, embedded.profile);
    console.log(`judging the embedded reference service with ${judged.length} checks`);
    return await judgeTarget(embedded.profile, checks, {
      catalogue,
      out: values.out,
      isReadOnly,
      reporters,
      evidence,
      flags: args,
    });
  } finally {
    await embedded.stop();
  }
}

interface Judging {
  readonly catalogue: Catalogue;
  readonly out: string;
  readonly isReadOnly: boolean;
  readonly reporters: readonly ChosenReporter[];
  readonly evidence: KeptEvidence;
  readonly flags: readonly string[];
  /** None for the reference service. */
  readonly profilePath?: string;
}

async function judgeTarget(
  profile: Profile,
  selected: readonly Check[],
  { catalogue, out, isReadOnly, reporters, evidence, flags, profilePath }: Judging,
): Promise<number> {
  const { judged: checks, leftOut } = leaveOut(selected, profile);
  const startedAt = new Date();
  const folder = createRunFolder(out, startedAt);
  const journal = createJournalFile(folder.path);
  const mask = createSecretMask();
  learnProfile(mask, profile);
  // Long answers are garbage soon. By default the heap doubles before it is collected: a gigabyte with answers of 1.9 MB.
  setFlagsFromString("--heap-growing-percent=20");
  const recorder = recordRun(
    {
      id: folder.id,
      startedAt,
      isEmbedded: profilePath === undefined,
      isReadOnly,
      catalogue,
      checks,
      leftOut,
      flags,
      ...(profilePath !== undefined && { profileContent: profileContent(profilePath) }),
    },
    profile,
    mask,
    journal.append,
  );
  const fingerprint = watchFingerprint(profile);
  const interruption = listenForInterruption("writing what was judged");
  const lostJournal = new AbortController();
  const progress = showProgress(checks.length);
  try {
    const outcome = await runChecks(checks, profile, {
      signal: AbortSignal.any([interruption.signal, lostJournal.signal]),
      tidyUp: !isReadOnly,
      isReadOnly,
      onStart: (check) => progress.started(check.id),
      onExchange(exchange) {
        mask.learn(exchange);
        fingerprint.look(exchange);
      },
      onResult(result, soFar) {
        if (lostJournal.signal.aborted) return;
        try {
          recorder.recordFingerprint(fingerprint.soFar());
          // A verdict is shown when it is safe.
          progress.finished(recorder.record(result, soFar));
        } catch (error) {
          lostJournal.abort(error);
        }
      },
    });
    progress.end();
    lostJournal.signal.throwIfAborted();
    recorder.recordFingerprint(fingerprint.soFar());
    recorder.end(outcome, outcome);
    journal.close();
    const notices =
      outcome.notJudged === undefined
        ? disturbanceLines(outcome.disturbances)
        : [printable(mask.text(outcome.notJudged))];
    for (const notice of notices) console.error(`mailproof: ${notice}`);
    const { run } = await writeReports(folder.path, evidence, recorder.masked);
    const files = writeReporters(run, folder.path, reporters);
    writePages(folder.path, outcome.unexpectedPages, mask);
    const leaks = await findSecrets(folder.path, mask, ownText(run, profile));
    for (const leak of leaks)
      console.error(`mailproof: a defect of mailproof itself: ${leak}; delete what was written`);
    if (leaks.length > 0) return exitCodes.defect;
    // The notice says all that there is to say of a target that is not there.
    printReporters(
      run,
      reporters.filter(({ name }) => name !== "terminal" || outcome.notJudged === undefined),
    );
    if (outcome.passwordOrigins.length > 0)
      console.log(`passwords were typed at ${outcome.passwordOrigins.map(printable).join(", ")}`);
    console.log(writtenLine(folder.path, ...files, join(folder.path, journalName)));
    return exitCodeOf(run);
  } catch (error) {
    maskError(error, mask);
    const whereItIs = `what was judged is in ${join(folder.path, journalName)}; mailproof report ${folder.path} shows it`;
    if (error instanceof OutputError)
      throw new OutputError(`${error.message}; ${whereItIs}`, { cause: error });
    console.error(`mailproof: ${whereItIs}`);
    throw error;
  } finally {
    progress.end();
    fingerprint.end();
    interruption.end();
  }
}

function disturbanceLines({ lost, restarts }: RunOutcome["disturbances"]): string[] {
  return [
    ...(lost === 0
      ? []
      : [`${lost} requests got no answer, or a gateway's; what they had to do with was judged again`]),
    ...restarts.map((sign) => `the target was restarted during the run and lost its state: ${sign}`),
  ];
}
