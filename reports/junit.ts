import { printable } from "./printable.ts";
import { causeLines, causeOf, problemLines } from "./problem.ts";
import type { Run, RunCheck } from "./run-format.ts";

/**
 * A run as JUnit XML for CI servers. A failed check is a failure, an inconclusive one an error, and a blocked one is skipped
 * with its reason, as are those that the profile left out: none of them counts as passed.
 */
export function renderJunit(run: Run): string {
  const suites = [...Map.groupBy(run.checks, (check) => check.suite)];
  const total = (verdicts: readonly string[], checks: readonly RunCheck[] = run.checks): number =>
    checks.filter((check) => verdicts.includes(check.verdict)).length;
  const counts = (checks: readonly RunCheck[], leftOut = 0): string =>
    `tests="${checks.length + leftOut}" failures="${total(["fail"], checks)}" errors="${total(["inconclusive"], checks)}" skipped="${total(["blocked"], checks) + leftOut}"`;
  const leftOut = run.leftOut.flatMap(({ needs, checks }) => checks.map((id) => ({ id, needs })));
  const shownFirst = firstOfEachCause(run);
  const body = suites.map(([suite, checks]) => {
    const seconds = checks.reduce((sum, check) => sum + check.durationMs, 0) / 1000;
    return [
      `  <testsuite name="${attribute(suite)}" ${counts(checks)} time="${seconds.toFixed(3)}">`,
      ...checks.map((check) => testCase(check, run, shownFirst)),
      "  </testsuite>",
    ].join("\n");
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mailproof ${attribute(run.id)}" ${counts(run.checks, leftOut.length)} time="${(run.durationMs / 1000).toFixed(3)}">`,
    ...body,
    ...leftOutSuite(leftOut, counts([], leftOut.length)),
    "</testsuites>",
    "",
  ].join("\n");
}

function leftOutSuite(leftOut: readonly { id: string; needs: string }[], counts: string): string[] {
  if (leftOut.length === 0) return [];
  const cases = leftOut.flatMap(({ id, needs }) => [
    `    <testcase classname="left out" name="${attribute(id)}" time="0.000">`,
    `      <skipped message="${message(`needs ${needs}`)}"/>`,
    "    </testcase>",
  ]);
  return [`  <testsuite name="left out" ${counts} time="0.000">`, ...cases, "  </testsuite>"];
}

/** One cause may stop hundreds of checks; its evidence is shown with the first of them. */
type ShownFirst = ReadonlyMap<string, RunCheck>;

function firstOfEachCause({ checks }: Run): ShownFirst {
  const stopped = checks.filter(({ verdict }) => verdict === "inconclusive");
  return new Map(stopped.toReversed().map((check) => [causeOf(check), check]));
}

function testCase(check: RunCheck, run: Run, shownFirst: ShownFirst): string {
  const open = `    <testcase classname="${attribute(check.suite)}" name="${attribute(check.id)}" time="${(check.durationMs / 1000).toFixed(3)}"`;
  const detail = outcome(check, run, shownFirst);
  return detail === "" ? `${open}/>` : `${open}>\n${detail}\n    </testcase>`;
}

function outcome(check: RunCheck, run: Run, shownFirst: ShownFirst): string {
  const { verdict, sentence, reason = "", known } = check;
  const first = verdict === "inconclusive" ? shownFirst.get(causeOf(check)) : check;
  const problem =
    first === undefined || first === check
      ? problemLines(check, run)
      : [...causeLines(check, run), `evidence: with ${first.id}`];
  const text = (): string =>
    [sentence, ...(known === undefined ? [] : [`known: ${known}`]), ...problem].map(printable).join("\n");
  switch (verdict) {
    case "fail":
      return `      <failure message="${message(reason)}">${content(text())}</failure>`;
    case "inconclusive":
      return `      <error message="${message(reason)}">${content(text())}</error>`;
    case "blocked":
      return `      <skipped message="${message(reason)}"/>`;
    case "warn":
    case "observed":
      return `      <system-out>${content(`${verdict}: ${text()}`)}</system-out>`;
    case "pass":
      return "";
  }
}

function message(reason: string): string {
  return attribute(printable(reason));
}

// XML 1.0 has no way to write these, not even as references. Text from the wire has visible escapes in their place already.
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
