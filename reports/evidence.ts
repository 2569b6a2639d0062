import { resend } from "./curl.ts";
import { printable } from "./printable.ts";
import type { ExchangeRole, Run, RunCheck, RunExchange } from "./run-format.ts";
import { variableNames, type VariableNames } from "./shell-text.ts";
import { splitUrl } from "./split-url.ts";

const mostHeaderLines = 15;
const mostBodyLines = 12;
const mostBodyCharacters = 1200;
const longestHeaderLine = 300;

/** An exchange of a check that a report shows. */
export interface ShownExchange {
  readonly exchange: RunExchange;
  readonly role: ExchangeRole;
  /** It began what a later exchange decided, as the authorization request that a consent ends: its request matters. */
  readonly isBeginning: boolean;
}

/**
 * The exchanges that a verdict is understood from: the one that broke the claim or stood in the way, or else the last
 * subject; the first subject, when that was another; then the last control.
 */
export function shownExchanges(check: RunCheck, run: Run): ShownExchange[] {
  return hasEvidence(check) ? keyExchanges(check, run) : [];
}

/** {@link shownExchanges} whatever the verdict is. */
export function keyExchanges(check: RunCheck, run: Run): ShownExchange[] {
  const last = (role: ExchangeRole) => check.exchanges.findLast((exchange) => exchange.role === role);
  const deciding = check.exchanges.find(({ number }) => number === check.decisive) ?? last("subject");
  const beginning =
    deciding?.role === "subject" ? check.exchanges.find(({ role }) => role === "subject") : undefined;
  return [...new Set([deciding, beginning, last("control")])].flatMap((cited) => {
    const exchange = cited && byNumber(run).get(cited.number);
    if (cited === undefined || exchange === undefined) return [];
    return [{ exchange, role: cited.role, isBeginning: cited === beginning && cited !== deciding }];
  });
}

const exchangesByNumber = new WeakMap<Run["exchanges"], ReadonlyMap<number, RunExchange>>();

/** Thousands of checks look theirs up among thousands of exchanges. */
function byNumber({ exchanges }: Run): ReadonlyMap<number, RunExchange> {
  const known = exchangesByNumber.get(exchanges);
  if (known !== undefined) return known;
  const numbered = new Map(exchanges.map((exchange) => [exchange.number, exchange]));
  exchangesByNumber.set(exchanges, numbered);
  return numbered;
}

function hasEvidence({ verdict, expected }: RunCheck): boolean {
  return verdict === "fail" || verdict === "inconclusive" || (verdict === "warn" && expected !== undefined);
}

/** The exchanges of a check as they crossed the wire, each with the command that sends it again. */
export function evidenceLines(check: RunCheck, run: Run): string[] {
  const shown = shownExchanges(check, run);
  const names = variableNames(
    shown.flatMap(({ exchange: { request } }) => [request.url, ...request.headers.flat(), request.body]),
  );
  return shown.flatMap(({ exchange, role, isBeginning }) => [
    `exchange ${exchange.number} (${role}) with ${printable(splitUrl(exchange.request.url).origin)}${nodeWords(exchange)}`,
    ...indented([
      ...wireLines(exchange, isBeginning),
      ...resendLines(exchange, names, simultaneous(exchange, check, run)),
    ]),
  ]);
}

function nodeWords({ request: { node } }: RunExchange): string {
  return node === undefined ? "" : ` at the node ${printable(node)}`;
}

function wireLines(exchange: RunExchange, isBeginning: boolean): string[] {
  const { sent, received } = wireParts(exchange, isBeginning);
  return [...sent, ...received];
}

/** Request and response as they crossed the wire, marked with `>` and `<` and safe to show. */
export function wireParts(
  { number, request, response }: RunExchange,
  isBeginning: boolean,
): { readonly sent: readonly string[]; readonly received: readonly string[] } {
  const sent = [`${request.method} ${splitUrl(request.url).target}`, ...messageLines(request, number)];
  const received =
    response.status === 0
      ? ["(no answer)"]
      : [String(response.status), ...(isBeginning ? [] : messageLines(response, number))];
  return {
    sent: sent.map((line) => marked(">", line)),
    received: received.map((line) => marked("<", line)),
  };
}

function marked(mark: string, line: string): string {
  return line === "" ? mark : `${mark} ${printable(line)}`;
}

type Message = Pick<RunExchange["response"], "headers" | "body" | "cut">;

function messageLines({ headers, body, cut }: Message, number: number): string[] {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const leftOut = lines.length - mostHeaderLines;
  return [
    ...lines.slice(0, mostHeaderLines).map((line) => shortened(line, longestHeaderLine, number)),
    ...(leftOut > 0 ? [`… ${leftOut} more header lines: exchange ${number} in run.json`] : []),
    ...(body === "" ? [] : ["", ...bodyLines(body, number)]),
    ...(cut === undefined ? [] : [`… ${cut.bytes} more bytes, which were not kept; SHA-256 ${cut.sha256}`]),
  ];
}

function bodyLines(body: string, number: number): string[] {
  const start = body.split("\n").slice(0, mostBodyLines).join("\n");
  const shown = startOf(start, mostBodyCharacters);
  const leftOut = body.length - shown.length;
  const lines = shown.split("\n");
  return leftOut === 0 ? lines : [...lines, `… ${leftOut} more characters: exchange ${number} in run.json`];
}

function shortened(line: string, longest: number, number: number): string {
  const shown = startOf(line, longest);
  const leftOut = line.length - shown.length;
  return leftOut === 0 ? line : `${shown} … ${leftOut} more characters: exchange ${number} in run.json`;
}

/** No character is cut in half. */
function startOf(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/u, "");
}

function resendLines(exchange: RunExchange, names: VariableNames, others: readonly number[]): string[] {
  const again = resend(exchange, names);
  if ("impossible" in again)
    return [`no curl command: ${again.impossible}; the request is exchange ${exchange.number} in run.json`];
  const race =
    others.length === 0
      ? []
      : [`it was sent at the same time as exchange ${others.join(", ")}; the command sends it alone`];
  return [...again.command, ...again.notes, ...race];
}

/** Numbers of the other subjects that were under way when this one was: one command cannot repeat a race. */
function simultaneous(exchange: RunExchange, check: RunCheck, run: Run): number[] {
  const subjects = new Set(
    check.exchanges.filter(({ role }) => role === "subject").map(({ number }) => number),
  );
  if (!subjects.has(exchange.number)) return [];
  return run.exchanges
    .filter((other) => other !== exchange && subjects.has(other.number) && overlap(other, exchange))
    .map(({ number }) => number);
}

// Times of sending are known to the millisecond.
const clockStepMs = 1;

function overlap(a: RunExchange, b: RunExchange): boolean {
  const [first, second] = Date.parse(a.startedAt) <= Date.parse(b.startedAt) ? [a, b] : [b, a];
  return Date.parse(second.startedAt) + clockStepMs < Date.parse(first.startedAt) + first.durationMs;
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
