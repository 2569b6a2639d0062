import { type Html, html } from "../html-text.ts";
import type { RunRequirement } from "../run-format.ts";
import { areasOf, type DocumentPart } from "./document-order.ts";
import { joined } from "./text.ts";
import { shownVerdicts, verdictMarks, verdictWords } from "./verdict-words.ts";
import type { VerdictsOf } from "./verdicts-of-requirements.ts";

/** Does nothing without the script, and is shown by it. */
export function filterBar(
  requirements: readonly RunRequirement[],
  parts: readonly DocumentPart[],
  verdictsOf: VerdictsOf,
): Html {
  const levels = [...new Set(requirements.map(({ level }) => level))];
  return html`<form class="filters" hidden>
    <label>Text <input type="search" name="q" autocomplete="off" placeholder="id, statement, claim" /></label>
    ${select(
      "area",
      "Area",
      areasOf(parts).map(([area]) => area),
    )}
    ${select("level", "Level", levels)}
    <p class="matches"><output></output> <button type="reset">Show all</button></p>
    <fieldset>
      <legend>Verdict</legend>
      ${joined(
        shownVerdicts.flatMap((verdict) => {
          const count = requirements.filter((requirement) =>
            verdictsOf(requirement).includes(verdict),
          ).length;
          return count === 0
            ? []
            : [
                html`<label class="chip"
                  ><input type="checkbox" name="verdict" value="${verdict}" /><span
                    class="mark ${verdict}"
                    aria-hidden="true"
                    >${verdictMarks[verdict]}</span
                  >
                  ${verdictWords[verdict]} <span class="soft">${count}</span></label
                >`,
              ];
        }),
      )}
    </fieldset>
  </form>`;
}

function select(name: string, title: string, values: readonly string[]): Html {
  return html`<label
    >${title}
    <select name="${name}">
      <option value="">all</option>
      ${values.map((value) => html`<option>${value}</option>`)}
    </select></label
  >`;
}
