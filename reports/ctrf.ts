import { printable } from "./printable.ts";
import { causeLines, problemLines } from "./problem.ts";
import { type Run, type RunCheck, type RunVerdict } from "./run-format.ts";

type Status = "passed" | "failed" | "skipped" | "other";

/** CTRF knows no doubt: what could not be decided is neither passed nor failed. */
const statuses: Readonly<Record<RunVerdict, Status>> = {
  pass: "passed",
  fail: "failed",
  warn: "passed",
  observed: "passed",
  inconclusive: "other",
  blocked: "skipped",
};

/** A run as a Common Test Report Format document. */
export function renderCtrf(run: Run): string {
  const tests = [
    ...run.checks.map((check) => testOf(check, run)),
    ...run.leftOut.flatMap(({ needs, checks }) => checks.map((id) => leftOut(id, needs))),
  ];
  const counted = (status: Status): number => tests.filter((test) => test.status === status).length;
  const start = Date.parse(run.startedAt);
  const report = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    runId: run.id,
    timestamp: run.startedAt,
    generatedBy: "mailproof",
    results: {
      tool: { name: run.suite.name, version: run.suite.version },
      summary: {
        tests: tests.length,
        passed: counted("passed"),
        failed: counted("failed"),
        skipped: counted("skipped"),
        pending: 0,
        other: counted("other"),
        suites: new Set(run.checks.map(({ suite }) => suite)).size,
        start,
        stop: start + Math.round(run.durationMs),
        duration: Math.round(run.durationMs),
        extra: { isComplete: run.isComplete, coverage: run.coverage },
      },
      tests,
      environment: {
        appName: run.target.authUrl,
        osPlatform: run.environment.os,
        extra: { fingerprint: run.target.fingerprint ?? {} },
      },
    },
  };
  return `${JSON.stringify(report, undefined, 1)}\n`;
}

function testOf(check: RunCheck, run: Run) {
  const { id, suite, sentence, verdict, durationMs, requirement, known } = check;
  const message = verdict === "pass" ? [] : causeLines(check, run);
  const trace = verdict === "fail" || verdict === "inconclusive" ? problemLines(check, run) : [];
  return {
    testId: id,
    name: `${id} ${printable(sentence)}`,
    status: statuses[verdict],
    rawStatus: verdict,
    duration: Math.round(durationMs),
    suite: [suite],
    tags: [requirement.level],
    ...(message.length > 0 && { message: text(message) }),
    ...(trace.length > 0 && { trace: text(trace) }),
    extra: {
      requirement: requirement.id,
      section: requirement.section,
      ...(known !== undefined && { known: printable(known) }),
    },
  };
}

function leftOut(id: string, needs: string) {
  return {
    testId: id,
    name: id,
    status: "skipped" as const,
    rawStatus: "left out",
    duration: 0,
    message: printable(`needs ${needs}`),
  };
}

function text(lines: readonly string[]): string {
  return lines.map(printable).join("\n");
}
