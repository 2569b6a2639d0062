import { counted } from "../format.ts";
import { runVerdicts } from "../run-format.ts";
import type { ChangeKind } from "./change.ts";
import type { Against, ComparedRun, Comparison } from "./comparison.ts";
import type { TimingShift } from "./timing.ts";

/** What all formats say alike. */
export const changeTitles: Record<ChangeKind, string> = {
  broken: "broken: they fail now",
  warned: "they passed, and warn now",
  undecided: "no longer decided",
  new: "new: judged only now",
  fixed: "fixed",
  improved: "improved",
  "fails differently": "they fail or warn for another reason",
  "answers differently": "changed observations",
  gone: "gone: not judged now",
};

export const notJudgedMark = " ";

export function headline({ isWorse, against, runs }: Comparison): string {
  const changed = against.some(({ changes }) => changes.length > 0);
  const notJudged = against.reduce((sum, one) => sum + one.notJudged, 0);
  const unknown = `; ${counted(notJudged, "check")} of A ${notJudged === 1 ? "was" : "were"} not judged`;
  if (runs.length > 2) {
    if (isWorse) return "some are worse than A";
    return notJudged > 0 ? `none is worse than A in what it judged${unknown}` : "none is worse than A";
  }
  if (isWorse) return `something became worse: ${against.map(countWords).join(", ")}`;
  if (notJudged > 0) return `nothing that was judged became worse${unknown}`;
  return changed ? "nothing became worse" : "nothing changed";
}

/** How a comparison as a whole is to be taken. */
export function toneOf({ isWorse, against }: Comparison): "bad" | "warning" | "good" {
  if (isWorse) return "bad";
  return against.some(({ notJudged }) => notJudged > 0) ? "warning" : "good";
}

export function countWords({ changes }: Against): string {
  const counts = [...Map.groupBy(changes, ({ kind }) => kind)].map(([kind, of]) => `${of.length} ${kind}`);
  return counts.join(", ") || "nothing changed";
}

export function executedWords(run: ComparedRun): string {
  const verdicts = runVerdicts.flatMap((verdict) =>
    run.counts[verdict] === 0 ? [] : [`${run.counts[verdict]} ${verdict}`],
  );
  const leftOut = run.leftOut === 0 ? "" : `, ${run.leftOut} left out`;
  const seconds = (run.durationMs / 1000).toFixed(1);
  return `${run.checks} checks in ${seconds} s (${verdicts.join(", ") || "none judged"}${leftOut}); ${run.decided} of ${run.requirements} requirements decided; mailproof ${run.suiteVersion}${run.isComplete ? "" : "; incomplete"}`;
}

export function timingWords({ route, beforeMs, afterMs }: TimingShift): string {
  const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
  return `${route}: median ${ms(beforeMs.median)} ms, now ${ms(afterMs.median)} ms (middle half ${ms(beforeMs.low)} to ${ms(beforeMs.high)}, now ${ms(afterMs.low)} to ${ms(afterMs.high)})`;
}
