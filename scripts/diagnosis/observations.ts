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
  return {
    judged: new Set(judged.map(({ id }) => id)),
    symptoms: new Map(seen.map((symptom) => [symptom.id, symptom])),
  };
}

/** The same run with these symptoms alone: what the others showed is not known. */
export function only({ judged, symptoms }: Observations, ids: ReadonlySet<string>): Observations {
  return without({ judged, symptoms }, new Set([...symptoms.keys()].filter((id) => !ids.has(id))));
}

/** The same run without some of its symptoms. */
export function without({ judged, symptoms }: Observations, ids: ReadonlySet<string>): Observations {
  return {
    judged: new Set([...judged].filter((id) => !ids.has(id))),
    symptoms: new Map([...symptoms].filter(([id]) => !ids.has(id))),
  };
}
