import { z } from "zod";
import { loadProfileRunSchema, type LoadProfileRun, type LoadRun, loadRunSchema } from "./load-format.ts";

/** What a load run writes while it goes on, as JSON Lines: a start, each profile when it is measured, and an end. */
export type LoadJournalEntry =
  | {
      readonly kind: "start";
      readonly format: "mailproof-load-journal/1";
      /** Without profiles, and incomplete. */
      readonly run: LoadRun;
    }
  | { readonly kind: "profile"; readonly profile: LoadProfileRun }
  | ({ readonly kind: "end" } & Pick<LoadRun, "durationMs" | "isComplete" | "economics">);

const entrySchema: z.ZodType<LoadJournalEntry> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("start"),
    format: z.literal("mailproof-load-journal/1"),
    run: loadRunSchema,
  }),
  z.strictObject({ kind: z.literal("profile"), profile: loadProfileRunSchema }),
  z.strictObject({
    kind: z.literal("end"),
    ...loadRunSchema.pick({ durationMs: true, isComplete: true, economics: true }).shape,
  }),
]);

/** @returns undefined for a line that is not an entry, such as one that was cut off */
export function parseLoadJournalEntry(line: string): LoadJournalEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    // Not JSON, so no entry either.
    return undefined;
  }
}
