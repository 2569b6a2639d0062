import { requirementOf } from "./check.ts";
import type { CheckResult } from "./judge.ts";

type Explained = Pick<CheckResult, "id" | "verdict" | "explainedBy">;
type Sided = Explained & Partial<Pick<CheckResult, "expected" | "observed">>;

/** The results, with those that {@link repeatedDefects} names turned into inconclusive ones. */
export function withoutRepeatedDefects<Result extends Sided>(
  results: readonly Result[],
): (Result | Omit<Result, "expected" | "observed">)[] {
  const repeated = repeatedDefects(results);
  return results.map((result) => {
    if (!repeated.has(result.id)) return result;
    const { expected: _expected, observed: _observed, ...rest } = result;
    return { ...rest, verdict: "inconclusive" };
  });
}

/**
 * Ids of violations that another check judges by itself, and that fails there too: each is one defect seen twice, and the
 * check could not judge what its own claim is about. An explanation by a requirement means its checks, but none of the
 * check's own.
 */
function repeatedDefects(results: readonly Explained[]): ReadonlySet<string> {
  const failed = results.filter(({ verdict }) => verdict === "fail");
  const repeated = explainedIn(failed, isExplainedBy);
  // A requirement may stand for a check that is explained in turn by one of those: the one that is named counts then.
  const left = failed.filter(({ id }) => !repeated.has(id));
  return new Set([
    ...repeated,
    ...explainedIn(left, ({ id, explainedBy }, other) => other.id !== id && other.id === explainedBy),
  ]);
}

function isExplainedBy({ id, explainedBy }: Explained, other: Explained): boolean {
  return (
    other.id !== id &&
    (other.id === explainedBy ||
      (requirementOf(other.id) === explainedBy && requirementOf(id) !== explainedBy))
  );
}

/** Those that others explain, which have no explanation themselves or one that leads to such others. */
function explainedIn(
  failed: readonly Explained[],
  explains: (violation: Explained, other: Explained) => boolean,
): ReadonlySet<string> {
  const explanations = new Map(
    failed.map((result) => [result.id, failed.filter((other) => explains(result, other))]),
  );
  // What explains the others in the end has no explanation itself. Checks that explain each other explain nothing: a
  // violation must never be lost.
  const roots = new Set(failed.map(({ id }) => id).filter((id) => explanations.get(id)?.length === 0));
  const settled = new Set(roots);
  let before = -1;
  while (before < settled.size) {
    before = settled.size;
    for (const [id, by] of explanations) if (by.some((other) => settled.has(other.id))) settled.add(id);
  }
  return new Set([...settled].filter((id) => !roots.has(id)));
}
