import { empty, type Html, html } from "../html-text.ts";
import type { RunExchange } from "../run-format.ts";
import type { ComparedPart, Comparison } from "./compare-requests.ts";
import { start, statusWords } from "./exchange-view.ts";
import { foreign, joined } from "./text.ts";

const groupTitles: Readonly<Record<ComparedPart["group"], string>> = {
  line: "",
  query: "Query",
  header: "Header",
  note: "Header",
  body: "Body",
};

const mostValueCharacters = 300;
const mostBodyCharacters = 1200;

/** Control and subject side by side, what differs marked; the subject alone where the check needs no control. */
export function comparisonView({ control, subject, rows, judged }: Comparison): Html {
  const shown = rows.filter((row) => !isQuiet(row));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Control and subject">
    <table class="comparison ${control === undefined ? "alone" : "two"}">
      <caption>
        ${captionOf(control, shown)}
      </caption>
      <thead>
        <tr>
          <td></td>
          <th scope="col">Sent</th>
          ${control === undefined ? empty : html`<th scope="col">Control, exchange ${control.number}</th>`}
          <th scope="col">Subject, exchange ${subject.number}</th>
        </tr>
      </thead>
      <tbody>
        ${joined(shown.map((row, at) => partRow(row, shown[at - 1]?.group, control !== undefined)))}
      </tbody>
      <tbody>
        ${answerRow("Status", control, subject, statusOf)} ${answerRow("Answer", control, subject, answerOf)}
      </tbody>
      ${judged === undefined ? empty : judgedAnswers(judged)}
    </table>
  </div>`;
}

function judgedAnswers({ control, subject }: NonNullable<Comparison["judged"]>): Html {
  return html`<tbody>
    <tr class="response">
      <td class="group">Judged</td>
      <th scope="row">Exchange</th>
      <td>${control?.number ?? ""}</td>
      <td>${subject.number}</td>
    </tr>
    ${answerRow("Status", control, subject, statusOf)} ${answerRow("Answer", control, subject, answerOf)}
  </tbody>`;
}

/** What mailproof adds to every request. */
const added = new Set(["user-agent", "accept-encoding"]);

function isQuiet({ group, name, kind }: ComparedPart): boolean {
  return group === "note" || (kind === "same" && group === "header" && added.has(name.toLowerCase()));
}

function captionOf(control: RunExchange | undefined, rows: readonly ComparedPart[]): string {
  if (control === undefined) return "The request that was judged";
  const changes = rows.filter(({ kind }) => kind === "different").length;
  const fresh = rows.some(({ kind }) => kind === "fresh");
  if (changes === 0) return "Control and subject send the same; what was done before them differs";
  const marked = changes === 1 ? "the one difference is marked" : `${changes} differences are marked`;
  return `Control and subject: ${marked}${fresh ? "; values that are new in each request are grey" : ""}`;
}

function partRow(row: ComparedPart, before: string | undefined, hasControl: boolean): Html {
  const { group, name, control, subject, kind } = row;
  const title = group === before ? "" : groupTitles[group];
  const cell = (value: string | undefined): Html => {
    if (value === undefined) return html`<td class="absent">absent</td>`;
    const text = foreign(
      start(value, group === "body" && name === "Body" ? mostBodyCharacters : mostValueCharacters),
    );
    return html`<td>${kind === "different" ? html`<mark>${text}</mark>` : text}</td>`;
  };
  return html`<tr class="${kind}">
    <td class="group">${title}</td>
    <th scope="row">${foreign(name)}</th>
    ${hasControl ? cell(control) : empty}${cell(subject)}
  </tr>`;
}

function answerRow(
  title: string,
  control: RunExchange | undefined,
  subject: RunExchange,
  show: (exchange: RunExchange) => Html,
): Html {
  return html`<tr class="response">
    <td class="group"></td>
    <th scope="row">${title}</th>
    ${control === undefined ? empty : html`<td>${show(control)}</td>`}
    <td>${show(subject)}</td>
  </tr>`;
}

function statusOf(exchange: RunExchange): Html {
  return html`<b>${statusWords(exchange)}</b>`;
}

function answerOf(exchange: RunExchange): Html {
  return foreign(answerText(exchange));
}

/** Header lines that say what was decided; the others are in the exchange. */
const tellingHeaders = new Set([
  "location",
  "www-authenticate",
  "content-type",
  "retry-after",
  "allow",
  "set-cookie",
]);

function answerText({ response: { headers, body } }: RunExchange): string {
  const lines = headers
    .filter(([name]) => tellingHeaders.has(name.toLowerCase()))
    .map(([name, value]) => start(`${name}: ${value}`, mostValueCharacters));
  return [...lines, ...(body === "" ? [] : [start(body, mostBodyCharacters)])].join("\n");
}
