import { capitalized } from "../capitalized.ts";
import type { LoadComparison, LoadRun } from "../load-format.ts";
import { figures, table } from "./html-table.ts";
import { html, type Html, empty } from "../html-text.ts";
import { pageStyle } from "./page-style.ts";
import { profileSection, profileTones } from "./profile-section.ts";
import { runVerdict } from "./run-verdict.ts";
import { formatCount, formatDuration, formatNumber } from "../format.ts";
import {
  formatCoreTime,
  formatValue,
  profileVerdictText,
  formatRange,
  targetName,
  describeTries,
  formatChange,
} from "./format.ts";

/** The report as one self-contained file, without scripts and external resources. */
export function renderLoadHtml(run: LoadRun): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Load run ${run.id} of ${targetName(run)}</title>
        <style>
          ${{ markup: pageStyle }}
        </style>
      </head>
      <body>
        <main>
          ${header(run)} ${run.profiles.map((profile, at) => profileSection(profile, at, run.units))}
          ${economicsSection(run)} ${baselineSection(run)} ${howToRead(run)}
        </main>
      </body>
    </html> `.markup;
}

function header(run: LoadRun): Html {
  const { tone, text } = runVerdict(run);
  const { scryptMs, cores, isMeasured } = run.units;
  const qualifiers = [
    ...(run.isShort ? ["short"] : []),
    ...(run.isComplete ? [] : ["interrupted"]),
    ...(run.shard === undefined ? [] : [`shard ${run.shard.index + 1} of ${run.shard.count}`]),
  ];
  const suffix = qualifiers.length === 0 ? "" : ` (${qualifiers.join(", ")})`;
  return html`<h1>Load run of ${targetName(run)}</h1>
    <p class="verdict ${tone}"><span>${capitalized(text)}.</span></p>
    <dl class="facts">
      <dt>Run</dt>
      <dd>${run.id}${suffix}, started ${run.startedAt}, took ${formatDuration(run.durationMs)}</dd>
      <dt>Target</dt>
      <dd>${run.target.authUrl}, ${run.target.apiUrl}, ${run.target.mcpUrl}</dd>
      <dt>Scrypt time, S</dt>
      <dd>${formatNumber(scryptMs)} ms, ${isMeasured ? "measured on this machine" : "set in the profile"}</dd>
      <dt>Cores, C</dt>
      <dd>${cores}</dd>
      <dt>Generator</dt>
      <dd>
        ${run.machine.cpu}, ${formatCount(run.machine.cores, "core")}; mailproof ${run.suite.version}, node
        ${run.suite.node}
      </dd>
    </dl>
    ${overview(run)}`;
}

function overview({ profiles }: LoadRun): Html {
  if (profiles.length === 0) return empty;
  const rows = profiles.map(
    ({ name, question, verdict }, at) =>
      html`<tr>
        <td class="keep"><a href="#profile-${at}">${name}</a></td>
        <td>
          <span class="tone ${profileTones[verdict]}">${capitalized(profileVerdictText[verdict])}</span>
        </td>
        <td class="wide">${question}</td>
      </tr> `,
  );
  return table(["Profile", "Verdict", "Question"], rows);
}

function economicsSection({ economics }: LoadRun): Html {
  if (economics === undefined) return empty;
  const { difficultyBits, expectedTries, verifyMs, solvers } = economics;
  const rows = solvers.map(
    (line) =>
      html`<tr>
        <td>${line.where}</td>
        <td>${line.solver}</td>
        <td>${line.basis}</td>
        <td class="n">${formatNumber(line.hashesPerSecond)}</td>
        <td class="n">${formatCoreTime(line.signupCoreSeconds)}</td>
        <td class="n">${formatNumber(line.solveToVerify)} : 1</td>
      </tr> `,
  );
  return html`<section id="economics">
    <h2>Cost of a sign-up</h2>
    <p>
      At a difficulty of ${formatCount(difficultyBits, "bit")}, a proof of work takes
      ${formatCount(expectedTries, "attempt")} on average. Verification takes one scrypt evaluation, in
      ${formatNumber(verifyMs)} ms.
    </p>
    ${table(["Where", "Solver", "Basis", figures("Hashes/s"), figures("CPU time"), figures("Solve : verify")], rows)}
    <p>${describeTries(economics)}</p>
  </section> `;
}

function baselineSection({ baseline, profiles }: LoadRun): Html {
  if (baseline === undefined) return empty;
  const rows = baseline.comparisons.map((row) => {
    const kind = profiles
      .find(({ name }) => name === row.profile)
      ?.thresholds.find(({ id }) => id === row.threshold)?.kind;
    const shown = (value: number | undefined): string =>
      value === undefined ? "–" : formatValue(kind, value);
    const range = row.interval === undefined ? "" : formatRange(kind, row.interval);
    return html`<tr>
      <td>${row.profile}/${row.threshold}</td>
      <td class="n">${shown(row.before)}</td>
      <td class="n">${range}</td>
      <td class="n">${shown(row.now)}</td>
      <td>${outcomeOf(row)}</td>
    </tr> `;
  });
  return html`<section id="baseline">
    <h2>Compared with ${baseline.id}</h2>
    <p>A value is a regression when it is outside the earlier run’s interval and worse by more than 10 %.</p>
    ${table(["Threshold", figures("Before"), figures("95 % interval"), figures("Now"), ""], rows)}
  </section> `;
}

function outcomeOf(row: LoadComparison): Html {
  if (row.notCompared !== undefined) return html`<span class="soft">Not compared: ${row.notCompared}</span>`;
  if (row.isRegression) return html`<span class="tone bad">Regression</span>, ${formatChange(row)}`;
  return html`${capitalized(formatChange(row))}`;
}

function howToRead({ units }: LoadRun): Html {
  const capacityPerSecond = (1000 * units.cores) / units.scryptMs;
  return html`<section id="how-to-read">
    <h2>How to read this</h2>
    <p>
      S is the time of one scrypt evaluation on one core of the target, and C is the number of its cores. Its
      theoretical capacity is C / S, here ${formatNumber(capacityPerSecond)} verifications per second.
      Efficiency, E, is the share of CPU time spent on scrypt. Latencies in units of S and efficiencies are
      comparable across machines; milliseconds and rates are not.
    </p>
    <p>
      An open-loop stream sends requests at a constant rate, and measures latency from the scheduled time to
      avoid coordinated omission. In a closed-loop stream, each connection sends its next request when the
      previous response arrives.
    </p>
    <p>
      Responses with 429, or 503 with Retry-After, count as shed. The document allows them, and latencies do
      not include them. Errors are responses with any other unexpected status, and requests without a
      response. An invalid measurement is neither pass nor fail.
    </p>
  </section> `;
}
