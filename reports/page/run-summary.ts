import { formatCount } from "../format.ts";
import { findingWords } from "../finding-words.ts";
import { notSelected } from "../not-selected.ts";
import type { Run, RunCheck } from "../run-format.ts";

/** The answer to "does it conform, and if not, what first?". */
export interface RunSummary {
  readonly tone: "good" | "warning" | "bad" | "unknown";
  /** One sentence. */
  readonly verdict: string;
  /** What limits the verdict, a sentence each. */
  readonly limits: readonly string[];
}

/** The worst outcome decides, as it decides the exit code. */
export function runSummary(run: Run): RunSummary {
  return { ...verdictOf(run), limits: limitsOf(run) };
}

function verdictOf(run: Run): Pick<RunSummary, "tone" | "verdict"> {
  const unexpected = run.checks.filter(({ known }) => known === undefined);
  const failed = unexpected.filter(({ verdict }) => verdict === "fail");
  const undecided = undecidedChecks(run);
  const knownFailures = run.checks.filter(({ verdict, known }) => verdict === "fail" && known !== undefined);
  const defects = run.checks.filter(({ defect }) => defect).length;
  if (run.checks.length === 0) return { tone: "unknown", verdict: "Nothing was judged." };
  if (failed.length > 0) return { tone: "bad", verdict: violationSentence(run, failed) };
  if (defects > 0)
    return {
      tone: "unknown",
      verdict: `No verdict: ${formatCount(defects, "check")} hit a defect of mailproof.`,
    };
  if (run.knownProblems.length > 0)
    return {
      tone: "bad",
      verdict: `No new violation, but ${formatCount(run.knownProblems.length, "known result")} must be corrected.`,
    };
  if (undecided.length > 0)
    return {
      tone: "unknown",
      verdict: `Undecided: no violation was found, but ${formatCount(undecided.length, "check")} could not be decided.`,
    };
  if (!run.isComplete)
    return { tone: "unknown", verdict: "Undecided: no violation was found before the run ended early." };
  if (knownFailures.length > 0)
    return {
      tone: "warning",
      verdict: `Nothing new: the only violations are ${formatCount(knownFailures.length, "known result")}.`,
    };
  const held = run.requirements.filter(({ verdict }) => verdict !== undefined).length;
  const isPart = run.requirements.some(({ notJudged }) => notJudged === notSelected);
  return {
    tone: "good",
    verdict: isPart
      ? `Nothing failed of what was selected: ${formatCount(held, "requirement")}.`
      : `It conforms: no check failed, and each of the ${formatCount(held, "requirement")} that this run covers was decided.`,
  };
}

function violationSentence(run: Run, failed: readonly RunCheck[]): string {
  const violated = new Set(failed.map(({ requirement }) => requirement.id)).size;
  const [first] = run.findings;
  const start = `It does not conform: ${formatCount(violated, "requirement is", "requirements are")} violated.`;
  return first === undefined ? start : `${start} First of all: ${findingWords(first, run).headline}`;
}

/** Those that say nothing, without known ones and those that a read-only run does not try. */
export function undecidedChecks({ checks, isReadOnly }: Pick<Run, "checks" | "isReadOnly">): RunCheck[] {
  return checks.filter(
    ({ verdict, known }) =>
      known === undefined && (verdict === "inconclusive" || (verdict === "blocked" && !isReadOnly)),
  );
}

function limitsOf(run: Run): string[] {
  const { coverage, leftOut } = run;
  const lacking = coverage.requirements - coverage.decided;
  const left = leftOut.reduce((sum, { checks }) => sum + checks.length, 0);
  return [
    ...(run.isComplete ? [] : ["The run ended before all of its checks were judged."]),
    ...(run.isReadOnly ? ["It was read-only: what needs something to be made was not tried."] : []),
    ...(lacking > 0
      ? [
          `${formatCount(lacking, "requirement")} of the document’s ${coverage.requirements} ${lacking === 1 ? "is" : "are"} not decided by this run.`,
        ]
      : []),
    ...(left > 0
      ? [
          `${formatCount(left, "check")} ${left === 1 ? "was" : "were"} left out for lack of a key in the profile.`,
        ]
      : []),
  ];
}
