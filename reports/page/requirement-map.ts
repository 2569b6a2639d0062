import { type Html, html } from "../html-text.ts";
import type { RunRequirement } from "../run-format.ts";
import { areasOf, type DocumentPart } from "./document-order.ts";
import { fragmentOf, joined } from "./text.ts";
import { shownVerdict, shownVerdicts, verdictMarks, verdictWords } from "./verdict-words.ts";

/** All requirements at a glance, in the order of the document: a cell each, which leads to it. */
export function requirementMap(parts: readonly DocumentPart[]): Html {
  return html`<div class="map" role="group" aria-label="Map of all requirements">
      ${areas(parts.filter((part) => !isRfc(part)))}
      <div class="map-rfcs">${areas(parts.filter(isRfc))}</div>
    </div>
    <ul class="legend">
      ${shownVerdicts.map(
        (verdict) =>
          html`<li>
            <span class="cell ${verdict}" aria-hidden="true">${cellSign(verdict)}</span>
            ${verdictWords[verdict]}
          </li>`,
      )}
    </ul>`;
}

function isRfc({ requirements }: DocumentPart): boolean {
  return requirements[0]?.source === "rfc";
}

function areas(parts: readonly DocumentPart[]): Html {
  return joined(
    areasOf(parts).map(
      ([area, inside]) =>
        html`<div class="map-area">
          <a class="map-title" href="#${inside[0]?.id ?? ""}">${area}</a>
          <div class="cells">${joined(inside.map(({ requirements }) => joined(requirements.map(cell))))}</div>
        </div>`,
    ),
  );
}

/** Those that passed are reached through the list below: Tab stops only where there is something to see. */
function cell(requirement: RunRequirement): Html {
  const { id } = requirement;
  const verdict = shownVerdict(requirement);
  const words = `${id}: ${verdictWords[verdict]}`;
  const isQuiet = verdict === "pass" || verdict === "observed" || verdict === "none";
  return html`<a
    class="cell ${verdict}"
    href="#${fragmentOf(id)}"
    title="${words}"
    aria-label="${words}"
    ${{ markup: isQuiet ? 'tabindex="-1"' : "" }}
    >${cellSign(verdict)}</a
  >`;
}

function cellSign(verdict: ReturnType<typeof shownVerdict>): string {
  return verdict === "pass" || verdict === "none" ? "" : verdictMarks[verdict];
}
