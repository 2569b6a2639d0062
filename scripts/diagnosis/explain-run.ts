import type { RunCheck } from "../../reports/run-format.ts";
import { type CommonAnswer, commonAnswers } from "./common-answers.ts";
import { type Features, featuresOf } from "./confidence.ts";
import type { Entry } from "./dictionary.ts";
import { type Explanation, explain, nearest } from "./explain.ts";
import { familyOf } from "./families.ts";
import { observationsOf, only, without } from "./observations.ts";
import { type RequirementGroup, requirementGroups } from "./requirement-groups.ts";

/** Every failing check of a run is in one of these. */
export interface ExplainedRun {
  readonly common: readonly CommonAnswer[];
  readonly known: readonly Explanation[];
  readonly unknown: readonly RequirementGroup[];
}

/**
 * Common answers first, then what entries explain well, then for each requirement that is left the entry that comes nearest.
 *
 * @param isSure - whether an explanation is good enough to be named
 */
export function explainRun(
  checks: readonly RunCheck[],
  entries: readonly Entry[],
  isSure: (explanation: Explanation) => boolean,
): ExplainedRun {
  const suiteOf = new Map(checks.map(({ id, suite }) => [id, suite]));
  const all = observationsOf({ checks });
  const common = commonAnswers(entries, all);
  const rest = without(all, new Set(common.flatMap(({ failed }) => failed.map(({ id }) => id))));
  const defects = explain(entries, rest, suiteOf).filter(isSure);
  const explained = new Set(defects.flatMap(({ explains }) => explains));
  const left = rest.failing.filter(({ id }) => !explained.has(id));
  const groups = requirementGroups(left, judgedByRequirement(checks)).map((group) => {
    const near = nearest(entries, only(rest, new Set(group.failed.map(({ id }) => id))), suiteOf);
    return { group, near: near !== undefined && isSure(near) ? near : undefined };
  });
  return {
    common,
    known: [...defects, ...groups.flatMap(({ near }) => near ?? [])],
    unknown: groups.filter(({ near }) => near === undefined).map(({ group }) => group),
  };
}

export function featuresIn(explanation: Explanation): Features {
  return featuresOf(explanation, (entry) => familyOf(entry)?.id);
}

function judgedByRequirement(checks: readonly RunCheck[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { requirement, verdict } of checks)
    if (verdict === "pass" || verdict === "fail" || verdict === "warn")
      counts.set(requirement.id, (counts.get(requirement.id) ?? 0) + 1);
  return counts;
}
