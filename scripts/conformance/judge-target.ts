import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { printable, printableText } from "../../reports/printable.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { leaveOut } from "../../suites/support/judging/left-out.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { type CheckRun, openCheckRun, type RunOutcome } from "../../suites/support/judging/run.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { learnProfile } from "../../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import { openCredentials } from "../credentials/credentials-file.ts";
import { maskError } from "../error-text.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { listenForInterruption } from "../interruption.ts";
import { createRunFolder } from "../run-folder/create-run-folder.ts";
import { findSecrets } from "../run-folder/find-secrets.ts";
import { createJournalFile, journalName } from "../run-folder/journal-file.ts";
import { OutputError } from "../run-folder/output-error.ts";
import { StartError } from "../start-target/start-error.ts";
import type { Catalogue } from "./catalogue.ts";
import type { KeptEvidence } from "./kept-evidence.ts";
import { ownText } from "./own-text.ts";
import { profileContent } from "./profile-content.ts";
import { showProgress } from "./progress.ts";
import { recordRun } from "./record-run.ts";
import { repeatFailures, worthRepeating } from "./repeat-failures.ts";
import { type ChosenReporter, printReporters, writeReporters } from "./reporters.ts";
import { type OwnTarget, startOwnTarget, targetLogName } from "./started-target.ts";
import { watchFingerprint } from "./watch-fingerprint.ts";
import { writePages } from "./write-pages.ts";
import { writeReports } from "./write-reports.ts";
import { writtenLine } from "./write-run.ts";

export interface Judging {
  readonly catalogue: Catalogue;
  readonly out: string;
  /** Where credentials are kept, when they are. */
  readonly credentialsPath?: string | undefined;
  readonly isReadOnly: boolean;
  readonly reporters: readonly ChosenReporter[];
  readonly evidence: KeptEvidence;
  readonly flags: readonly string[];
  /** None for the reference service. */
  readonly profilePath?: string;
  /** Ends the run after this many failures. */
  readonly bail?: number;
  /** Judge failures again, alone. */
  readonly isRepeating: boolean;
}

/**
 * Judges a target, writes what was judged, and shows it.
 *
 * @returns the exit code
 */
export async function judgeTarget(
  profile: Profile,
  selected: readonly Check[],
  judging: Judging,
): Promise<number> {
  const { catalogue, out, credentialsPath, isReadOnly, bail = Infinity, isRepeating, profilePath } = judging;
  const { judged: checks, leftOut } = leaveOut(selected, profile);
  const startedAt = new Date();
  const folder = createRunFolder(out, startedAt);
  const journal = createJournalFile(folder.path);
  const mask = createSecretMask();
  learnProfile(mask, profile);
  const credentials =
    credentialsPath === undefined || isReadOnly
      ? undefined
      : openCredentials(credentialsPath, profile.auth_url, mask);
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
      flags: judging.flags,
      ...(profilePath !== undefined && { profileContent: profileContent(profilePath) }),
    },
    profile,
    mask,
    journal.append,
  );
  const fingerprint = watchFingerprint(profile);
  const interruption = listenForInterruption("writing what was judged");
  const lostJournal = new AbortController();
  const enoughFailures = new AbortController();
  const signal = AbortSignal.any([interruption.signal, lostJournal.signal]);
  const progress = showProgress(checks.length);
  const isKnown = (id: string): boolean => profile.known[id]?.verdict === "fail";
  const judged = new Map<string, CheckResult>();
  let failures = 0;
  let ownTarget: OwnTarget | undefined;

  function openRun(process: OwnTarget["process"]): CheckRun {
    return openCheckRun(profile, {
      signal,
      stop: enoughFailures.signal,
      isReadOnly,
      process,
      credentials,
      onStart: (check) => progress.started(check.id),
      onExchange(exchange) {
        mask.learn(exchange);
        fingerprint.look(exchange);
      },
      onResult(result, soFar) {
        recording(() => {
          recorder.recordFingerprint(fingerprint.soFar());
          // A verdict is shown when it is safe.
          progress.finished(recorder.record(result, soFar));
        });
        judged.set(result.id, result);
        if (result.verdict === "fail" && !isKnown(result.id)) failures += 1;
        if (failures >= bail) enoughFailures.abort();
      },
    });
  }

  function recording(work: () => void): void {
    if (lostJournal.signal.aborted) return;
    try {
      work();
    } catch (error) {
      lostJournal.abort(error);
    }
  }

  /** Appends to the journal how often each failure occurred again. */
  async function repeat(run: CheckRun, results: readonly CheckResult[]): Promise<void> {
    const repeated = worthRepeating(results, isKnown);
    if (repeated.length === 0) return;
    progress.end();
    console.error(`judging ${repeated.length} of ${failures} failures again, alone`);
    await repeatFailures(repeated, {
      run,
      signal,
      canMoveClock: profile.clock !== undefined,
      onRepeated({ id }, reproduced) {
        const first = judged.get(id);
        if (first !== undefined) recording(() => recorder.record(first, run.progress(), reproduced));
      },
    });
  }

  async function judgeAndTidyUp(process: OwnTarget["process"]): Promise<RunOutcome> {
    const run = openRun(process);
    try {
      const outcome = await run.judge(checks);
      if (isRepeating && !signal.aborted) await repeat(run, outcome.results);
      const leftBehind = isReadOnly ? undefined : await run.tidyUp();
      return { ...outcome, ...run.progress(), ...(leftBehind && { leftBehind }) };
    } finally {
      await run.close();
    }
  }

  try {
    ownTarget = await startOwnTarget(profile, { folder: folder.path, mask, signal: interruption.signal });
    const outcome = await judgeAndTidyUp(ownTarget.process);
    progress.end();
    const logs = ownTarget.process === undefined ? [] : [join(folder.path, targetLogName)];
    await ownTarget.end();
    ownTarget = undefined;
    lostJournal.signal.throwIfAborted();
    recorder.recordFingerprint(fingerprint.soFar());
    recorder.end(outcome, outcome);
    journal.close();
    const notices =
      outcome.notJudged === undefined
        ? disturbanceLines(outcome.disturbances)
        : [printable(mask.text(outcome.notJudged))];
    for (const notice of notices) console.error(`mailproof: ${notice}`);
    const written = await writeReports(folder.path, judging.evidence, recorder.masked);
    const files = writeReporters(written, folder.path, judging.reporters);
    writePages(folder.path, outcome.unexpectedPages, mask);
    const leaks = await findSecrets(folder.path, mask, ownText(written, profile));
    for (const leak of leaks)
      console.error(`mailproof: a defect of mailproof itself: ${leak}; delete what was written`);
    if (leaks.length > 0) return exitCodes.defect;
    // The notice says all that there is to say of a target that is not there.
    printReporters(
      written,
      judging.reporters.filter(({ name }) => name !== "terminal" || outcome.notJudged === undefined),
    );
    if (credentials !== undefined) {
      const { clients, agents } = credentials.counts;
      console.log(`kept for the next run: ${clients} clients and ${agents} agents, in ${credentials.path}`);
    }
    if (outcome.passwordOrigins.length > 0)
      console.log(`passwords were typed at ${outcome.passwordOrigins.map(printable).join(", ")}`);
    console.log(writtenLine(folder.path, ...files, ...logs, join(folder.path, journalName)));
    return exitCodeOf(written);
  } catch (error) {
    maskError(error, mask);
    if (error instanceof StartError) {
      console.error(`mailproof: ${printableText(error.message)}`);
      return exitCodes.incomplete;
    }
    const whereItIs = `what was judged is in ${join(folder.path, journalName)}; mailproof report ${folder.path} shows it`;
    if (error instanceof OutputError)
      throw new OutputError(`${error.message}; ${whereItIs}`, { cause: error });
    console.error(`mailproof: ${whereItIs}`);
    throw error;
  } finally {
    progress.end();
    fingerprint.end();
    await ownTarget?.end();
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
