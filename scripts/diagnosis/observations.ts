import type { Run } from "../../reports/run-format.ts";
import { normalValue, wordsOf } from "./normal-value.ts";

/** A check of a run that failed or warned. */
export interface SeenSymptom {
  readonly id: string;
  readonly verdict: "fail" | "warn";
  /** Normalised. */
  readonly observed: string | undefined;
  readonly words: ReadonlySet<string>;
  readonly requirement: string;
  readonly suite: string;
}

/** What a run tells about defects. */
export interface Observations {
  /** Checks that passed, warned or failed: what the others would have shown is not known. */
  readonly judged: ReadonlySet<string>;
  readonly symptoms: ReadonlyMap<string, SeenSymptom>;
  readonly failing: readonly SeenSymptom[];
  /** Of the symptoms. */
  readonly requirements: ReadonlySet<string>;
}

export function observationsOf({ checks }: Pick<Run, "checks">): Observations {
  const judged = checks.filter(({ verdict }) => ["pass", "fail", "warn"].includes(verdict));
  const seen = judged.flatMap(({ id, verdict, observed, reason, requirement, suite }): SeenSymptom[] => {
    if (verdict !== "fail" && verdict !== "warn") return [];
    const value = observed ?? reason;
    const normal = value === undefined ? undefined : normalValue(value);
    return [
      { id, verdict, observed: normal, words: wordsOf(normal ?? ""), requirement: requirement.id, suite },
    ];
  });
  // So that the order of a run decides nothing.
  const ordered = seen.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return observed(new Set(judged.map(({ id }) => id)), ordered);
}

function observed(judged: ReadonlySet<string>, seen: readonly SeenSymptom[]): Observations {
  return {
    judged,
    symptoms: new Map(seen.map((symptom) => [symptom.id, symptom])),
    failing: seen.filter(({ verdict }) => verdict === "fail"),
    requirements: new Set(seen.map(({ requirement }) => requirement)),
  };
}

/** The same run without some of its symptoms. */
export function without({ judged, symptoms }: Observations, ids: ReadonlySet<string>): Observations {
  if (ids.size === 0) return observed(judged, [...symptoms.values()]);
  return observed(
    new Set([...judged].filter((id) => !ids.has(id))),
    [...symptoms.values()].filter(({ id }) => !ids.has(id)),
  );
}
