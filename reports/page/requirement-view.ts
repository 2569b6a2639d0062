import { formatCount } from "../format.ts";
import { type Html, html } from "../html-text.ts";
import type { RunCheck, RunRequirement } from "../run-format.ts";
import { checkOutcome } from "./check-view.ts";
import { foreign, idLink, joined, prose, verdictMark, when } from "./text.ts";

/** What stands below a requirement: where it is found, and the checks that judge it. */
export function requirementView(
  { id, section, notJudged, checks }: RunRequirement,
  checkOf: (id: string) => RunCheck | undefined,
): Html {
  const its = checks.flatMap((check) => checkOf(check) ?? []);
  return html`<p class="soft">${idLink(id)}: ${section}</p>
    ${when(notJudged !== undefined, () => html`<p>Not judged: ${prose(notJudged ?? "")}</p>`)}
    ${when(
      its.length > 0,
      () =>
        html`<ul class="checks" aria-label="${formatCount(its.length, "check")} of ${id}">
          ${joined(its.map((check) => html`<li>${checkItem(check, id)}</li>`))}
        </ul>`,
    )}`;
}

function checkItem(check: RunCheck, requirementId: string): Html {
  const { id, sentence, verdict, reason = "" } = check;
  // A requirement that one check judges may have its id.
  const anchor = id === requirementId ? html`` : html`id="${id}"`;
  return html`<details class="check" ${anchor} data-check="${id}">
      <summary>
        ${verdictMark(verdict)}<span class="id">${id}</span> ${prose(sentence)}
        ${when(verdict === "observed", () => html`<span class="answer">${foreign(reason)}</span>`)}
      </summary>
      <div></div>
    </details>
    ${when(
      verdict !== "pass" && verdict !== "observed",
      () => html`<div class="brief">${checkOutcome(check)}</div>`,
    )}`;
}
