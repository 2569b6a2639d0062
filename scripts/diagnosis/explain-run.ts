import type { RunCheck } from "../../reports/run-format.ts";
import { type CommonAnswer, commonAnswers } from "./common-answers.ts";
import type { Entry } from "./dictionary.ts";
import { type Explanation, explain } from "./explain.ts";
import { familyOf } from "./families.ts";
import { isExact } from "./fit.ts";
import { observationsOf, without } from "./observations.ts";
import { type RequirementGroup, requirementGroups } from "./requirement-groups.ts";

/** Every failing check of a run is in one of these. */
export interface ExplainedRun {
  readonly common: readonly CommonAnswer[];
  readonly known: readonly Explanation[];
  readonly unknown: readonly RequirementGroup[];
}

/**
 * Common answers first, then the entries that explain the rest, then by requirement what none of them explains.
 *
 * @param isSure - whether an explanation is good enough to be named
 */
export function explainRun(
  checks: readonly RunCheck[],
  entries: readonly Entry[],
  isSure: (explanation: Explanation) => boolean,
): ExplainedRun {
  const all = observationsOf({ checks });
  const common = commonAnswers(entries, all);
  const rest = without(all, new Set(common.flatMap(({ failed }) => failed.map(({ id }) => id))));
  const known = folded(explain(entries, rest).filter(isSure));
  const explained = new Set(known.flatMap(({ explains }) => explains));
  const left = rest.failing.filter(({ id }) => !explained.has(id));
  return { common, known, unknown: requirementGroups(left, judgedByRequirement(checks)) };
}

/** A finding is folded into one of the same rule that explains so many times as many checks. */
const foldedInto = 4;

/** Without what is likelier another trace of a greater defect of the same rule than a defect of its own. */
function folded(explanations: readonly Explanation[]): readonly Explanation[] {
  const greatest = explanations.toSorted((a, b) => b.explains.length - a.explains.length);
  const greaterThan = ({ fit, explains }: Explanation): Explanation | undefined => {
    const family = familyOf(fit.entry.id);
    const first = greatest.find((one) => familyOf(one.fit.entry.id) === family);
    const isTrace =
      first !== undefined && first.explains.length >= foldedInto * explains.length && !isExact(fit, explains);
    return isTrace ? first : undefined;
  };
  const traces = Map.groupBy(explanations, greaterThan);
  const findings = traces.get(undefined) ?? [];
  return findings.map((finding) => ({
    ...finding,
    explains: [...finding.explains, ...(traces.get(finding) ?? []).flatMap(({ explains }) => explains)],
  }));
}

function judgedByRequirement(checks: readonly RunCheck[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { requirement, verdict } of checks)
    if (verdict === "pass" || verdict === "fail" || verdict === "warn")
      counts.set(requirement.id, (counts.get(requirement.id) ?? 0) + 1);
  return counts;
}
