import type { RunFinding, Severity } from "./finding-format.ts";
import { findingWords } from "./finding-words.ts";
import { causeOf } from "./problem.ts";
import type { Run, RunCheck } from "./run-format.ts";

/** One thing to fix, as every report names it: a finding, or the failures of one requirement that no finding explains. */
export interface ReportedProblem {
  /** `F1`, or the id of the requirement. */
  readonly id: string;
  readonly headline: string;
  /** The defects that fit about equally well; empty when one stands out. */
  readonly choices: readonly string[];
  readonly severity?: Severity;
  readonly consequence?: string;
  /** How sure the diagnosis is, in words. */
  readonly sureness?: string;
  readonly cause?: string;
  readonly mend?: string;
  readonly section: string;
  /** The same from run to run. */
  readonly rule: string;
  /** Those that fail for it; the first shows it best. */
  readonly checks: readonly [RunCheck, ...RunCheck[]];
  /** Ids of checks that passed although it would make them fail. */
  readonly against: readonly string[];
}

/** The gravest first. Failures that the profile knows are none. */
export function reportedProblems(run: Run): ReportedProblem[] {
  const byRequirement = Map.groupBy(unexplainedFailures(run), ({ requirement }) => requirement.id);
  const others = [...byRequirement.values()].flatMap((checks) =>
    isNotEmpty(checks) ? [violationBy(checks)] : [],
  );
  return [...findingProblems(run), ...others];
}

/** Those that are findings. */
export function findingProblems(run: Run): ReportedProblem[] {
  const byId = new Map(run.checks.map((check) => [check.id, check]));
  return run.findings.flatMap((finding) => {
    const checks = finding.explains.flatMap((id) => byId.get(id) ?? []);
    return isNotEmpty(checks) ? [problemOf(finding, checks, run)] : [];
  });
}

/** Failing checks, in the order of the report, that neither a finding nor the profile knows of. */
export function unexplainedFailures(run: Run): RunCheck[] {
  const explained = new Set(run.findings.flatMap(({ explains }) => explains));
  return run.checks.filter(
    ({ id, verdict, known }) => verdict === "fail" && known === undefined && !explained.has(id),
  );
}

/** Checks of a verdict, those together that have one cause; the largest group first. */
export function byCause(
  run: Run,
  verdict: "inconclusive" | "blocked" | "warn",
): (readonly [RunCheck, ...RunCheck[]])[] {
  const checks = run.checks.filter((check) => check.verdict === verdict);
  const groups: (readonly RunCheck[])[] = [...Map.groupBy(checks, causeOf).values()];
  return groups.filter(isNotEmpty).toSorted((a, b) => b.length - a.length);
}

function problemOf(
  finding: RunFinding,
  checks: readonly [RunCheck, ...RunCheck[]],
  run: Run,
): ReportedProblem {
  const { id, severity, consequence, cause, mend, section, fault, against } = finding;
  return {
    id,
    ...findingWords(finding, run),
    severity,
    consequence,
    ...(cause !== undefined && { cause }),
    ...(mend !== undefined && { mend }),
    section,
    rule: fault ?? checks[0].requirement.id,
    checks,
    against,
  };
}

function violationBy(checks: readonly [RunCheck, ...RunCheck[]]): ReportedProblem {
  const { requirement } = checks[0];
  return {
    id: requirement.id,
    headline: `Violated: ${requirement.statement}`,
    choices: [],
    section: `${requirement.section} (${requirement.level})`,
    rule: requirement.id,
    checks,
    against: [],
  };
}

function isNotEmpty<Item>(items: readonly Item[]): items is readonly [Item, ...Item[]] {
  return items.length > 0;
}
