import { type Entry } from "./dictionary.ts";
import type { Observations, SeenSymptom } from "./observations.ts";

/** Checks of many requirements that failed with one and the same observed value. */
export interface CommonAnswer {
  readonly observed: string;
  readonly failed: readonly SeenSymptom[];
}

const leastFailed = 30;
const leastRequirements = 8;
/** A known defect that explains this share of a group is a better explanation than a cause that nobody knows. */
const mostKnown = 0.5;

/** Causes that lie before many rules at once, as an endpoint that answers nothing but 500. */
export function commonAnswers(
  entries: readonly Entry[],
  { symptoms }: Observations,
): readonly CommonAnswer[] {
  const failed = [...symptoms.values()].filter(({ verdict }) => verdict === "fail");
  return [...Map.groupBy(failed, ({ observed = "" }) => observed)]
    .map(([observed, group]) => ({ observed, failed: group }))
    .filter(
      (group) =>
        group.observed !== "" &&
        group.failed.length >= leastFailed &&
        new Set(group.failed.map(({ requirement }) => requirement)).size >= leastRequirements &&
        !areKnown(entries, new Set(group.failed.map(({ id }) => id))),
    );
}

function areKnown(entries: readonly Entry[], failed: ReadonlySet<string>): boolean {
  return entries.some((entry) => isKnown(entry, failed));
}

function isKnown({ predicted, sentence }: Entry, failed: ReadonlySet<string>): boolean {
  if (sentence === undefined) return false;
  return predicted.filter(({ id }) => failed.has(id)).length >= mostKnown * failed.size;
}
