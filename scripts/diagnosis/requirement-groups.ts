import type { SeenSymptom } from "./observations.ts";

/** Failing checks that no known defect explains, and that look as if they had one cause. */
export interface RequirementGroup {
  /** The one that failed most wholly. */
  readonly requirement: string;
  readonly failed: readonly SeenSymptom[];
}

/**
 * By requirement; those of one suite that observed the same belong together.
 *
 * @param judgedOf - by requirement: how many checks of it were judged
 */
export function requirementGroups(
  failed: readonly SeenSymptom[],
  judgedOf: ReadonlyMap<string, number>,
): readonly RequirementGroup[] {
  const alike = Map.groupBy(failed, ({ suite, requirement, observed }) =>
    observed === undefined ? requirement : `${suite}: ${observed}`,
  );
  const groups: SeenSymptom[][] = [];
  for (const group of alike.values()) {
    const requirements = new Set(group.map(({ requirement }) => requirement));
    const met = groups.filter((other) => other.some(({ requirement }) => requirements.has(requirement)));
    for (const one of met) groups.splice(groups.indexOf(one), 1);
    groups.push([...met.flat(), ...group]);
  }
  return groups.map((group) => ({ requirement: mostWhollyFailed(group, judgedOf), failed: group }));
}

function mostWhollyFailed(group: readonly SeenSymptom[], judgedOf: ReadonlyMap<string, number>): string {
  const counts = [...Map.groupBy(group, ({ requirement }) => requirement)].map(([id, { length }]) => ({
    id,
    length,
    share: length / (judgedOf.get(id) ?? length),
  }));
  const [first] = counts.toSorted((a, b) => b.share - a.share || b.length - a.length);
  if (first === undefined) throw new TypeError("a group without a failing check");
  return first.id;
}
