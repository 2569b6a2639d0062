import { empty, type Html, html } from "../html-text.ts";
import type { Run, RunRequirement } from "../run-format.ts";
import { areasOf, type DocumentPart, documentParts } from "./document-order.ts";
import { filterBar } from "./filter-bar.ts";
import { requirementMap } from "./requirement-map.ts";
import { joined, prose, verdictMark } from "./text.ts";
import { type VerdictsOf, verdictsOfRequirements } from "./verdicts-of-requirements.ts";
import { shownVerdict } from "./verdict-words.ts";

/** The interface document with the verdicts in it. What is below a requirement comes from a block when it is opened. */
export function documentSection(run: Run): Html {
  const parts = documentParts(run);
  const verdictsOf = verdictsOfRequirements(run);
  return html`<section id="requirements">
    <h2>Requirements</h2>
    <p class="soft">
      ${run.coverage.decided} of the document’s ${run.coverage.requirements} requirements decided. Those that
      only RFCs state follow after the document’s own sections.
    </p>
    ${requirementMap(parts)} ${filterBar(run.requirements, parts, verdictsOf)}
    ${joined(
      areasOf(parts).map(
        ([area, inside]) =>
          html`<div class="area" data-area="${area}">
            <h3>${area}</h3>
            ${joined(inside.map((part) => partView(part, verdictsOf)))}
          </div>`,
      ),
    )}
  </section>`;
}

function partView({ id, title, requirements }: DocumentPart, verdictsOf: VerdictsOf): Html {
  return html`<div class="part" id="${id}">
    ${title === "" ? empty : html`<h4>${title}</h4>`}
    ${joined(requirements.map((requirement) => requirementRow(requirement, verdictsOf)))}
  </div>`;
}

function requirementRow(requirement: RunRequirement, verdictsOf: VerdictsOf): Html {
  const { id, level, statement } = requirement;
  const verdict = shownVerdict(requirement);
  const verdicts = verdictsOf(requirement).join(" ");
  return html`<details
    class="requirement ${verdict}"
    id="${id}"
    data-requirement="${id}"
    data-verdicts="${verdicts}"
    data-level="${level}"
  >
    <summary>
      ${verdictMark(verdict)}<b class="id">${id}</b> <span class="statement">${prose(statement)}</span>
      <span class="level">${level}</span>
    </summary>
    <div></div>
  </details>`;
}
