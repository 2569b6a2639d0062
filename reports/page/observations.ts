import { empty, type Html, html } from "../html-text.ts";
import type { Run, RunCheck } from "../run-format.ts";
import { documentParts } from "./document-order.ts";
import { growthPicture } from "./growth-picture.ts";
import { foreign, idLink, joined, prose } from "./text.ts";

/** What this implementation chose where the document is silent. */
export function observationsSection(run: Run): Html {
  const observed = Map.groupBy(
    run.checks.filter(({ verdict }) => verdict === "observed"),
    ({ requirement }) => requirement.id,
  );
  if (observed.size === 0) return empty;
  const groups = documentParts(run).map(({ area, title, requirements }) => ({
    name: title === "" ? area : `${area} › ${title}`,
    checks: requirements.flatMap(({ id }) => observed.get(id) ?? []),
  }));
  return html`<section id="observations">
    <h2>Observations</h2>
    <p class="soft">What this implementation chose where the document is silent. None of it is judged.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Observations">
      <table class="observations">
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Answer</th>
            <th scope="col">Check</th>
          </tr>
        </thead>
        ${joined(
          groups
            .filter(({ checks }) => checks.length > 0)
            .map(
              ({ name, checks }) =>
                html`<tbody>
                  <tr>
                    <th colspan="3" scope="rowgroup">${name}</th>
                  </tr>
                  ${joined(checks.map(row))}
                </tbody>`,
            ),
        )}
      </table>
    </div>
  </section>`;
}

function row({ id, sentence, reason = "", observed = reason, growth }: RunCheck): Html {
  return html`<tr>
    <td>${prose(sentence)}</td>
    <td class="answer">${foreign(observed)}${growth === undefined ? empty : growthPicture(growth)}</td>
    <td>${idLink(id)}</td>
  </tr>`;
}
