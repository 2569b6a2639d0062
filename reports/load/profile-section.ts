import { capitalized } from "../capitalized.ts";
import type { LoadProfileRun, LoadRun } from "../load-format.ts";
import { chartsOf } from "./profile-charts.ts";
import { figures, table } from "./html-table.ts";
import { html, type Html, empty } from "../html-text.ts";
import { statsOf, measuredPhases, type StreamStats } from "./stream-stats.ts";
import { formatCount, formatNumber } from "../format.ts";
import {
  formatValue,
  formatLimit,
  profileVerdictText,
  formatRange,
  type ShownVerdict,
  shownVerdict,
  formatOccurrences,
  thresholdVerdictText,
} from "./format.ts";

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
  invalid: "unknown",
};

/** @param at - unique in the page */
export function profileSection(profile: LoadProfileRun, at: number, units: LoadRun["units"]): Html {
  const { name, question, verdict } = profile;
  return html`<section id="profile-${at}">
    <h2>${name}</h2>
    <p>
      ${question}
      <span class="tone ${profileTones[verdict]}">${capitalized(profileVerdictText[verdict])}.</span>
    </p>
    ${invalidBox(profile)} ${violationsBox(profile)} ${thresholdsTable(profile)}
    ${streamsTable(profile, units)} ${chartsOf(profile, `p${at}`, units)} ${healthTable(profile)}
  </section> `;
}

function invalidBox({ invalid }: LoadProfileRun): Html {
  if (invalid.length === 0) return empty;
  return html`<div class="box unknown">
    <p>The measurement is invalid:</p>
    <ul>
      ${invalid.map(({ text }) => html`<li>${text}</li>`)}
    </ul>
  </div>`;
}

function violationsBox({ violations }: LoadProfileRun): Html {
  if (violations.length === 0) return empty;
  return html`<h3>Violations of the document</h3>
    ${violations.map(
      (violation) =>
        html`<div class="box bad">
          <p>
            ${violation.step}, ${formatOccurrences(violation)}: expected ${violation.expected}; observed
            ${violation.observed}.
          </p>
          ${violation.exchanges.map(
            (exchange) =>
              html`<details>
                <summary>
                  ${exchange.request.method} ${exchange.request.url}: ${statusOf(exchange)} after
                  ${formatNumber(exchange.durationMs)} ms
                </summary>
                <pre>
${exchange.request.method} ${exchange.request.url}
${headerLines(exchange.request.headers)}

${truncate(exchange.request.body)}</pre>
                <pre>
${statusOf(exchange)}
${headerLines(exchange.response.headers)}

${truncate(exchange.response.body)}</pre>
              </details>`,
          )}
        </div>`,
    )}`;
}

type Exchange = LoadProfileRun["violations"][number]["exchanges"][number];

function statusOf({ response }: Exchange): string {
  return response.status === 0 ? "no response" : String(response.status);
}

function headerLines(headers: Exchange["request"]["headers"]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}

const maxBodyLength = 4000;

function truncate(body: string): string {
  return body.length > maxBodyLength
    ? `${body.slice(0, maxBodyLength)}… (${body.length} characters; full body in load.json)`
    : body;
}

function thresholdsTable(profile: LoadProfileRun): Html {
  const { thresholds } = profile;
  if (thresholds.length === 0) return empty;
  const rows = thresholds.map((threshold) => {
    const { kind, claim, value, interval, reason } = threshold;
    const shown = shownVerdict(threshold, profile);
    const range = interval === undefined ? "" : formatRange(kind, interval);
    return html`<tr>
      <td class="keep">
        <span class="tone ${thresholdTones[shown]}">${capitalized(thresholdVerdictText(shown))}</span>
      </td>
      <td class="wide">
        ${claim}${reason === undefined ? "" : html`<br /><span class="soft">${reason}</span>`}
      </td>
      <td class="n">${value === undefined ? "–" : formatValue(kind, value)}</td>
      <td class="n">${range}</td>
      <td class="n">${formatLimit(threshold)}</td>
    </tr> `;
  });
  return html`<h3>Thresholds</h3>
    ${table(["", "Claim", figures("Measured"), figures("95 % interval"), figures("Limit")], rows)}`;
}

const streamFigures = ["Offered", "Responses/s", "p50 ms", "p99 ms", "max ms", "Shed", "Errors", "E"];

function streamsTable({ phases }: LoadProfileRun, units: LoadRun["units"]): Html {
  const all = measuredPhases(phases).flatMap((phase) =>
    phase.streams.map((stream) => statsOf(phase, stream, units)),
  );
  if (all.length === 0) return empty;
  const rows = all.map(
    (each, at) =>
      html`<tr>
        <td>${all[at - 1]?.phase === each.phase ? "" : each.phase}</td>
        <td>${each.stream}</td>
        <td class="n">${formatOffered(each)}</td>
        <td class="n">${formatNumber(each.perSecond)}</td>
        <td class="n">${formatMs(each.p50Ms)}</td>
        <td class="n">
          ${each.isP99Unreliable && each.p99Ms !== undefined ? "~ " : ""}${formatMs(each.p99Ms)}
        </td>
        <td class="n">${formatMs(each.maxMs)}</td>
        <td class="n">${formatNumber(each.shed)}</td>
        <td class="n">${formatNumber(each.errors)}</td>
        <td class="n">${each.efficiency === undefined ? "" : formatNumber(each.efficiency)}</td>
      </tr> `,
  );
  const note = all.some(({ isP99Unreliable, p99Ms }) => isP99Unreliable && p99Ms !== undefined)
    ? html`<p class="soft">~ Unreliable: fewer than 1,000 responses.</p>`
    : empty;
  return html`<h3>Streams</h3>
    ${table(["Phase", "Stream", ...streamFigures.map(figures)], rows)} ${note}`;
}

function formatOffered({ model, offered }: StreamStats): string {
  return model === "closed" ? formatCount(offered, "connection") : `${formatNumber(offered)}/s`;
}

function formatMs(value: number | undefined): string {
  return value === undefined ? "–" : formatNumber(value);
}

const healthFigures = [
  "Generator, cores",
  "Event loop delay p99, ms",
  "Other programs, cores",
  "Target, cores",
  "Target, MiB",
  "Clock step, ms",
];

function healthTable({ phases, calibration }: LoadProfileRun): Html {
  if (phases.length === 0) return empty;
  const orUnknown = (value: number | undefined): string =>
    value === undefined ? "unknown" : formatNumber(value);
  const rows = phases.map(({ name, health }) => {
    const { generatorCores, loopLagP99Ms, foreignCores, targetCores, targetMiB, clockStepMs } = health;
    const [first, last] = [targetMiB[0], targetMiB.at(-1)];
    const memory =
      first === undefined || last === undefined
        ? "unknown"
        : `${formatNumber(first)} to ${formatNumber(last)}`;
    return html`<tr>
      <td>${name}</td>
      <td class="n">${formatNumber(generatorCores)}</td>
      <td class="n">${formatNumber(loopLagP99Ms)}</td>
      <td class="n">${orUnknown(foreignCores)}</td>
      <td class="n">${orUnknown(targetCores)}</td>
      <td class="n">${memory}</td>
      <td class="n">${formatNumber(clockStepMs)}</td>
    </tr> `;
  });
  const drift =
    calibration === undefined
      ? empty
      : html`<p class="soft">
          S was ${formatNumber(calibration.beforeMs)} ms before and ${formatNumber(calibration.afterMs)} ms
          after the profile.
        </p>`;
  return html`<h3>Resource usage</h3>
    ${table(["Phase", ...healthFigures.map(figures)], rows)} ${drift}`;
}
