import type { Run, RunCheck } from "./run-format.ts";

/**
 * The run as JUnit XML, as CI servers read it. A violation is a failure, what could not be judged an error, and what lacks a
 * need is skipped with its reason: none of them counts as passed.
 */
export function renderJunit(run: Run): string {
  const suites = [...Map.groupBy(run.checks, (check) => check.suite)];
  const total = (verdicts: readonly string[], checks: readonly RunCheck[] = run.checks): number =>
    checks.filter((check) => verdicts.includes(check.verdict)).length;
  const counts = (checks: readonly RunCheck[]): string =>
    `tests="${checks.length}" failures="${total(["fail"], checks)}" errors="${total(["inconclusive"], checks)}" skipped="${total(["blocked"], checks)}"`;
  const body = suites.map(([suite, checks]) => {
    const seconds = checks.reduce((sum, check) => sum + check.durationMs, 0) / 1000;
    return [
      `  <testsuite name="${attribute(suite)}" ${counts(checks)} time="${seconds.toFixed(3)}">`,
      ...checks.map(testCase),
      "  </testsuite>",
    ].join("\n");
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mailproof ${attribute(run.id)}" ${counts(run.checks)} time="${(run.durationMs / 1000).toFixed(3)}">`,
    ...body,
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(check: RunCheck): string {
  const open = `    <testcase classname="${attribute(check.suite)}" name="${attribute(check.id)}" time="${(check.durationMs / 1000).toFixed(3)}"`;
  const detail = outcome(check);
  return detail === "" ? `${open}/>` : `${open}>\n${detail}\n    </testcase>`;
}

function outcome(check: RunCheck): string {
  const { verdict, sentence, reason = "" } = check;
  const text = [sentence, reason, check.known === undefined ? "" : `known: ${check.known}`]
    .filter((line) => line !== "")
    .join("\n");
  switch (verdict) {
    case "fail":
      return `      <failure message="${attribute(reason)}">${content(text)}</failure>`;
    case "inconclusive":
      return `      <error message="${attribute(reason)}">${content(text)}</error>`;
    case "blocked":
      return `      <skipped message="${attribute(reason)}"/>`;
    case "warn":
    case "observed":
      return `      <system-out>${content(`${verdict}: ${text}`)}</system-out>`;
    case "pass":
      return "";
  }
}

// XML 1.0 has no way to write most control characters, not even as references.
const unwritable = /[^\u{9}\u{A}\u{D}\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function content(text: string): string {
  return text
    .replaceAll(unwritable, "\u{FFFD}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function attribute(text: string): string {
  return content(text)
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\r", "&#13;")
    .replaceAll("\t", "&#9;");
}
