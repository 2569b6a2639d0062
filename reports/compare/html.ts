import { createHash } from "node:crypto";
import { capitalized } from "../capitalized.ts";
import { table } from "../load/html-table.ts";
import { empty, html, type Html } from "../html-text.ts";
import { pageStyle } from "../load/page-style.ts";
import { prose } from "../page/text.ts";
import type { RunVerdict } from "../run-format.ts";
import { verdictMarks } from "../verdict-marks.ts";
import { type Change, changeKinds } from "./change.ts";
import type { Against, Comparison } from "./comparison.ts";
import { changeTitles, countWords, executedWords, headline, timingWords, toneOf } from "./words.ts";

const style = `${pageStyle}
body { max-width: 72rem; }
td.mark { white-space: nowrap; }
td.value { min-width: 12rem; }
`;

/** A comparison as one self-contained file without scripts, which opens from disk and prints. */
export function renderHtml(comparison: Comparison): string {
  const { runs, against } = comparison;
  const styleHash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const title = runs.length === 2 ? "What changed between two runs" : `${runs.length} runs side by side`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>mailproof: ${title}</title>
        ${{ markup: `<style>${style}</style>` }}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p class="verdict ${toneOf(comparison)}">
            <span>${capitalized(headline(comparison))}.</span>
          </p>
          ${runsTable(comparison)}
          ${runs.length === 2 ? against.map(pairSections) : matrixSections(comparison)}
        </main>
      </body>
    </html> `.markup;
}

function runsTable({ runs, against }: Comparison): Html {
  const rows = runs.map(
    ({ name, id, startedAt, target, ...run }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td><bdi>${id}</bdi><br /><time datetime="${startedAt}">${minuteOf(startedAt)}</time></td>
        <td><bdi>${target}</bdi></td>
        <td class="value">${executedWords({ name, id, startedAt, target, ...run })}</td>
        <td>${againstWords(against, name)}</td>
      </tr> `,
  );
  return table(["", "Run", "Target", "Executed", "Against A"], rows);
}

/** `2026-11-23 05:08 UTC` */
function minuteOf(instant: string): string {
  return `${instant.slice(0, 16).replace("T", " ")} UTC`;
}

function againstWords(against: readonly Against[], name: string): string {
  const own = against.find((one) => one.name === name);
  return own === undefined ? "" : countWords(own);
}

function pairSections({ changes, timing }: Against): Html {
  const sections = changeKinds.map((kind) => {
    const of = changes.filter((change) => change.kind === kind);
    return of.length === 0
      ? empty
      : html`<section>
          <h2>${capitalized(changeTitles[kind])} (${of.length})</h2>
          ${table(["Check", "Was", "Now"], of.map(changeRow))}
        </section>`;
  });
  const times =
    timing.length === 0
      ? empty
      : html`<section>
          <h2>Timing</h2>
          <ul>
            ${timing.map((shift) => html`<li>${timingWords(shift)}</li> `)}
          </ul>
        </section>`;
  return html`${sections}${times}`;
}

function changeRow({ id, sentence, before, after, note }: Change): Html {
  return html`<tr id="${id}">
    <td><a href="#${id}">${id}</a><br /><span class="soft">${prose(sentence)}</span></td>
    <td class="value"><bdi>${before ?? "not judged"}</bdi></td>
    <td class="value">
      <bdi>${after ?? "not judged"}</bdi
      >${note === undefined ? empty : html`<br /><span class="soft">${note}</span>`}
    </td>
  </tr> `;
}

function matrixSections({ runs, requirements, alike, answers }: Comparison): Html {
  const names = runs.map(({ name }) => name);
  const rows = requirements.map(
    ({ id, level, statement, verdicts }) =>
      html`<tr id="${id}">
        <td><a href="#${id}">${id}</a></td>
        ${verdicts.map(verdictCell)}
        <td class="value">${level}: ${prose(statement)}</td>
      </tr> `,
  );
  const choices = answers.map(
    (row) =>
      html`<tr>
        <td>${row.id}<br /><span class="soft">${prose(row.question)}</span></td>
        ${row.answers.map((answer) => html`<td class="value"><bdi>${answer ?? ""}</bdi></td>`)}
      </tr> `,
  );
  return html`<section>
      <h2>Requirements that are not alike (${requirements.length}; ${alike} are)</h2>
      ${table(["Requirement", ...names, "Statement"], rows)}
    </section>
    <section>
      <h2>What they chose where the document is silent</h2>
      ${table(["Question", ...names], choices)}
    </section>`;
}

const tones: Record<RunVerdict, string> = {
  pass: "good",
  fail: "bad",
  warn: "warning",
  observed: "soft",
  inconclusive: "unknown",
  blocked: "unknown",
};

function verdictCell(verdict: RunVerdict | null): Html {
  if (verdict === null) return html`<td class="mark soft">not judged</td>`;
  return html`<td class="mark ${tones[verdict]}">${verdictMarks[verdict]} ${verdict}</td>`;
}
