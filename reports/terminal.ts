import { type Run, type RunCheck, type RunVerdict, runVerdicts } from "./run-format.ts";

const marks: Record<RunVerdict, string> = {
  pass: "✓",
  fail: "✗",
  warn: "!",
  observed: "·",
  inconclusive: "?",
  blocked: "–",
};

const meanings: Record<RunVerdict, string> = {
  pass: "passed",
  fail: "failed",
  warn: "passed with a warning",
  observed: "observed (the document is silent)",
  inconclusive: "inconclusive",
  blocked: "blocked",
};

/** The result of a run for a person at a terminal: what is wrong first, then a line a suite, then the sum. */
export function renderTerminal(run: Run): string {
  return [...problems(run), "", ...suiteLines(run), "", ...closing(run), ""].join("\n");
}

function problems(run: Run): string[] {
  const worst = (["fail", "inconclusive", "blocked", "warn"] as const).flatMap((verdict) => {
    const checks = run.checks.filter((check) => check.verdict === verdict);
    return checks.length === 0 ? [] : ["", `${meanings[verdict]}:`, ...checks.flatMap(problem)];
  });
  return [
    ...worst,
    ...(run.knownProblems.length === 0
      ? []
      : ["", "known results:", ...run.knownProblems.map((line) => `  ${line}`)]),
  ];
}

function problem(check: RunCheck): string[] {
  const known = check.known === undefined ? "" : ` (known: ${check.known})`;
  const evidence =
    check.verdict === "fail" && check.exchanges.length > 0
      ? [
          `      exchanges ${check.exchanges
            .slice(-3)
            .map(({ number }) => number)
            .join(", ")} in run.json; ${check.requirement.section}`,
        ]
      : [];
  const detail =
    check.expected === undefined
      ? [`      ${check.reason ?? ""}`]
      : [`      expected ${check.expected}`, `      observed ${check.observed ?? ""}`];
  return [`  ${marks[check.verdict]} ${check.id}${known}  ${check.sentence}`, ...detail, ...evidence];
}

function suiteLines(run: Run): string[] {
  const suites = [...Map.groupBy(run.checks, (check) => check.suite)];
  const width = Math.max(0, ...suites.map(([suite]) => suite.length));
  return suites.map(([suite, checks]) => {
    const counted = runVerdicts.flatMap((verdict) => {
      const count = checks.filter((check) => check.verdict === verdict).length;
      return count === 0 ? [] : [`${marks[verdict]} ${count}`];
    });
    return `  ${suite.padEnd(width)}  ${counted.join("  ")}`;
  });
}

function closing(run: Run): string[] {
  const counted = runVerdicts.flatMap((verdict) =>
    run.counts[verdict] === 0 ? [] : [`${run.counts[verdict]} ${meanings[verdict]}`],
  );
  const ledger = Object.entries(run.ledger).map(([what, count]) => `${count} ${what.replace("_", "-")}`);
  const seconds = (run.durationMs / 1000).toFixed(1);
  return [
    `${run.checks.length} checks in ${seconds} s: ${counted.join(", ") || "none judged"}${run.isComplete ? "" : " (interrupted)"}`,
    `${run.coverage.decided} of the document's ${run.coverage.requirements} requirements decided`,
    `${run.exchanges.length} exchanges; left behind: ${ledger.join(", ")}; proof of work: ${run.proofOfWork.tries} tries, ${(run.proofOfWork.busyMs / 1000).toFixed(1)} s`,
  ];
}
