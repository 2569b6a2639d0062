import { evidenceLines, indented, shownExchanges } from "./evidence.ts";
import { leftBehindWords } from "./left-behind.ts";
import { printable } from "./printable.ts";
import { causeOf, explanationLines, factLines, problemLines, reasonLines } from "./problem.ts";
import { type Run, type RunCheck, type RunLeftOut, type RunVerdict, runVerdicts } from "./run-format.ts";

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

// More would bury the rest; run.json has them all.
const mostInFull = 10;
const mostIds = 10;

/** A run for a person at a terminal: problems first, then a line for each suite, then the totals. */
export function renderTerminal(run: Run): string {
  return [
    ...failureLines(run),
    ...groupedLines(run, "inconclusive"),
    ...groupedLines(run, "blocked"),
    ...groupedLines(run, "warn"),
    ...titled("known results", run.knownProblems),
    ...titled("not judged, for lack of a key in the profile", run.leftOut.flatMap(leftOutLines)),
    "",
    ...suiteLines(run),
    "",
    ...closing(run),
    "",
  ]
    .map(printable)
    .join("\n");
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...indented(lines)];
}

/** The first ones in full; the rest, and the known ones, without evidence. */
function failureLines(run: Run): string[] {
  const failed = run.checks.filter(({ verdict }) => verdict === "fail");
  const unexpected = failed.filter(({ known }) => known === undefined);
  const inFull = unexpected.slice(0, mostInFull);
  const short = [...unexpected.slice(mostInFull), ...failed.filter(({ known }) => known !== undefined)];
  return titled(meanings.fail, [
    ...inFull.flatMap((check) => [headline(check), ...detail(problemLines(check, run)), ""]),
    ...short.flatMap((check) => [headline(check), ...detail([...factLines(check), ...pointer(check, run)])]),
  ]);
}

function headline({ verdict, id, sentence, known }: RunCheck): string {
  return `${marks[verdict]} ${id}${knownNote(known)}  ${sentence}`;
}

function knownNote(known: string | undefined): string {
  return known === undefined ? "" : ` (known: ${known})`;
}

function detail(lines: readonly string[]): string[] {
  return indented(indented(lines));
}

function pointer(check: RunCheck, run: Run): string[] {
  const [first] = shownExchanges(check, run);
  return first === undefined ? [] : [`exchange ${first.exchange.number} in run.json`];
}

/** Checks that one cause stopped, or that warn of the same, are one item. */
function groupedLines(run: Run, verdict: "inconclusive" | "blocked" | "warn"): string[] {
  const checks = run.checks.filter((check) => check.verdict === verdict);
  const groups = [...Map.groupBy(checks, causeOf).values()].toSorted((a, b) => b.length - a.length);
  return titled(
    meanings[verdict],
    groups.flatMap((group, at) => groupLines(group, run, at < mostInFull)),
  );
}

function groupLines(group: readonly RunCheck[], run: Run, isInFull: boolean): string[] {
  const [first] = group;
  if (first === undefined) return [];
  // The reason of a warning is enough.
  const proof = first.verdict === "warn" ? [] : isInFull ? evidenceLines(first, run) : pointer(first, run);
  const cause = [...reasonLines(first), ...explanationLines(first)];
  if (group.length === 1) return [headline(first), ...detail([...cause, ...proof])];
  const [reason = "", ...more] = cause;
  return [
    `${marks[first.verdict]} ${group.length} checks${knownNote(first.known)}: ${reason}`,
    ...detail([
      ...more,
      idList(group),
      ...(proof.length === 0 ? [] : [`for example ${first.id}:`, ...proof]),
    ]),
  ];
}

function idList(checks: readonly RunCheck[]): string {
  const ids = checks.slice(0, mostIds).map(({ id }) => id);
  const leftOut = checks.length - ids.length;
  return `${ids.join(", ")}${leftOut > 0 ? ` and ${leftOut} more` : ""}`;
}

function leftOutLines({ needs, checks }: RunLeftOut): string[] {
  const requirements = [...new Set(checks.map((id) => id.split("/", 1).join("")))];
  return [
    `${checks.length} ${checks.length === 1 ? "check needs" : "checks need"} ${needs}`,
    ...indented([requirements.join(", ")]),
  ];
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
  const seconds = (run.durationMs / 1000).toFixed(1);
  return [
    `${run.checks.length} ${run.checks.length === 1 ? "check" : "checks"} in ${seconds} s: ${counted.join(", ") || "none judged"}${run.isComplete ? "" : " (interrupted)"}`,
    `${run.coverage.decided} of the document's ${run.coverage.requirements} requirements decided`,
    `${run.exchanges.length} exchanges; proof of work: ${run.proofOfWork.tries} tries, ${(run.proofOfWork.busyMs / 1000).toFixed(1)} s`,
    leftBehindLine(run),
  ];
}

function leftBehindLine({ ledger, leftBehind, isReadOnly }: Run): string {
  if (isReadOnly) return "nothing was made on the target";
  if (leftBehind === undefined) {
    const made = Object.entries(ledger).map(([what, count]) => `${count} ${what.replace("_", "-")}`);
    return `made on the target, and not tidied up: ${made.join(", ")}`;
  }
  return `left behind: ${leftBehindWords(leftBehind)}; run.json names clients and agents`;
}
