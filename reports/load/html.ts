import type { LoadComparison, LoadRun } from "../load-format.ts";
import { html, type Html, nothing } from "./html-text.ts";
import { pageStyle } from "./page-style.ts";
import { profileSection, profileTones, sentence } from "./profile-section.ts";
import { runVerdict } from "./run-verdict.ts";
import {
  coreTimeInWords,
  count,
  durationInWords,
  figure,
  inUnits,
  profileWords,
  rangeInUnits,
  targetInWords,
  triesInWords,
  worseInWords,
} from "./words.ts";

/** The whole report as one file that needs nothing else: no scripts, and nothing from elsewhere. */
export function renderLoadHtml(run: LoadRun): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Load run ${run.id} of ${targetInWords(run)}</title>
        <style>
          ${{ markup: pageStyle }}
        </style>
      </head>
      <body>
        <main>
          ${opening(run)} ${run.profiles.map((profile, at) => profileSection(profile, at, run.units))}
          ${economicsSection(run)} ${baselineSection(run)} ${howToRead(run)}
        </main>
      </body>
    </html> `.markup;
}

function opening(run: LoadRun): Html {
  const { tone, text } = runVerdict(run);
  const { scryptMs, cores, isMeasured } = run.units;
  const kind = [
    ...(run.isShort ? ["short"] : []),
    ...(run.isComplete ? [] : ["interrupted"]),
    ...(run.shard === undefined ? [] : [`shard ${run.shard.index + 1} of ${run.shard.count}`]),
  ];
  const kinds = kind.length === 0 ? "" : ` (${kind.join(", ")})`;
  return html`<h1>Load run of ${targetInWords(run)}</h1>
    <p class="verdict ${tone}"><span>${sentence(text)}.</span></p>
    <dl class="facts">
      <dt>Run</dt>
      <dd>${run.id}${kinds}, began ${run.startedAt}, took ${durationInWords(run.durationMs)}</dd>
      <dt>Target</dt>
      <dd>${run.target.authUrl}, ${run.target.apiUrl}, ${run.target.mcpUrl}</dd>
      <dt>One scrypt, S</dt>
      <dd>${figure(scryptMs)} ms, ${isMeasured ? "measured here" : "as the profile says"}</dd>
      <dt>Cores, C</dt>
      <dd>${cores}</dd>
      <dt>Generator</dt>
      <dd>
        ${run.machine.cpu}, ${count(run.machine.cores, "core")}; mailproof ${run.suite.version}, node
        ${run.suite.node}
      </dd>
    </dl>
    ${overview(run)}`;
}

function overview({ profiles }: LoadRun): Html {
  if (profiles.length === 0) return nothing;
  const rows = profiles.map(
    ({ name, question, verdict }, at) =>
      html`<tr>
        <td class="keep"><a href="#profile-${at}">${name}</a></td>
        <td><span class="tone ${profileTones[verdict]}">${sentence(profileWords[verdict])}</span></td>
        <td class="wide">${question}</td>
      </tr> `,
  );
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th>Profile</th>
          <th>Verdict</th>
          <th>Question</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function economicsSection({ economics }: LoadRun): Html {
  if (economics === undefined) return nothing;
  const { difficultyBits, expectedTries, verifyMs, solvers } = economics;
  const rows = solvers.map(
    (line) =>
      html`<tr>
        <td>${line.where}</td>
        <td>${line.solver}</td>
        <td>${line.basis}</td>
        <td class="n">${figure(line.hashesPerSecond)}</td>
        <td class="n">${coreTimeInWords(line.signupCoreSeconds)}</td>
        <td class="n">${figure(line.solveToVerify)} : 1</td>
      </tr> `,
  );
  return html`<section id="economics">
    <h2>What a sign-up costs</h2>
    <p>
      At ${count(difficultyBits, "bit")} a proof of work takes ${count(expectedTries, "try", "tries")} on
      average. The target verifies it with one, in ${figure(verifyMs)} ms.
    </p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Where</th>
            <th>Solver</th>
            <th>Basis</th>
            <th class="n">Hashes/s</th>
            <th class="n">Core time</th>
            <th class="n">To the target’s</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    <p>${triesInWords(economics)}</p>
  </section> `;
}

function baselineSection({ baseline, profiles }: LoadRun): Html {
  if (baseline === undefined) return nothing;
  const rows = baseline.comparisons.map((row) => {
    const kind = profiles
      .find(({ name }) => name === row.profile)
      ?.thresholds.find(({ id }) => id === row.threshold)?.kind;
    const shown = (value: number | undefined): string => (value === undefined ? "–" : inUnits(kind, value));
    const range = row.interval === undefined ? "" : rangeInUnits(kind, row.interval);
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
    <p>
      A figure is a regression when it is outside the earlier run’s interval and worse by more than a tenth.
    </p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Threshold</th>
            <th class="n">Before</th>
            <th class="n">95 % interval</th>
            <th class="n">Now</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </section> `;
}

function outcomeOf(row: LoadComparison): Html {
  if (row.notCompared !== undefined) return html`<span class="soft">Not compared: ${row.notCompared}</span>`;
  if (row.isRegression) return html`<span class="tone bad">Regression</span>, ${worseInWords(row)}`;
  return html`${sentence(worseInWords(row))}`;
}

function howToRead({ units }: LoadRun): Html {
  const mostPerSecond = (1000 * units.cores) / units.scryptMs;
  return html`<section id="how-to-read">
    <h2>How to read this</h2>
    <p>
      S is the time of one scrypt evaluation on one core of the target, and C is the number of its cores, so
      that C / S, here ${figure(mostPerSecond)} a second, is the most that it can verify. Latencies in units
      of S and E, the share of C that scrypt kept busy, mean the same on another machine; milliseconds and
      rates do not.
    </p>
    <p>
      In an open stream requests are due at fixed times whatever the target does, and latency counts from when
      they were due. In a closed stream each connection sends its next request when the last was answered.
    </p>
    <p>
      Answers of 429, or of 503 with Retry-After, are shed: the document allows them, and their latency is not
      counted. What was measured badly is neither pass nor fail.
    </p>
  </section> `;
}
