import { formatCount, formatDuration } from "../format.ts";
import { empty, type Html, html } from "../html-text.ts";
import type { Run, RunVerdict } from "../run-format.ts";
import { runSummary } from "./run-summary.ts";
import { joined, when } from "./text.ts";
import { shownVerdicts, verdictMarks, verdictWords } from "./verdict-words.ts";

/** What the run says as a whole, and how far it can be trusted. */
export function pageHeader(run: Run): Html {
  const { tone, verdict, limits } = runSummary(run);
  return html`<header>
    <h1>Conformance of ${targetWords(run)}</h1>
    <div class="verdict ${tone}">
      <p><span>${verdict}</span></p>
      ${limits.length === 0 ? empty : html`<p class="soft">${limits.join(" ")}</p>`}
    </div>
    ${countsOf(run)}
    <p class="soft facts-line">
      Run ${run.id}, <time datetime="${run.startedAt}">${run.startedAt}</time>,
      ${run.isComplete ? "complete" : "interrupted"} after ${formatDuration(run.durationMs)}; mailproof
      ${run.suite.version}
    </p>
    ${navigation(run)}
  </header>`;
}

export function targetWords({ target }: Run): string {
  return target.isEmbedded ? "the reference service" : target.authUrl;
}

/** How many checks came to each verdict, as a bar and in words. */
function countsOf({ counts, checks }: Run): Html {
  const present = shownVerdicts.filter(
    (verdict): verdict is RunVerdict => verdict !== "none" && counts[verdict] > 0,
  );
  if (present.length === 0) return empty;
  // No verdict is too rare to be seen.
  const share = (count: number): number => Math.max(4, Math.round((1000 * count) / checks.length));
  let x = 0;
  const bars = present.map((verdict) => {
    const width = share(counts[verdict]);
    x += width;
    return html`<rect class="fill ${verdict}" x="${x - width}" y="0" width="${width}" height="10" />`;
  });
  return html`<svg class="counts-bar" viewBox="0 0 ${x} 10" preserveAspectRatio="none" aria-hidden="true">
      ${joined(bars)}
    </svg>
    <ul class="counts">
      <li>${formatCount(checks.length, "check")}:</li>
      ${present.map(
        (verdict) =>
          html`<li>
            <a href="#?verdict=${verdict}"
              ><span class="mark ${verdict}" aria-hidden="true">${verdictMarks[verdict]}</span>
              ${counts[verdict].toLocaleString("en-US")} ${verdictWords[verdict]}</a
            >
          </li>`,
      )}
    </ul>`;
}

function navigation({ checks, counts }: Run): Html {
  const hasObservations = checks.some(({ verdict }) => verdict === "observed");
  return html`<nav aria-label="Parts of this report">
    <a href="#findings">Findings</a> <a href="#undecided">Undecided</a>
    ${when(counts.warn > 0, () => html`<a href="#warnings">Warnings</a>`)}
    <a href="#requirements">Requirements</a>
    ${when(hasObservations, () => html`<a href="#observations">Observations</a>`)}
    <a href="#run">About this run</a>
  </nav>`;
}
