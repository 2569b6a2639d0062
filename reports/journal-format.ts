import { z } from "zod";
import {
  type Run,
  type RunCheck,
  type RunExchange,
  type RunVerdict,
  exchangeRoles,
  runVerdicts,
} from "./run-format.ts";

/**
 * What a run writes while it goes on, as JSON Lines: a start, then each verdict as it falls, after the exchanges that it
 * refers to, and an end unless the run was cut off. `run.json` is made from this and from nothing else. Secrets stand in it
 * as fingerprints, as in `run.json`.
 */
export type JournalEntry = JournalStart | JournalExchange | JournalCheck | JournalEnd;

export interface JournalStart extends Pick<Run, "id" | "startedAt" | "suite" | "target" | "isReadOnly"> {
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

const count = z.number().int().min(0);
const verdict = z.enum(runVerdicts);
const headers = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();
const expenses = {
  ledger: z.record(z.string(), count),
  proofOfWork: z.looseObject({ tries: count, busyMs: z.number().min(0) }),
};

const start = z.looseObject({
  kind: z.literal("start"),
  format: z.literal("mailproof-journal/1"),
  id: z.string().regex(/^[\w-]{1,100}$/u),
  startedAt: z.iso.datetime(),
  suite: z.looseObject({ name: z.literal("mailproof"), version: z.string(), node: z.string() }),
  target: z.looseObject({
    authUrl: z.string(),
    apiUrl: z.string(),
    mcpUrl: z.string(),
    isEmbedded: z.boolean(),
  }),
  isReadOnly: z.literal(true).exactOptional(),
  requirements: count,
  checks: z.array(z.string()).readonly(),
  // A journal of an earlier version left nothing out.
  leftOut: z
    .array(z.looseObject({ needs: z.string(), checks: z.array(z.string()).readonly() }))
    .readonly()
    .default([]),
  known: z.record(z.string(), z.looseObject({ verdict, reason: z.string(), expires: z.string() })),
});

const exchange = z.looseObject({
  kind: z.literal("exchange"),
  exchange: z.looseObject({
    number: count,
    startedAt: z.string(),
    durationMs: z.number().min(0),
    request: z.looseObject({
      method: z.string(),
      url: z.string(),
      headers,
      body: z.string(),
      isChunked: z.literal(true).exactOptional(),
    }),
    response: z.looseObject({ status: count, headers, body: z.string() }),
  }),
});

const check = z.looseObject({
  kind: z.literal("check"),
  atMs: z.number().min(0),
  ...expenses,
  check: z.looseObject({
    id: z.string(),
    requirement: z.looseObject({
      id: z.string(),
      source: z.enum(["document", "rfc", "own"]),
      section: z.string(),
      level: z.string(),
      statement: z.string(),
    }),
    interpretations: z.array(z.string()).readonly().exactOptional(),
    suite: z.string(),
    kind: z.enum(["check", "recommend", "observe"]),
    sentence: z.string(),
    verdict,
    reason: z.string().exactOptional(),
    expected: z.string().exactOptional(),
    observed: z.string().exactOptional(),
    explainedBy: z.string().exactOptional(),
    defect: z.literal(true).exactOptional(),
    durationMs: z.number().min(0),
    decisive: count.exactOptional(),
    exchanges: z.array(z.looseObject({ number: count, role: z.enum(exchangeRoles) })).readonly(),
  }),
});

const end = z.looseObject({
  kind: z.literal("end"),
  ...expenses,
  durationMs: z.number().min(0),
  isComplete: z.boolean(),
  leftBehind: z
    .looseObject({
      clients: z.array(z.looseObject({ client_id: z.string(), isDeleted: z.boolean() })).readonly(),
      grants: z.looseObject({ made: count, revoked: count }),
      agents: z.array(z.string()).readonly(),
      emails: count,
      submissions: count,
    })
    .exactOptional(),
});

// Loose: members that a later version adds are kept.
const entrySchema: z.ZodType<JournalEntry> = z.discriminatedUnion("kind", [start, exchange, check, end]);

/** @returns undefined for a line that is no entry, such as one that was cut off */
export function parseJournalEntry(line: string): JournalEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    // Not JSON, so no entry either.
    return undefined;
  }
}
