import type { Run } from "../run-format.ts";

/** Ids of the findings that a check has to do with. */
export interface FindingsOfCheck {
  readonly explainedBy: readonly string[];
  /** It passed, though the finding would make it fail. */
  readonly contradicts: readonly string[];
}

/** @returns the findings of a check by its id */
export function findingsOfChecks({ findings }: Pick<Run, "findings">): (checkId: string) => FindingsOfCheck {
  const explaining = findingsBy(findings.map(({ id, explains }) => [id, explains]));
  const contradicted = findingsBy(findings.map(({ id, against }) => [id, against]));
  return (checkId) => ({
    explainedBy: explaining.get(checkId) ?? [],
    contradicts: contradicted.get(checkId) ?? [],
  });
}

function findingsBy(
  pairs: readonly (readonly [finding: string, checks: readonly string[]])[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [finding, checks] of pairs)
    for (const check of checks) found.set(check, [...(found.get(check) ?? []), finding]);
  return found;
}
