import type { RunRequirement, RunVerdict } from "../run-format.ts";

/** A verdict, or that of a requirement that no check of the run judged. */
export type ShownVerdict = RunVerdict | "none";

/** From what has to be looked at first to what does not. */
export const shownVerdicts: readonly ShownVerdict[] = [
  "fail",
  "inconclusive",
  "blocked",
  "warn",
  "observed",
  "none",
  "pass",
];

export const verdictMarks: Readonly<Record<ShownVerdict, string>> = {
  fail: "✗",
  inconclusive: "?",
  blocked: "–",
  warn: "!",
  observed: "·",
  none: "○",
  pass: "✓",
};

export const verdictWords: Readonly<Record<ShownVerdict, string>> = {
  fail: "failed",
  inconclusive: "inconclusive",
  blocked: "blocked",
  warn: "warned",
  observed: "observed",
  none: "not judged",
  pass: "passed",
};

export function shownVerdict({ verdict }: Pick<RunRequirement, "verdict">): ShownVerdict {
  return verdict ?? "none";
}
