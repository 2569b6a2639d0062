import type { JudgedCheck } from "../../reports/journal-format.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { RunOutcome, RunProgress } from "../../suites/support/judging/run.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { Exchange } from "../../suites/support/wire/exchange.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import { createJournalFile } from "../run-folder/journal-file.ts";
import { recordRun, type RunFacts, type RunRecorder } from "./record-run.ts";
import { watchFingerprint } from "./watch-fingerprint.ts";

/** The journal of a run that is under way. */
export interface RunRecording {
  /** Learns the secrets of an exchange, and what tells the target from others. */
  look(exchange: Exchange): void;
  /** @returns the check as it was written; undefined when it could not be */
  record(
    result: CheckResult,
    progress: RunProgress,
    reproduced?: JudgedCheck["reproduced"],
  ): JudgedCheck | undefined;
  /** Aborts, with the error as its reason, once the journal cannot be written: a verdict that is not kept is worth nothing. */
  readonly lost: AbortSignal;
  /** @throws {OutputError} when the journal could not be written */
  complete(outcome: RunOutcome): void;
  readonly masked: RunRecorder["masked"];
  /** Stops watching connections, whether or not the run is complete. */
  end(): void;
}

/** @throws {OutputError} when the folder has a journal, or none can be made there */
export function startRecording(
  folder: string,
  facts: RunFacts,
  profile: Profile,
  mask: SecretMask,
): RunRecording {
  const journal = createJournalFile(folder);
  const recorder = recordRun(facts, profile, mask, journal.append);
  const fingerprint = watchFingerprint(profile);
  const lost = new AbortController();
  return {
    look(exchange) {
      mask.learn(exchange);
      fingerprint.look(exchange);
    },
    record(result, progress, reproduced) {
      if (lost.signal.aborted) return undefined;
      try {
        recorder.recordFingerprint(fingerprint.soFar());
        return recorder.record(result, progress, reproduced);
      } catch (error) {
        lost.abort(error);
        return undefined;
      }
    },
    lost: lost.signal,
    complete(outcome) {
      lost.signal.throwIfAborted();
      recorder.recordFingerprint(fingerprint.soFar());
      recorder.end(outcome, outcome);
      journal.close();
    },
    masked: recorder.masked,
    end: () => fingerprint.end(),
  };
}
