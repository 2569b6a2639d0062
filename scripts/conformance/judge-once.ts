import type { JournalEntry } from "../../reports/journal-format.ts";
import { type Run, unwrittenRun } from "../../reports/run-format.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { leaveOut } from "../../suites/support/judging/left-out.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { learnProfile } from "../../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import type { Catalogue } from "./catalogue.ts";
import { composeRun } from "./compose-run.ts";
import { recordRun } from "./record-run.ts";
import { runJournal } from "./run-journal.ts";

export interface JudgingOnce {
  readonly catalogue: Catalogue;
  readonly isEmbedded: boolean;
  /** Ends it; what is under way becomes inconclusive. */
  readonly signal?: AbortSignal;
  /** Begins no more checks; those under way are finished. */
  readonly stop?: AbortSignal;
}

export interface JudgedOnce {
  readonly run: Run;
  /** Why nothing was judged, when nothing that could be the service answered. */
  readonly notJudged?: string;
}

/** Judges a target and writes nothing: a run as `run.json` would hold it. */
export async function judgeOnce(
  profile: Profile,
  selected: readonly Check[],
  { catalogue, isEmbedded, signal, stop }: JudgingOnce,
): Promise<JudgedOnce> {
  const { judged: checks, leftOut } = leaveOut(selected, profile);
  const mask = createSecretMask();
  learnProfile(mask, profile);
  const entries: JournalEntry[] = [];
  const facts = { id: unwrittenRun, startedAt: new Date(), isEmbedded, catalogue, checks, leftOut };
  const recorder = recordRun(facts, profile, mask, (...more) => void entries.push(...more));
  const outcome = await runChecks(checks, profile, {
    ...(signal && { signal }),
    ...(stop && { stop }),
    tidyUp: true,
    onExchange: (exchange) => mask.learn(exchange),
    onResult: (result, soFar) => void recorder.record(result, soFar),
  });
  recorder.end(outcome, outcome);
  return {
    run: composeRun(runJournal(entries.map(recorder.masked)), "full"),
    ...(outcome.notJudged !== undefined && { notJudged: mask.text(outcome.notJudged) }),
  };
}
