import { UsageError } from "../usage-error.ts";

/** Which exchanges a `run.json` holds whole: those that its verdicts are understood from, or all. */
export type KeptEvidence = "needed" | "full";

/** @throws {UsageError} */
export function keptEvidenceOption(option: string): KeptEvidence {
  if (option === "needed" || option === "full") return option;
  throw new UsageError(`--evidence ${option}: give needed or full`);
}
