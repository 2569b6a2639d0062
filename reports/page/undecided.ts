import { formatCount } from "../format.ts";
import { empty, type Html, html } from "../html-text.ts";
import { notSelected } from "../not-selected.ts";
import { byCause } from "../reported-problem.ts";
import type { Run, RunCheck, RunLeftOut } from "../run-format.ts";
import { undecidedChecks } from "./run-summary.ts";
import { foreign, idLinks, joined, prose, verdictMark, when } from "./text.ts";

const mostLinks = 12;

type Grouped = "blocked" | "inconclusive" | "warn";

/** What the run says nothing about, by what would have to be supplied or fixed; the largest group first. */
export function undecidedSection(run: Run): Html {
  const undecided = undecidedChecks(run);
  const skipped = run.isReadOnly ? run.checks.filter(({ verdict }) => verdict === "blocked") : [];
  const unjudged = run.requirements.filter(
    ({ verdict, notJudged = "" }) => verdict === undefined && isLacking(notJudged),
  );
  const isNone = undecided.length + skipped.length + run.leftOut.length + unjudged.length === 0;
  return html`<section id="undecided">
    <h2>Undecided</h2>
    ${when(isNone, () => html`<p>Every check that was selected came to a verdict.</p>`)}
    ${groups("Blocked: the profile or the target does not supply what is needed", run, undecided, "blocked")}
    ${groups("Inconclusive: tried, and could not tell", run, undecided, "inconclusive")}
    ${groups("Not tried, since the run was read-only", run, skipped, "blocked")} ${leftOutList(run.leftOut)}
    ${when(
      unjudged.length > 0,
      () =>
        html`<h3>Requirements that no check of this run judges</h3>
          <ul class="plain">
            ${unjudged.map(({ id, notJudged = "" }) => html`<li>${idLinks([id])} ${prose(notJudged)}</li>`)}
          </ul>`,
    )}
  </section>`;
}

/** Claims that hold with a tolerated deviation, and what only an RFC asks for. */
export function warningsSection(run: Run): Html {
  if (run.counts.warn === 0) return empty;
  return html`<section id="warnings">
    <h2>Warnings</h2>
    ${groups("", run, run.checks, "warn")}
  </section>`;
}

/** Another check of the same suite decides the others, or they are decided by reading. */
function isLacking(reason: string): boolean {
  return !reason.startsWith("judged by ") && !reason.startsWith("needs ") && reason !== notSelected;
}

function groups(title: string, run: Run, checks: readonly RunCheck[], verdict: Grouped): Html {
  const found = byCause({ ...run, checks }, verdict);
  if (found.length === 0) return empty;
  return html`${title === "" ? empty : html`<h3>${title}</h3>`}
    <ul class="plain">
      ${joined(found.map((group) => groupItem(group, verdict)))}
    </ul>`;
}

function groupItem(group: readonly [RunCheck, ...RunCheck[]], verdict: Grouped): Html {
  const [first] = group;
  const { reason = "", explainedBy } = first;
  return html`<li>
    <p>${verdictMark(verdict)}${foreign(reason === "" ? "no reason was given" : reason)}</p>
    <div class="soft">
      ${
        explainedBy === undefined
          ? empty
          : html`<div>What stood in the way is judged by ${idLinks(explainedBy)}.</div>`
      }
      ${formatCount(group.length, "check")}: ${links(group.map(({ id }) => id))}
    </div>
  </li>`;
}

function leftOutList(leftOut: readonly RunLeftOut[]): Html {
  if (leftOut.length === 0) return empty;
  return html`<h3>Left out, for lack of a key in the profile</h3>
    <ul class="plain">
      ${leftOut.map(
        ({ needs, checks }) =>
          html`<li>
            <p>To be judged, they need ${prose(needs)}</p>
            <p class="soft">${formatCount(checks.length, "check")}: ${checks.join(", ")}</p>
          </li>`,
      )}
    </ul>`;
}

function links(ids: readonly string[]): Html {
  const rest = ids.slice(mostLinks);
  return html`${idLinks(ids.slice(0, mostLinks))}${when(
    rest.length > 0,
    () =>
      html`<details class="more">
        <summary>and ${rest.length.toLocaleString("en-US")} more</summary>
        ${idLinks(rest)}
      </details>`,
  )}`;
}
