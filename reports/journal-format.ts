import { z } from "zod";
import type { Run, RunCheck, RunExchange, RunTargetFingerprint, RunVerdict } from "./run-format.ts";
import {
  count,
  environmentSchema,
  exchangeSchema,
  expensesFields,
  fingerprintSchema,
  judgedCheckFields,
  leftBehindSchema,
  leftOutSchema,
  milliseconds,
  profileSchema,
  runId,
  runVerdict,
  suiteSchema,
  targetSchema,
} from "./run-schema.ts";

/**
 * What a run writes while it goes on, as JSON Lines: a start, then each verdict as it falls, after the exchanges that it
 * refers to, and an end unless the run was cut off. `run.json` is made from this and from nothing else. Secrets stand in it
 * as fingerprints, as in `run.json`.
 */
export type JournalEntry = JournalStart | JournalFingerprint | JournalExchange | JournalCheck | JournalEnd;

export interface JournalStart extends Pick<
  Run,
  "id" | "startedAt" | "suite" | "environment" | "target" | "profile" | "isReadOnly"
> {
  readonly kind: "start";
  readonly format: "mailproof-journal/1";
  /** Requirements of the interface document. */
  readonly requirements: number;
  /** The ids of the selected checks, in the order of the report. */
  readonly checks: readonly string[];
  /** Checks that were selected too, but need a key that the profile lacks. */
  readonly leftOut: Run["leftOut"];
  /** The known results of the profile, by check id. */
  readonly known: Readonly<Record<string, KnownOutcome>>;
}

export interface KnownOutcome {
  readonly verdict: RunVerdict;
  readonly reason: string;
  /** Date, such as `2026-12-01`. */
  readonly expires: string;
}

/** What the run knows of the target by now; a later entry takes the place of an earlier one. */
export interface JournalFingerprint {
  readonly kind: "fingerprint";
  readonly fingerprint: RunTargetFingerprint;
}

export interface JournalExchange {
  readonly kind: "exchange";
  readonly exchange: RunExchange;
}

/** A check as it was judged by itself, before it is compared with the others. */
export interface JudgedCheck extends Omit<RunCheck, "explainedBy" | "known"> {
  /** The check or requirement that judges by itself what stood in the way. */
  readonly explainedBy?: string;
}

/** What the run has spent when the entry is written. */
export type Expenses = Pick<Run, "ledger" | "proofOfWork">;

export interface JournalCheck extends Expenses {
  readonly kind: "check";
  /** When it was judged, since the start of the run. */
  readonly atMs: number;
  readonly check: JudgedCheck;
}

export interface JournalEnd extends Expenses, Pick<Run, "durationMs" | "isComplete" | "leftBehind"> {
  readonly kind: "end";
}

const start = z.looseObject({
  kind: z.literal("start"),
  format: z.literal("mailproof-journal/1"),
  id: runId,
  startedAt: z.iso.datetime(),
  suite: suiteSchema,
  environment: environmentSchema,
  target: targetSchema,
  profile: profileSchema.exactOptional(),
  isReadOnly: z.literal(true).exactOptional(),
  requirements: count,
  checks: z.array(z.string()).readonly(),
  // A journal of an earlier version left nothing out.
  leftOut: leftOutSchema.default([]),
  known: z.record(
    z.string(),
    z.looseObject({ verdict: runVerdict, reason: z.string(), expires: z.string() }),
  ),
});

const fingerprint = z.looseObject({ kind: z.literal("fingerprint"), fingerprint: fingerprintSchema });

const exchange = z.looseObject({ kind: z.literal("exchange"), exchange: exchangeSchema });

const check = z.looseObject({
  kind: z.literal("check"),
  atMs: milliseconds,
  ...expensesFields,
  check: z.looseObject({ ...judgedCheckFields, explainedBy: z.string().exactOptional() }),
});

const end = z.looseObject({
  kind: z.literal("end"),
  ...expensesFields,
  durationMs: milliseconds,
  isComplete: z.boolean(),
  leftBehind: leftBehindSchema.exactOptional(),
});

// Loose: members that a later version adds are kept.
const entrySchema: z.ZodType<JournalEntry> = z.discriminatedUnion("kind", [
  start,
  fingerprint,
  exchange,
  check,
  end,
]);

/** @returns undefined for a line that is not an entry, such as one that was cut off */
export function parseJournalEntry(line: string): JournalEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    // Not JSON, so no entry either.
    return undefined;
  }
}
