import { keyExchanges, type ShownExchange, wireParts } from "../../reports/evidence.ts";
import { printable } from "../../reports/printable.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";
import { stableText } from "../../reports/stable-text.ts";
import { wordsOf } from "./outcome.ts";

/** One check of a run. */
export interface Experiment {
  readonly check: RunCheck;
  readonly run: Run;
}

// Below it, two columns are too narrow to read.
const leastWidth = 100;

/**
 * Two experiments with the same check: their verdicts, and the exchanges that they are understood from. Lines that differ by
 * more than what is new each time are marked.
 *
 * @param width - of the terminal, in columns; where it is small, one stands below the other
 */
export function sideBySide(before: Experiment, now: Experiment | undefined, width: number): string[] {
  const pairs = pairedExchanges(before, now);
  const rows: (readonly [string, string])[] = [
    [`before: ${before.run.startedAt}`, now === undefined ? "now" : `now: ${now.run.startedAt}`],
    [verdictWords(before), now === undefined ? "not judged" : verdictWords(now)],
    ...pairs.flatMap(([then, again]) => exchangeRows(then, again)),
  ];
  return width < leastWidth ? stacked(rows) : columns(rows, width);
}

function verdictWords({ check }: Experiment): string {
  const words = wordsOf(check);
  return printable(words === "" ? check.verdict : `${check.verdict}: ${words}`);
}

type Pair = readonly [ShownExchange | undefined, ShownExchange | undefined];

/** The exchanges with the same part in the experiment. */
function pairedExchanges(before: Experiment, now: Experiment | undefined): Pair[] {
  const then = keyExchanges(before.check, before.run);
  const again = now === undefined ? [] : keyExchanges(now.check, now.run);
  const parts = new Set([...then, ...again].map(partOf));
  const find = (shown: readonly ShownExchange[], part: string) => shown.find((one) => partOf(one) === part);
  return [...parts].map((part) => [find(then, part), find(again, part)]);
}

function partOf({ role, isBeginning }: ShownExchange): string {
  return isBeginning ? `${role}, which began it` : role;
}

function exchangeRows(then: ShownExchange | undefined, again: ShownExchange | undefined): [string, string][] {
  const [left, right] = [wireOf(then), wireOf(again)];
  return [
    ["", ""],
    [titleOf(then), titleOf(again)],
    ...zipped(left.sent, right.sent),
    ...zipped(left.received, right.received),
  ];
}

function wireOf(shown: ShownExchange | undefined): ReturnType<typeof wireParts> {
  return shown === undefined ? { sent: [], received: [] } : wireParts(shown.exchange, shown.isBeginning);
}

function titleOf(shown: ShownExchange | undefined): string {
  return shown === undefined ? "(no such exchange)" : `exchange ${shown.exchange.number} (${partOf(shown)})`;
}

function zipped(left: readonly string[], right: readonly string[]): [string, string][] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [
    left[at] ?? "",
    right[at] ?? "",
  ]);
}

function columns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const each = Math.floor((width - 3) / 2);
  return rows.flatMap(([left, right]) => {
    const mark = isSame(left, right) ? "│" : "≠";
    return zipped(folded(left, each), folded(right, each)).map(([first, second], at) =>
      `${first.padEnd(each)} ${at === 0 ? mark : "│"} ${second}`.trimEnd(),
    );
  });
}

function stacked(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([left, right]) =>
    isSame(left, right) ? [`  ${left}`.trimEnd()] : [`- ${left}`.trimEnd(), `+ ${right}`.trimEnd()],
  );
}

function isSame(left: string, right: string): boolean {
  const withoutNumber = (text: string): string =>
    text.replace(/^(before|now): .*$/u, "").replace(/^exchange \d+ /u, "");
  return stableText(withoutNumber(left)) === stableText(withoutNumber(right));
}

const mostFoldedLines = 4;

/** In lines of at most this many characters; a long text is cut. */
function folded(text: string, width: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += width) lines.push(text.slice(at, at + width));
  if (lines.length <= mostFoldedLines) return lines.length === 0 ? [""] : lines;
  return [...lines.slice(0, mostFoldedLines - 1), `… ${text.length} characters`];
}
