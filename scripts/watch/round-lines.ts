import { type Change, type ChangeKind, changeKinds, changeOf } from "../../reports/compare/change.ts";
import { indented, keyExchanges, wireParts } from "../../reports/evidence.ts";
import { printable } from "../../reports/printable.ts";
import { factLines } from "../../reports/problem.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";

/** What is known of each check, by id. */
export type Verdicts = ReadonlyMap<string, RunCheck>;

// Changes are few; a service that broke as a whole has hundreds of failures of one cause.
const mostWithExchange = 3;
const mostShown = 20;

/** What a round has changed, and how many fail as before. */
export function roundLines(before: Verdicts, run: Run): string[] {
  const changes = run.checks.flatMap((check) => {
    const change = changeOf(check.id, before.get(check.id), check);
    return change === undefined || isQuiet(change, check) ? [] : [{ change, check }];
  });
  const ordered = changeKinds.flatMap((kind) => changes.filter(({ change }) => change.kind === kind));
  const isProblem = ({ verdict }: RunCheck): boolean => verdict === "fail" || verdict === "inconclusive";
  const withExchange = new Set(ordered.filter(({ check }) => isProblem(check)).slice(0, mostWithExchange));
  const shown = ordered.slice(0, mostShown).flatMap((one) => {
    const { change, check } = one;
    const detail = [
      ...changeDetail(change, check),
      ...(withExchange.has(one) ? exchangeLines(check, run) : []),
    ];
    return [
      `${wordOf(change, check).padEnd(11)}  ${check.id}  ${check.sentence}`,
      ...indented(indented(detail)),
    ];
  });
  const more = ordered.length > mostShown ? [`… and ${ordered.length - mostShown} more`] : [];
  const changed = new Set(ordered.map(({ check }) => check.id));
  const still = run.checks.filter(({ id, verdict }) => verdict === "fail" && !changed.has(id));
  return [...shown, ...more, ...stillLines(still)].map(printable);
}

/** What passes at its first time is not news. */
function isQuiet({ kind }: Change, { verdict }: RunCheck): boolean {
  return kind === "new" && verdict !== "fail" && verdict !== "inconclusive";
}

const words: Record<ChangeKind, string> = {
  broken: "BROKEN",
  warned: "WARNS",
  undecided: "UNDECIDED",
  new: "FAILS",
  fixed: "FIXED",
  improved: "IMPROVED",
  "fails differently": "DIFFERENT",
  "answers differently": "CHANGED",
  gone: "GONE",
};

function wordOf({ kind }: Change, { verdict }: RunCheck): string {
  return kind === "new" && verdict === "inconclusive" ? words.undecided : words[kind];
}

function changeDetail({ before, after, note }: Change, check: RunCheck): string[] {
  const notes = note === undefined ? [] : [`note      ${note}`];
  if (check.verdict === "pass") return notes;
  if (check.verdict === "fail") return [...factLines(check), ...notes];
  return [
    ...(before === undefined ? [] : [`was  ${before}`]),
    ...(after === undefined ? [] : [`now  ${after}`]),
    ...notes,
  ];
}

/** What was asked and answered, without headers: a run with `mailproof conformance` has all of it. */
function exchangeLines(check: RunCheck, run: Run): string[] {
  const [decisive] = keyExchanges(check, run);
  if (decisive === undefined) return [];
  const { sent, received } = wireParts(decisive.exchange, decisive.isBeginning);
  const bodyOf = (lines: readonly string[], mark: string): readonly string[] =>
    lines.includes(mark) ? lines.slice(lines.indexOf(mark) + 1) : [];
  return [...sent.slice(0, 1), ...bodyOf(sent, ">"), ...received.slice(0, 1), ...bodyOf(received, "<")];
}

function stillLines(still: readonly RunCheck[]): string[] {
  if (still.length === 0) return [];
  const ids = still.slice(0, mostShown).map(({ id }) => id);
  const rest = still.length > mostShown ? ` and ${still.length - mostShown} more` : "";
  return [`${"STILL FAILS".padEnd(11)}  ${ids.join(", ")}${rest}`];
}
