import type { LoadProfileRun, LoadRun } from "../load-format.ts";
import { count } from "./words.ts";

export interface RunVerdict {
  readonly tone: "good" | "warning" | "bad" | "unknown";
  /** One line, lower case. */
  readonly text: string;
}

/** The worst that the run has to say. */
export function runVerdict(run: LoadRun): RunVerdict {
  const named = (verdict: LoadProfileRun["verdict"]): string[] =>
    run.profiles.filter((profile) => profile.verdict === verdict).map(({ name }) => name);
  const regressions = run.baseline?.comparisons.filter(({ isRegression }) => isRegression).length ?? 0;
  const [violated, invalid, warns] = [named("violated"), named("invalid"), named("warns")];
  const missed = run.profiles.filter(missesThreshold).map(({ name }) => name);
  const also = [
    ...(run.isComplete ? [] : ["the run was interrupted"]),
    ...(invalid.length === 0 ? [] : [`no verdict on ${invalid.join(", ")}`]),
  ];
  const ending = also.length === 0 ? "" : `; ${also.join("; ")}`;
  const alsoMissed = missed.length === 0 ? "" : `; thresholds were missed in ${missed.join(", ")}`;

  if (run.profiles.length === 0)
    return {
      tone: "unknown",
      text: `nothing was measured${run.isComplete ? "" : ": the run was interrupted"}`,
    };
  if (violated.length > 0)
    return {
      tone: "bad",
      text: `the target broke the interface document under load, in ${violated.join(", ")}${alsoMissed}${ending}`,
    };
  if (missed.length > 0)
    return { tone: "bad", text: `thresholds were missed in ${missed.join(", ")}${ending}` };
  if (regressions > 0)
    return {
      tone: "bad",
      text: `every threshold that was judged holds, with ${count(regressions, "regression")} since ${run.baseline?.id ?? ""}${ending}`,
    };
  if (also.length > 0) return { tone: "unknown", text: `incomplete: ${also.join("; ")}` };
  if (run.shard !== undefined)
    return { tone: "unknown", text: "a part of a run: merge it with the others for a verdict" };
  if (warns.length > 0)
    return { tone: "warning", text: `the target holds, with warnings in ${warns.join(", ")}` };
  const unjudged = run.profiles
    .flatMap(({ thresholds }) => thresholds)
    .filter(({ verdict }) => verdict === "not-judged").length;
  const thresholds =
    unjudged === 0 ? "every threshold" : `every threshold but ${unjudged} that could not be judged`;
  return { tone: "good", text: `the target holds: ${thresholds}, and the document in every answer` };
}

/** A violation goes before a missed threshold in a profile's verdict, and does not undo it. */
function missesThreshold({ verdict, invalid, thresholds }: LoadProfileRun): boolean {
  if (verdict !== "violated") return verdict === "missed";
  return invalid.length === 0 && thresholds.some((threshold) => threshold.verdict === "missed");
}
