import type { LoadProfileRun, LoadRun } from "../load-format.ts";
import { chartsOf } from "./profile-charts.ts";
import { html, type Html, nothing } from "./html-text.ts";
import { figuresOf, measuredPhases, type StreamFigures } from "./stream-figures.ts";
import {
  figure,
  inUnits,
  limitInWords,
  profileWords,
  rangeInUnits,
  type ShownVerdict,
  shownVerdict,
  timesSeen,
  verdictInWords,
} from "./words.ts";

export const profileTones: Record<LoadProfileRun["verdict"], string> = {
  holds: "good",
  warns: "warning",
  missed: "bad",
  violated: "bad",
  invalid: "unknown",
};

const thresholdTones: Record<ShownVerdict, string> = {
  pass: "good",
  warn: "warning",
  missed: "bad",
  "not-judged": "unknown",
  void: "unknown",
};

/** @param at - unique in the page */
export function profileSection(profile: LoadProfileRun, at: number, units: LoadRun["units"]): Html {
  const { name, question, verdict } = profile;
  return html`<section id="profile-${at}">
    <h2>${name}</h2>
    <p>${question} <span class="tone ${profileTones[verdict]}">${sentence(profileWords[verdict])}.</span></p>
    ${invalidBox(profile)} ${violationsBox(profile)} ${thresholdsTable(profile)}
    ${streamsTable(profile, units)} ${chartsOf(profile, `p${at}`, units)} ${healthTable(profile)}
  </section> `;
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function invalidBox({ invalid }: LoadProfileRun): Html {
  if (invalid.length === 0) return nothing;
  return html`<div class="box unknown">
    <p>What was measured says nothing about the target:</p>
    <ul>
      ${invalid.map(({ text }) => html`<li>${text}</li>`)}
    </ul>
  </div>`;
}

function violationsBox({ violations }: LoadProfileRun): Html {
  if (violations.length === 0) return nothing;
  return html`<h3>Violations of the document</h3>
    ${violations.map(
      (violation) =>
        html`<div class="box bad">
          <p>
            ${violation.step}, ${timesSeen(violation)}: expected ${violation.expected}; observed
            ${violation.observed}.
          </p>
          ${violation.exchanges.map(
            (exchange) =>
              html`<details>
                <summary>
                  ${exchange.request.method} ${exchange.request.url}: ${statusOf(exchange)} after
                  ${figure(exchange.durationMs)} ms
                </summary>
                <pre>
${exchange.request.method} ${exchange.request.url}
${headerLines(exchange.request.headers)}

${shortened(exchange.request.body)}</pre>
                <pre>
${statusOf(exchange)}
${headerLines(exchange.response.headers)}

${shortened(exchange.response.body)}</pre>
              </details>`,
          )}
        </div>`,
    )}`;
}

type Exchange = LoadProfileRun["violations"][number]["exchanges"][number];

function statusOf({ response }: Exchange): string {
  return response.status === 0 ? "no answer" : String(response.status);
}

function headerLines(headers: Exchange["request"]["headers"]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}

const longestBody = 4000;

function shortened(body: string): string {
  return body.length > longestBody
    ? `${body.slice(0, longestBody)}… (${body.length} characters; all are in load.json)`
    : body;
}

function thresholdsTable(profile: LoadProfileRun): Html {
  const { thresholds } = profile;
  if (thresholds.length === 0) return nothing;
  const rows = thresholds.map((threshold) => {
    const { kind, claim, value, interval, reason } = threshold;
    const shown = shownVerdict(threshold, profile);
    const range = interval === undefined ? "" : rangeInUnits(kind, interval);
    return html`<tr>
      <td class="keep">
        <span class="tone ${thresholdTones[shown]}">${sentence(verdictInWords(shown))}</span>
      </td>
      <td class="wide">
        ${claim}${reason === undefined ? "" : html`<br /><span class="soft">${reason}</span>`}
      </td>
      <td class="n">${value === undefined ? "–" : inUnits(kind, value)}</td>
      <td class="n">${range}</td>
      <td class="n">${limitInWords(threshold)}</td>
    </tr> `;
  });
  return html`<h3>Thresholds</h3>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th></th>
            <th>What must hold</th>
            <th class="n">Measured</th>
            <th class="n">95 % interval</th>
            <th class="n">Limit</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function streamsTable({ phases }: LoadProfileRun, units: LoadRun["units"]): Html {
  const all = measuredPhases(phases).flatMap((phase) =>
    phase.streams.map((stream) => figuresOf(phase, stream, units)),
  );
  if (all.length === 0) return nothing;
  const rows = all.map(
    (of, at) =>
      html`<tr>
        <td>${all[at - 1]?.phase === of.phase ? "" : of.phase}</td>
        <td>${of.stream}</td>
        <td class="n">${offeredInWords(of)}</td>
        <td class="n">${figure(of.perSecond)}</td>
        <td class="n">${ms(of.p50Ms)}</td>
        <td class="n">${of.isP99Rough && of.p99Ms !== undefined ? "~ " : ""}${ms(of.p99Ms)}</td>
        <td class="n">${ms(of.maxMs)}</td>
        <td class="n">${figure(of.shed)}</td>
        <td class="n">${figure(of.errors)}</td>
        <td class="n">${of.efficiency === undefined ? "" : figure(of.efficiency)}</td>
      </tr> `,
  );
  const note = all.some(({ isP99Rough, p99Ms }) => isP99Rough && p99Ms !== undefined)
    ? html`<p class="soft">~ of fewer than 1,000 answers: a matter of chance.</p>`
    : nothing;
  return html`<h3>What was offered, and what came of it</h3>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Phase</th>
            <th>Stream</th>
            <th class="n">Offered</th>
            <th class="n">Answers/s</th>
            <th class="n">p50 ms</th>
            <th class="n">p99 ms</th>
            <th class="n">max ms</th>
            <th class="n">Shed</th>
            <th class="n">Errors</th>
            <th class="n">E</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${note}`;
}

function offeredInWords({ model, offered }: StreamFigures): string {
  return model === "closed" ? `${figure(offered)} connections` : `${figure(offered)}/s`;
}

function ms(value: number | undefined): string {
  return value === undefined ? "–" : figure(value);
}

function healthTable({ phases, calibration }: LoadProfileRun): Html {
  if (phases.length === 0) return nothing;
  const orUnknown = (value: number | undefined): string => (value === undefined ? "unknown" : figure(value));
  const rows = phases.map(({ name, health }) => {
    const { generatorCores, loopLagP99Ms, foreignCores, targetCores, targetMiB, clockStepMs } = health;
    const [first, last] = [targetMiB[0], targetMiB.at(-1)];
    const memory =
      first === undefined || last === undefined ? "unknown" : `${figure(first)} to ${figure(last)}`;
    return html`<tr>
      <td>${name}</td>
      <td class="n">${figure(generatorCores)}</td>
      <td class="n">${figure(loopLagP99Ms)}</td>
      <td class="n">${orUnknown(foreignCores)}</td>
      <td class="n">${orUnknown(targetCores)}</td>
      <td class="n">${memory}</td>
      <td class="n">${figure(clockStepMs)}</td>
    </tr> `;
  });
  const drift =
    calibration === undefined
      ? nothing
      : html`<p class="soft">
          One scrypt on this machine took ${figure(calibration.beforeMs)} ms just before and
          ${figure(calibration.afterMs)} ms just after.
        </p>`;
  return html`<h3>Health of the generator</h3>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Phase</th>
            <th class="n">Generator, cores</th>
            <th class="n">Loop lag p99, ms</th>
            <th class="n">Other programs, cores</th>
            <th class="n">Target, cores</th>
            <th class="n">Target, MiB</th>
            <th class="n">Clock step, ms</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${drift}`;
}
