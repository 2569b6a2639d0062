import { sampledPasses } from "./certainty.ts";
import { evidenceLines, indented, shownExchanges } from "./evidence.ts";
import { leftBehindWords } from "./left-behind.ts";
import { printable } from "./printable.ts";
import { causeLines, explanationLines, factLines, reasonLines, storyLines } from "./problem.ts";
import { proofOfWorkWords } from "./proof-of-work-words.ts";
import { byCause, findingProblems, type ReportedProblem, unexplainedFailures } from "./reported-problem.ts";
import { type Run, type RunCheck, type RunLeftOut, runVerdicts } from "./run-format.ts";
import { bold, coloured, type TerminalStyle, wrapped } from "./terminal-style.ts";
import { counted } from "./format.ts";
import { coverageWords, meanings, someIds, totals } from "./totals.ts";
import { verdictMarks } from "./verdict-marks.ts";

// More would bury the rest; run.json has them all.
const mostInFull = 10;

/** Lines of a report. Sentences may be broken; evidence is copied, and stays as it is. */
type Line = string | { readonly verbatim: string };

/** A run for a person at a terminal: problems first, then a line for each suite, then the totals. */
export function renderTerminal(run: Run, { width, isColoured = false }: TerminalStyle = {}): string {
  const lines: Line[] = [
    ...findingLines(run),
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
  ];
  return (
    lines
      .flatMap((line) => (typeof line === "string" ? wrapped(line, width) : [line.verbatim]))
      // Where a line begins is known only now, and so whether it could be a command.
      .map(printable)
      .map((line) => (isColoured ? (isTitle(line) ? bold(line) : coloured(line)) : line))
      .join("\n")
  );
}

function isTitle(line: string): boolean {
  return /^\S.*:$/u.test(line);
}

function titled(title: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...inside(lines)];
}

function inside(lines: readonly Line[]): Line[] {
  return lines.flatMap((line) =>
    typeof line === "string" ? indented([line]) : verbatim(indented([line.verbatim])),
  );
}

function verbatim(lines: readonly string[]): Line[] {
  return lines.map((line) => ({ verbatim: line }));
}

function findingLines(run: Run): Line[] {
  return titled(
    "findings",
    findingProblems(run).flatMap((problem, at) => [
      `${verdictMarks.fail} ${problem.id}  ${problem.headline}`,
      ...detail([...diagnosis(problem), ...shownBy(problem, run, at < mostInFull)]),
      ...(at < mostInFull ? [""] : []),
    ]),
  );
}

function diagnosis(problem: ReportedProblem): string[] {
  const { choices, severity, consequence, sureness, cause, mend, section, checks, against } = problem;
  return [
    ...choices.map((choice) => `- ${choice}`),
    ...(severity === undefined ? [] : [`${severity}: ${consequence ?? ""}`]),
    ...(sureness === undefined ? [] : [sureness]),
    ...(cause === undefined ? [] : [`cause     ${cause}`]),
    ...(mend === undefined ? [] : [`fix       ${mend}`]),
    `section   ${section}`,
    `explains  ${counted(checks.length, "check")}: ${someIds(checks.map(({ id }) => id))}`,
    ...(against.length === 0 ? [] : [`against   passed nevertheless: ${someIds(against)}`]),
  ];
}

function shownBy({ checks: [first] }: ReportedProblem, run: Run, isInFull: boolean): Line[] {
  const proof = isInFull ? evidence(first, run) : pointer(first, run);
  return [
    `${first.id}  ${first.sentence}`,
    ...inside([...factLines(first), ...storyLines(first, run), ...proof]),
  ];
}

function evidence(check: RunCheck, run: Run): Line[] {
  return verbatim(evidenceLines(check, run));
}

/** The first ones that no finding explains in full; the rest without evidence. */
function failureLines(run: Run): Line[] {
  const unexplained = unexplainedFailures(run);
  const inFull = unexplained.slice(0, mostInFull);
  const explained = new Set(run.findings.flatMap(({ explains }) => explains));
  const known = run.checks.filter(
    ({ id, verdict, known: reason }) => verdict === "fail" && reason !== undefined && !explained.has(id),
  );
  const short = [...unexplained.slice(mostInFull), ...known];
  return titled(meanings.fail, [
    ...inFull.flatMap((check) => [
      headline(check),
      ...detail([...causeLines(check, run), ...evidence(check, run)]),
      "",
    ]),
    ...short.flatMap((check) => [
      headline(check),
      ...detail([...factLines(check), ...storyLines(check, run), ...pointer(check, run)]),
    ]),
    ...explainedLines(run),
  ]);
}

function explainedLines(run: Run): string[] {
  const byId = new Map(run.checks.map((check) => [check.id, check]));
  return run.findings.flatMap(({ id, explains }) =>
    explains.flatMap((checkId) => {
      const check = byId.get(checkId);
      return check === undefined ? [] : [`${headline(check)} (${id})`];
    }),
  );
}

function headline({ verdict, id, sentence, known }: RunCheck): string {
  return `${verdictMarks[verdict]} ${id}${knownNote(known)}  ${sentence}`;
}

function knownNote(known: string | undefined): string {
  return known === undefined ? "" : ` (known: ${known})`;
}

function detail(lines: readonly Line[]): Line[] {
  return inside(inside(lines));
}

function pointer(check: RunCheck, run: Run): string[] {
  const [first] = shownExchanges(check, run);
  return first === undefined ? [] : [`exchange ${first.exchange.number} in run.json`];
}

/** Checks that one cause stopped, or that warn of the same, are one item. */
function groupedLines(run: Run, verdict: "inconclusive" | "blocked" | "warn"): Line[] {
  return titled(
    meanings[verdict],
    byCause(run, verdict).flatMap((group, at) => groupLines(group, run, at < mostInFull)),
  );
}

function groupLines(group: readonly [RunCheck, ...RunCheck[]], run: Run, isInFull: boolean): Line[] {
  const [first] = group;
  // The reason of a warning is enough.
  const proof = first.verdict === "warn" ? [] : isInFull ? evidence(first, run) : pointer(first, run);
  const cause = [...reasonLines(first), ...explanationLines(first)];
  if (group.length === 1) return [headline(first), ...detail([...cause, ...proof])];
  const [reason = "", ...more] = cause;
  return [
    `${verdictMarks[first.verdict]} ${group.length} checks${knownNote(first.known)}: ${reason}`,
    ...detail([
      ...more,
      someIds(group.map(({ id }) => id)),
      ...(proof.length === 0 ? [] : [`for example ${first.id}:`, ...proof]),
    ]),
  ];
}

function leftOutLines({ needs, checks }: RunLeftOut): string[] {
  const requirements = [...new Set(checks.map((id) => id.split("/", 1).join("")))];
  return [
    `${counted(checks.length, "check")} ${checks.length === 1 ? "needs" : "need"} ${needs}`,
    ...indented([requirements.join(", ")]),
  ];
}

function suiteLines(run: Run): string[] {
  const suites = [...Map.groupBy(run.checks, (check) => check.suite)];
  const width = Math.max(0, ...suites.map(([suite]) => suite.length));
  return suites.map(([suite, checks]) => {
    const perVerdict = runVerdicts.flatMap((verdict) => {
      const count = checks.filter((check) => check.verdict === verdict).length;
      return count === 0 ? [] : [`${verdictMarks[verdict]} ${count}`];
    });
    return `  ${suite.padEnd(width)}  ${perVerdict.join("  ")}`;
  });
}

function closing(run: Run): string[] {
  const sampled = sampledPasses(run);
  return [
    totals(run),
    coverageWords(run),
    ...(sampled === undefined ? [] : [sampled]),
    `${run.exchanges.length} exchanges; ${proofOfWorkWords(run)}`,
    ...(run.cutExchanges === undefined
      ? []
      : [
          `${run.cutExchanges} exchanges that only prepared passing checks are cut to their first lines in run.json; --evidence full keeps all`,
        ]),
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
