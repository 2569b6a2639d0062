import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { printableText } from "../../reports/printable.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { leaveOut } from "../../suites/support/judging/left-out.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { openCheckRun, type RunOptions, type RunOutcome } from "../../suites/support/judging/run.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { learnProfile } from "../../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import { type CredentialsFile, openCredentials } from "../credentials/credentials-file.ts";
import { maskError } from "../error-text.ts";
import { exitCodes } from "../exit-codes.ts";
import { listenForInterruption } from "../interruption.ts";
import { createRunFolder } from "../run-folder/create-run-folder.ts";
import { journalName } from "../run-folder/journal-file.ts";
import { OutputError } from "../run-folder/output-error.ts";
import { StartError } from "../start-target/start-error.ts";
import type { Catalogue } from "./catalogue.ts";
import type { KeptEvidence } from "./kept-evidence.ts";
import { presentRun } from "./present-run.ts";
import { profileContent } from "./profile-content.ts";
import { type Progress, showProgress } from "./progress.ts";
import { repeatFailures, worthRepeating } from "./repeat-failures.ts";
import type { ChosenReporter } from "./reporters.ts";
import { type RunRecording, startRecording } from "./run-recording.ts";
import { type OwnTarget, startOwnTarget, targetLogName } from "./started-target.ts";

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
  const { catalogue, out, credentialsPath, isReadOnly, profilePath, flags, evidence, reporters } = judging;
  const { judged: checks, leftOut } = leaveOut(selected, profile);
  const startedAt = new Date();
  const { id, path: folder } = createRunFolder(out, startedAt);
  const mask = createSecretMask();
  learnProfile(mask, profile);
  const credentials =
    credentialsPath === undefined || isReadOnly
      ? undefined
      : openCredentials(credentialsPath, profile.auth_url, mask);
  // Long answers are garbage soon. By default the heap doubles before it is collected: a gigabyte with answers of 1.9 MB.
  setFlagsFromString("--heap-growing-percent=20");
  const isEmbedded = profilePath === undefined;
  const content = isEmbedded ? {} : { profileContent: profileContent(profilePath) };
  const facts = { id, startedAt, isEmbedded, isReadOnly, catalogue, checks, leftOut, flags, ...content };
  const recording = startRecording(folder, facts, profile, mask);
  const interruption = listenForInterruption("writing what was judged");
  const progress = showProgress(checks.length);
  let ownTarget: OwnTarget | undefined;
  try {
    ownTarget = await startOwnTarget(profile, { folder, mask, signal: interruption.signal });
    const { process } = ownTarget;
    const signal = AbortSignal.any([interruption.signal, recording.lost]);
    const outcome = await judgeAndTidyUp(profile, checks, {
      judging,
      recording,
      progress,
      signal,
      process,
      credentials,
    });
    progress.end();
    await ownTarget.end();
    ownTarget = undefined;
    recording.complete(outcome);
    const logs = process === undefined ? [] : [join(folder, targetLogName)];
    const { masked } = recording;
    const kept = credentials && keptLine(credentials);
    return await presentRun(outcome, { folder, profile, mask, masked, evidence, reporters, logs, kept });
  } catch (error) {
    maskError(error, mask);
    return exitCodeOfFailure(error, folder);
  } finally {
    progress.end();
    recording.end();
    await ownTarget?.end();
    interruption.end();
  }
}

interface Parts extends Pick<RunOptions, "process" | "credentials"> {
  readonly judging: Judging;
  readonly recording: RunRecording;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

async function judgeAndTidyUp(
  profile: Profile,
  checks: readonly Check[],
  { judging, recording, progress, signal, process, credentials }: Parts,
): Promise<RunOutcome> {
  const { isReadOnly, isRepeating, bail = Infinity } = judging;
  const enoughFailures = new AbortController();
  const isKnown = (id: string): boolean => profile.known[id]?.verdict === "fail";
  const judged = new Map<string, CheckResult>();
  let failures = 0;
  const run = openCheckRun(profile, {
    signal,
    stop: enoughFailures.signal,
    isReadOnly,
    process,
    credentials,
    onStart: (check) => progress.started(check.id),
    onExchange: (exchange) => recording.look(exchange),
    onResult(result, soFar) {
      const recorded = recording.record(result, soFar);
      // A verdict is shown only once it is safe.
      if (recorded !== undefined) progress.finished(recorded);
      judged.set(result.id, result);
      if (result.verdict === "fail" && !isKnown(result.id)) failures += 1;
      if (failures >= bail) enoughFailures.abort();
    },
  });

  /** Appends to the journal how often each failure occurred again. */
  async function repeat(results: readonly CheckResult[]): Promise<void> {
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
        if (first !== undefined) recording.record(first, run.progress(), reproduced);
      },
    });
  }

  try {
    const outcome = await run.judge(checks);
    if (isRepeating && !signal.aborted) await repeat(outcome.results);
    const leftBehind = isReadOnly ? undefined : await run.tidyUp();
    return { ...outcome, ...run.progress(), ...(leftBehind && { leftBehind }) };
  } finally {
    await run.close();
  }
}

function keptLine({ counts: { clients, agents }, path }: CredentialsFile): string {
  return `kept for the next run: ${clients} clients and ${agents} agents, in ${path}`;
}

/**
 * A target that did not start makes the run incomplete. Any other error is thrown again, after saying where the journal is.
 */
function exitCodeOfFailure(error: unknown, folder: string): number {
  if (error instanceof StartError) {
    console.error(`mailproof: ${printableText(error.message)}`);
    return exitCodes.incomplete;
  }
  const whereItIs = `what was judged is in ${join(folder, journalName)}; mailproof report ${folder} shows it`;
  if (error instanceof OutputError) throw new OutputError(`${error.message}; ${whereItIs}`, { cause: error });
  console.error(`mailproof: ${whereItIs}`);
  throw error;
}
