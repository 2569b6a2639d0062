import type { RunVerdict } from "./run-format.ts";

/** One character for each verdict, for lists that are read at a glance. */
export const verdictMarks: Record<RunVerdict, string> = {
  pass: "✓",
  fail: "✗",
  warn: "!",
  observed: "·",
  inconclusive: "?",
  blocked: "–",
};
