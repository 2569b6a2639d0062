import { printable } from "../../reports/printable.ts";
import type { RunCheck, RunVerdict } from "../../reports/run-format.ts";
import { stableText } from "../../reports/stable-text.ts";

/** What became of a check of a run. The first three are of one that failed. */
export type ReplayOutcome =
  "FIXED" | "STILL FAILS" | "DIFFERENT" | "SAME" | "CHANGED" | "BROKEN" | "UNDECIDED";

/** @param now - undefined when it was not judged */
export function outcomeOf(before: RunCheck, now: RunCheck | undefined): ReplayOutcome {
  if (now === undefined || now.verdict === "inconclusive" || now.verdict === "blocked") return "UNDECIDED";
  const isSame = now.verdict === before.verdict && stableText(wordsOf(now)) === stableText(wordsOf(before));
  if (before.verdict === "fail") {
    if (now.verdict !== "fail") return "FIXED";
    return isSame ? "STILL FAILS" : "DIFFERENT";
  }
  if (now.verdict === "fail") return "BROKEN";
  return isSame ? "SAME" : "CHANGED";
}

/** What the verdict says: both sides of a violation, or the reason. */
export function wordsOf({ expected, observed, reason = "" }: RunCheck): string {
  return expected === undefined ? reason : `expected ${expected}, observed ${observed ?? ""}`;
}

const verdictWords: Record<RunVerdict, string> = {
  pass: "it passes",
  fail: "it fails",
  warn: "it warns",
  observed: "it is observed",
  inconclusive: "it is inconclusive",
  blocked: "it is blocked",
};

/** `STILL FAILS  REDIR-08/upper-case-host: expected no code, observed a code was issued` */
export function outcomeLine(
  outcome: ReplayOutcome,
  before: RunCheck,
  now: RunCheck | undefined,
  tries: number,
): string {
  const words = now === undefined ? "it was not judged" : wordsOf(now) || verdictWords[now.verdict];
  const often = outcome === "FIXED" && tries > 1 ? `; it passed ${tries} times in a row` : "";
  const was = ["DIFFERENT", "CHANGED", "BROKEN"].includes(outcome)
    ? `; before: ${wordsOf(before) || before.verdict}`
    : "";
  return printable(`${outcome}  ${before.id}: ${words}${often}${was}`);
}
