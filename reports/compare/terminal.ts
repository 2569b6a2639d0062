import { indented } from "../evidence.ts";
import { printable } from "../printable.ts";
import { verdictMarks } from "../verdict-marks.ts";
import { type Change, changeKinds } from "./change.ts";
import type { Comparison } from "./comparison.ts";
import { changeTitles, countWords, executedWords, headline, notJudgedMark, timingWords } from "./words.ts";

// More would bury the rest; the other formats have them all.
const mostOfKind = 30;

/** A comparison for a person at a terminal: what became worse first. */
export function renderTerminal(comparison: Comparison): string {
  const { runs, against } = comparison;
  const lines = [
    ...runs.map((run) => `${run.name}  ${run.id}  ${run.target}`),
    ...(runs.length === 2 ? against.flatMap(({ changes }) => changeLines(changes)) : matrixLines(comparison)),
    ...titled("timing", runs.length === 2 ? against.flatMap(({ timing }) => timing.map(timingWords)) : []),
    "",
    "executed:",
    ...runs.map((run) => `  ${run.name}  ${executedWords(run)}`),
    "",
    ...against.map((one) => `A → ${one.name}: ${countWords(one)}`),
    headline(comparison),
    "",
  ];
  return lines.map(printable).join("\n");
}

function changeLines(changes: readonly Change[]): string[] {
  return changeKinds.flatMap((kind) => {
    const of = changes.filter((change) => change.kind === kind);
    if (kind === "gone") return titled(`${changeTitles.gone} (${of.length})`, goneLines(of));
    const shown = of.slice(0, mostOfKind).flatMap(changeText);
    const rest =
      of.length > mostOfKind ? [`… and ${of.length - mostOfKind} more; --format json has them all`] : [];
    return titled(`${changeTitles[kind]} (${of.length})`, [...shown, ...rest]);
  });
}

function changeText({ id, sentence, before, after, note }: Change): string[] {
  return [
    `${id}  ${sentence}`,
    ...indented([
      ...(before === undefined ? [] : [`was  ${before}`]),
      ...(after === undefined ? [] : [`now  ${after}`]),
      ...(note === undefined ? [] : [`note ${note}`]),
    ]),
  ];
}

function goneLines(changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const ids = changes.slice(0, mostOfKind).map(({ id }) => id);
  const rest = changes.length - ids.length;
  return [`${ids.join(", ")}${rest > 0 ? `, and ${rest} more; --format json has them all` : ""}`];
}

function matrixLines({ runs, requirements, alike, answers }: Comparison): string[] {
  const width = Math.max(0, ...requirements.map(({ id }) => id.length));
  const cell = (text: string): string => text.padEnd(3);
  return [
    ...titled(`requirements that are not alike (${requirements.length}; ${alike} are)`, [
      `${"".padEnd(width)}  ${runs.map(({ name }) => cell(name)).join("")}`,
      ...requirements.map(({ id, verdicts, level, statement }) => {
        const marks = verdicts.map((verdict) =>
          cell(verdict === null ? notJudgedMark : verdictMarks[verdict]),
        );
        return `${id.padEnd(width)}  ${marks.join("")} ${level}: ${statement}`;
      }),
    ]),
    ...titled(
      "what they chose where the document is silent",
      answers.flatMap((row) => [
        `${row.id}  ${row.question}`,
        ...row.answers.map((answer, at) => `  ${runs[at]?.name ?? ""}  ${answer ?? "not asked"}`),
      ]),
    ),
  ];
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...indented(lines)];
}
