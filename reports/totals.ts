import { counted } from "./format.ts";
import { type Run, type RunVerdict, runVerdicts } from "./run-format.ts";

/** How each verdict is counted in sentences. */
export const meanings: Readonly<Record<RunVerdict, string>> = {
  pass: "passed",
  fail: "failed",
  warn: "passed with a warning",
  observed: "observed (the document is silent)",
  inconclusive: "inconclusive",
  blocked: "blocked",
};

/** `12 checks in 3.4 s: 11 passed, 1 failed` */
export function totals(run: Run): string {
  const perVerdict = runVerdicts.flatMap((verdict) =>
    run.counts[verdict] === 0 ? [] : [`${run.counts[verdict]} ${meanings[verdict]}`],
  );
  const seconds = (run.durationMs / 1000).toFixed(1);
  return `${counted(run.checks.length, "check")} in ${seconds} s: ${perVerdict.join(", ") || "none judged"}${run.isComplete ? "" : " (interrupted)"}`;
}

export function coverageWords({ coverage }: Run): string {
  return `${coverage.decided} of the document's ${coverage.requirements} requirements decided`;
}

/** The first ids of a list, and how many more there are. */
export function someIds(ids: readonly string[], most = 10): string {
  const leftOut = ids.length - most;
  return `${ids.slice(0, most).join(", ")}${leftOut > 0 ? ` and ${leftOut} more` : ""}`;
}
