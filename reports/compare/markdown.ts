import { capitalized } from "../capitalized.ts";
import { printable } from "../printable.ts";
import { verdictMarks } from "../verdict-marks.ts";
import { type Change, changeKinds } from "./change.ts";
import type { Comparison } from "./comparison.ts";
import { changeTitles, countWords, executedWords, headline, timingWords } from "./words.ts";

// GitHub drops a step summary of more than 1 MiB.
const mostOfKind = 200;

/** A comparison for a pull request or a step summary. */
export function renderMarkdown(comparison: Comparison): string {
  const { runs, against } = comparison;
  const [pair] = against;
  return [
    `## mailproof: ${headline(comparison)}`,
    "",
    ...against.map((one) => `- A → ${one.name}: ${countWords(one)}`),
    "",
    ...table(
      ["", "run", "target", "executed"],
      runs.map((run) => [run.name, run.id, told(run.target), own(executedWords(run))]),
    ),
    ...(runs.length === 2 && pair !== undefined
      ? [...pairSections(pair.changes), ...list("Timing", pair.timing.map(timingWords))]
      : matrixSections(comparison)),
    "",
  ].join("\n");
}

function pairSections(changes: readonly Change[]): string[] {
  return changeKinds.flatMap((kind) => {
    const of = changes.filter((change) => change.kind === kind);
    if (of.length === 0) return [];
    const rows = of
      .slice(0, mostOfKind)
      .map(({ id, sentence, before = "", after, note }) => [
        id,
        own(sentence),
        told(before),
        told([after, note].filter(Boolean).join("; ")),
      ]);
    const rest = of.length > mostOfKind ? ["", `and ${of.length - mostOfKind} more`] : [];
    return [
      "",
      `### ${capitalized(changeTitles[kind])} (${of.length})`,
      "",
      ...table(["check", "claim", "was", "now"], rows),
      ...rest,
    ];
  });
}

function matrixSections({ runs, requirements, alike, answers }: Comparison): string[] {
  const names = runs.map(({ name }) => name);
  return [
    "",
    `### Requirements that are not alike (${requirements.length}; ${alike} are)`,
    "",
    ...table(
      ["requirement", ...names, "level", "statement"],
      requirements.map(({ id, verdicts, level, statement }) => [
        id,
        ...verdicts.map((verdict) => (verdict === null ? "" : `${verdictMarks[verdict]} ${verdict}`)),
        level,
        own(statement),
      ]),
    ),
    "",
    "### What they chose where the document is silent",
    "",
    ...table(
      ["check", "question", ...names],
      answers.map((row) => [row.id, own(row.question), ...row.answers.map((answer) => told(answer ?? ""))]),
    ),
  ];
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines.map((line) => `- ${told(line)}`)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => " --- |").join("")}`, ...rows.map(line)];
}

/** Text that a target may have had a part in: no markup, no link, no mention, no end of the cell. */
function told(text: string): string {
  return printable(text).replaceAll(
    /[\\`*_{}[\]<>()#+!|@&~:]/gu,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  );
}

/** Words of ours. */
function own(text: string): string {
  return printable(text).replaceAll("|", "\\|");
}
