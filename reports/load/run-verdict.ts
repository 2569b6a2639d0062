import type { LoadProfileRun, LoadRun } from "../load-format.ts";
import { formatCount } from "../format.ts";

export interface RunVerdict {
  readonly tone: "good" | "warning" | "bad" | "unknown";
  /** One line, lower case. */
  readonly text: string;
}

/** The verdict of a run: the worst result decides. */
export function runVerdict(run: LoadRun): RunVerdict {
  const named = (verdict: LoadProfileRun["verdict"]): string[] =>
    run.profiles.filter((profile) => profile.verdict === verdict).map(({ name }) => name);
  const regressions = run.baseline?.comparisons.filter(({ isRegression }) => isRegression).length ?? 0;
  const [violated, invalid, warned] = [named("violated"), named("invalid"), named("warns")];
  const missed = run.profiles.filter(missedThreshold).map(({ name }) => name);
  const incomplete = [
    ...(run.isComplete ? [] : ["the run was interrupted"]),
    ...(invalid.length === 0 ? [] : [`no verdict on ${invalid.join(", ")}`]),
  ];
  const suffix = incomplete.length === 0 ? "" : `; ${incomplete.join("; ")}`;
  const missedSuffix = missed.length === 0 ? "" : `; thresholds were missed in ${missed.join(", ")}`;

  if (run.profiles.length === 0)
    return {
      tone: "unknown",
      text: `nothing was measured${run.isComplete ? "" : ": the run was interrupted"}`,
    };
  if (violated.length > 0)
    return {
      tone: "bad",
      text: `the target violated the interface document under load in ${violated.join(", ")}${missedSuffix}${suffix}`,
    };
  if (missed.length > 0)
    return { tone: "bad", text: `thresholds were missed in ${missed.join(", ")}${suffix}` };
  if (regressions > 0)
    return {
      tone: "bad",
      text: `all judged thresholds passed, with ${formatCount(regressions, "regression")} since ${run.baseline?.id ?? ""}${suffix}`,
    };
  if (incomplete.length > 0) return { tone: "unknown", text: `incomplete: ${incomplete.join("; ")}` };
  if (run.shard !== undefined)
    return { tone: "unknown", text: "one shard of a run: merge all shards for a verdict" };
  if (warned.length > 0)
    return { tone: "warning", text: `the target passed, with warnings in ${warned.join(", ")}` };
  const unjudged = run.profiles
    .flatMap(({ thresholds }) => thresholds)
    .filter(({ verdict }) => verdict === "not-judged").length;
  const note = unjudged === 0 ? "" : ` (${formatCount(unjudged, "threshold")} not judged)`;
  return { tone: "good", text: `the target passed: no violation, no missed threshold${note}` };
}

/** A profile with the verdict `violated` may have missed thresholds too. */
function missedThreshold({ verdict, invalid, thresholds }: LoadProfileRun): boolean {
  if (verdict !== "violated") return verdict === "missed";
  return invalid.length === 0 && thresholds.some((threshold) => threshold.verdict === "missed");
}
