import type { RunCheck, RunExchange } from "../run-format.ts";
import { requestParts, type RequestPart } from "./request-parts.ts";

/** The request that was judged beside the one that shows what is accepted. */
export interface Comparison {
  readonly subject: RunExchange;
  /** Absent where the check needs none. */
  readonly control?: RunExchange;
  readonly rows: readonly ComparedPart[];
  /** The answers that were judged, where they are not those to these requests: what the check changed came before. */
  readonly judged?: { readonly subject: RunExchange; readonly control?: RunExchange };
}

export interface ComparedPart extends Omit<RequestPart, "value"> {
  readonly control?: string;
  readonly subject?: string;
  /**
   * `fresh`: both have a value of the same kind that is new in each request, such as a code or a `state`; what the
   * check changes is `different`.
   */
  readonly kind: "same" | "fresh" | "different";
}

/**
 * Compares the request that was judged with its control; where they differ in nothing but what is new each time, such as
 * on a consent page, the last request before it that does differ.
 *
 * @param exchangeOf - finds an exchange of the run by its number
 */
export function compareRequests(
  check: RunCheck,
  exchangeOf: (number: number) => RunExchange | undefined,
): Comparison | undefined {
  const withRole = (role: string): RunExchange[] =>
    check.exchanges.flatMap(({ number, role: its }) => (its === role ? (exchangeOf(number) ?? []) : []));
  const [subjects, controls] = [withRole("subject"), withRole("control")];
  const subject = subjects.find(({ number }) => number === check.decisive) ?? subjects.at(-1);
  if (subject === undefined) return undefined;
  const judged = withBestControl(subject, controls);
  if (judged.control === undefined || changesIn(judged.rows) > 0) return judged;
  const changed = subjects
    .slice(0, subjects.indexOf(subject))
    .map((earlier) => withBestControl(earlier, controls))
    .findLast(({ control, rows }) => control !== undefined && changesIn(rows) > 0);
  if (changed === undefined) return { ...judged, rows: markedRows(judged.rows) };
  return { ...changed, judged: { subject, control: judged.control } };
}

/** Of several controls, the one that the request differs from least; the last of these. */
function withBestControl(subject: RunExchange, controls: readonly RunExchange[]): Comparison {
  const [best] = controls
    .filter((control) => isSameEndpoint(control, subject))
    .map((control) => ({ subject, control, rows: comparedRows(control, subject) }))
    .toReversed()
    .toSorted((a, b) => changesIn(a.rows) - changesIn(b.rows));
  if (best !== undefined) return best;
  const rows = requestParts(subject.request).map(({ value, ...part }): ComparedPart => ({
    ...part,
    subject: value,
    kind: "same",
  }));
  return { subject, rows };
}

function isSameEndpoint({ request: a }: RunExchange, { request: b }: RunExchange): boolean {
  const path = (url: string): string => url.replace(/[?#].*$/su, "");
  return path(a.url) === path(b.url) || (a.body !== "" && a.body === b.body);
}

function changesIn(rows: readonly ComparedPart[]): number {
  return rows.filter(({ kind }) => kind === "different").length;
}

/** When all that differs looks fresh, the difference is one of these. */
function markedRows(rows: readonly ComparedPart[]): readonly ComparedPart[] {
  return rows.map((row) =>
    row.kind === "fresh" && row.group !== "note" ? { ...row, kind: "different" } : row,
  );
}

function comparedRows({ request: control }: RunExchange, { request: subject }: RunExchange): ComparedPart[] {
  const left = requestParts(control);
  const right = requestParts(subject);
  const rows: ComparedPart[] = left.map(({ value, ...part }) => {
    const other = right.find(({ key }) => key === part.key);
    // Header names that differ in case alone.
    if (other !== undefined && other.name !== part.name)
      return {
        ...part,
        control: `${part.name}: ${value}`,
        subject: `${other.name}: ${other.value}`,
        kind: "different",
      };
    return {
      ...part,
      control: value,
      ...(other && { subject: other.value }),
      kind: kindOf(part, value, other?.value),
    };
  });
  for (const [at, { value, ...part }] of right.entries()) {
    if (left.some(({ key }) => key === part.key)) continue;
    const before = right[at - 1]?.key;
    const place = rows.findIndex(({ key }) => key === before) + 1;
    rows.splice(place, 0, { ...part, subject: value, kind: kindOf(part, undefined, value) });
  }
  return rows;
}

function kindOf(
  { group, name }: Omit<RequestPart, "value">,
  control: string | undefined,
  subject: string | undefined,
): ComparedPart["kind"] {
  if (control === subject) return "same";
  // What mailproof adds for the logs of the target.
  if (group === "note") return "fresh";
  if (control === undefined || subject === undefined) return "different";
  if (name === proofNonce && wholeNumber.test(control) && wholeNumber.test(subject)) return "fresh";
  return shapeOf(control) === shapeOf(subject) ? "fresh" : "different";
}

/** What was found for a proof of work: a number of few digits, another one each time. */
const proofNonce = "nonce";
const wholeNumber = /^"(?:0|[1-9]\d*)"$/u;
const fingerprint = /<(\w+) [0-9a-f]{8}, \d+ characters/gu;
/** One pass over the text: a lookahead to the end of the word from each letter takes the square of a body's length. */
const longWord = /[\w-]{12,}/gu;

/** What stays of a value when the parts that are new in each request are taken out. */
function shapeOf(value: string): string {
  return value
    .replaceAll(fingerprint, "<$1")
    .replaceAll(longWord, (word) => (isRandom(word) ? `\u{0}${word.length}` : word));
}

/** Long words of letters and digits that nobody would write: a `state`, an identifier, a challenge. */
function isRandom(word: string): boolean {
  return /\d/u.test(word) && /[a-zA-Z]/u.test(word);
}
