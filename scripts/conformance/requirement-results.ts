import { requirements } from "../../fixtures/spec/requirements.ts";
import type { JournalStart } from "../../reports/journal-format.ts";
import { notSelected } from "../../reports/not-selected.ts";
import type { RunCheck, RunRequirement, RunStatement, RunVerdict } from "../../reports/run-format.ts";
import { requirementOf } from "../../suites/support/judging/check.ts";
import { judgedElsewhere, notJudged } from "../../suites/unchecked.ts";

// What one check decides is decided, even where another only records what the target chose.
const worstFirst: readonly RunVerdict[] = ["fail", "inconclusive", "blocked", "warn", "pass", "observed"];

/** Every requirement with what this run says of it, those without a check included. */
export function requirementResults(checks: readonly RunCheck[], start: JournalStart): RunRequirement[] {
  const byRequirement = Map.groupBy(checks, (check) => check.requirement.id);
  const begun = new Set(start.checks.map(requirementOf));
  const own = checks.map(({ requirement }) => requirement).filter(({ source }) => source === "own");
  const statements = new Map<string, RunStatement>(
    [...requirements.values(), ...own].map((requirement) => [requirement.id, requirement]),
  );
  return [...statements.values()].map((statement) => {
    const judged = byRequirement.get(statement.id) ?? [];
    const verdict = worstFirst.find((one) => judged.some((check) => check.verdict === one));
    return {
      ...statement,
      checks: judged.map(({ id }) => id),
      ...(verdict === undefined ? { notJudged: reasonOf(statement.id, start, begun) } : { verdict }),
    };
  });
}

/** @param begun - the requirements of the run's checks */
function reasonOf(id: string, { leftOut }: JournalStart, begun: ReadonlySet<string>): string {
  const lacking = leftOut.find((one) => one.checks.some((check) => requirementOf(check) === id));
  if (lacking !== undefined) return `needs ${lacking.needs}`;
  const elsewhere = judgedElsewhere[id];
  if (elsewhere !== undefined) return `judged by ${elsewhere.join(", ")}`;
  const unjudgeable = notJudged[id];
  if (unjudgeable !== undefined) {
    const { reason, unlockedBy } = unjudgeable;
    return unlockedBy === undefined ? reason : `${reason}; needs ${unlockedBy}`;
  }
  return begun.has(id) ? "the run ended before it was judged" : notSelected;
}
