import sections from "../../fixtures/spec/document-sections.json" with { type: "json" };
import { interpretations } from "../../fixtures/spec/interpretations.ts";
import type { JournalStart, JudgedCheck } from "../../reports/journal-format.ts";
import { type Run, type RunCheck, type RunVerdict, runVerdicts } from "../../reports/run-format.ts";
import { requirementOf } from "../../suites/support/judging/check.ts";
import { withoutRepeatedDefects } from "../../suites/support/judging/repeated-defects.ts";
import { cutExchanges } from "./cut-exchanges.ts";
import type { KeptEvidence } from "./kept-evidence.ts";
import { diagnose } from "../diagnosis/diagnose.ts";
import { knowledge } from "../diagnosis/knowledge.ts";
import { requirementResults } from "./requirement-results.ts";
import type { RunJournal } from "./run-journal.ts";

/** Compares the verdicts of a run with each other and with what the profile knows, and counts them. */
export function composeRun(journal: RunJournal, evidence: KeptEvidence = "needed"): Run {
  const { start, fingerprint, expenses, durationMs, isComplete, leftBehind } = journal;
  const order = new Map(start.checks.map((id, at) => [id, at]));
  const judged = withoutRepeatedDefects(
    journal.checks.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)),
  );
  const failed = judged.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  const checks = judged.map((check) => composeCheck(check, failed, start));
  const decided = checks.filter(({ verdict }) => verdict !== "inconclusive" && verdict !== "blocked");
  const exchanges = evidence === "full" ? journal.exchanges : cutExchanges(journal.exchanges, checks);
  const cut = exchanges.filter(({ isCut }) => isCut).length;
  const { id, startedAt, suite, environment, target, profile, isReadOnly } = start;
  return {
    format: "mailproof-run/3",
    id,
    startedAt,
    durationMs,
    suite,
    environment,
    target: { ...target, ...(fingerprint && { fingerprint }) },
    ...(profile && { profile }),
    isComplete,
    ...(isReadOnly && { isReadOnly }),
    counts: countsOf(checks),
    coverage: {
      requirements: start.requirements,
      decided: new Set(
        decided.flatMap(({ requirement }) => (requirement.source === "document" ? [requirement.id] : [])),
      ).size,
    },
    ...expenses,
    ...(leftBehind && { leftBehind }),
    findings: diagnose({ checks }, knowledge),
    sections: sections.map(({ path }) => path),
    requirements: requirementResults(checks, start),
    checks,
    leftOut: start.leftOut,
    interpretations: interpretations
      .filter((one) => checks.some((check) => check.interpretations?.includes(one.id)))
      .map(({ id, question, reading }) => ({ id, question, reading })),
    knownProblems: knownProblems(checks, start),
    ...(cut > 0 && { cutExchanges: cut }),
    exchanges,
  };
}

function composeCheck(judged: JudgedCheck, failed: readonly string[], { known }: JournalStart): RunCheck {
  const { explainedBy, ...check } = judged;
  const explanations = failed.filter((id) => id === explainedBy || requirementOf(id) === explainedBy);
  const expectation = known[check.id];
  return {
    ...check,
    ...(explanations.length > 0 && { explainedBy: explanations }),
    ...(expectation?.verdict === check.verdict && { known: expectation.reason }),
  };
}

function countsOf(checks: readonly RunCheck[]): Run["counts"] {
  const counts = runVerdicts.map(
    (verdict) => [verdict, checks.filter((check) => check.verdict === verdict).length] as const,
  );
  return Object.fromEntries(counts) as Record<RunVerdict, number>;
}

/** Known results that no longer hold or have expired. A check that this run did not select says nothing about its entry. */
function knownProblems(checks: readonly RunCheck[], { known, startedAt }: JournalStart): string[] {
  return Object.entries(known).flatMap(([id, { verdict, expires }]) => {
    const found = checks.find((check) => check.id === id);
    if (found === undefined) return [];
    if (found.verdict !== verdict)
      return [`${id}: known to be ${verdict}, but it is ${found.verdict}; correct or remove the entry`];
    if (expires <= startedAt.slice(0, 10))
      return [`${id}: the entry expired on ${expires}; fix the target, or renew the entry with a reason`];
    return [];
  });
}
