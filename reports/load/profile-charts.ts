import type { LoadProfileRun, LoadRun } from "../load-format.ts";
import { cheapBesideScrypt, ladderOf, percentileCurves, timelineOf } from "./chart-data.ts";
import { answersChart } from "./answers-chart.ts";
import type { ChartWithLegend } from "./chart-parts.ts";
import { cheapChart } from "./cheap-chart.ts";
import { ladderChart } from "./ladder-chart.ts";
import { percentileChart } from "./percentile-chart.ts";
import type { TimelineChart } from "./phase-bands.ts";
import { timelineChart } from "./timeline-chart.ts";
import { drawChart } from "./draw-chart.ts";
import { html, type Html, nothing } from "./html-text.ts";

/** @param id - unique in the page */
export function chartsOf(profile: LoadProfileRun, id: string, units: LoadRun["units"]): Html {
  const curves = percentileCurves(profile);
  const cheap = cheapBesideScrypt(profile, units);
  const ladder = ladderOf(profile, units);
  const timeline = timelineOf(profile);
  const isAllPlanned = timeline.answers.every(
    ({ shed, unplanned, failed }) => shed + unplanned + failed === 0,
  );
  return html`${
    cheap === undefined
      ? nothing
      : charted(
          "Cheap requests beside scrypt",
          cheapChart(`${id}-cheap`, cheap),
          `p99 of requests that need no scrypt, phase by phase.${cheap.isRough ? " Some are of fewer than 1,000 answers, a matter of chance." : ""}`,
        )
  }
  ${
    ladder === undefined
      ? nothing
      : charted(
          "Capacity",
          ladderChart(`${id}-ladder`, ladder, units.scryptMs),
          "Where the answered leave the offered, or p99 climbs over ten scrypt times, the target is at its end.",
        )
  }
  ${
    curves.length === 0
      ? nothing
      : charted(
          "Latency by percentile",
          percentileChart(`${id}-percentiles`, curves, units.scryptMs),
          "Each step to the right is ten times rarer. Of planned answers, warm-up left out.",
        )
  }
  ${
    timeline.streams.length === 0
      ? nothing
      : charted(
          "Second by second",
          timelineChart(`${id}-timeline`, timeline),
          "Planned answers a second, and the p99 of each second by itself. Each band is a phase; a warm-up counts for nothing.",
        )
  }
  ${
    timeline.answers.length === 0
      ? nothing
      : isAllPlanned
        ? html`<h3>How it was answered</h3>
            <p>Every request was answered as the document wants.</p>`
        : charted(
            "How it was answered",
            answersChart(`${id}-answers`, timeline),
            "All streams together. Shedding is an answer that the document allows; the two above it are not.",
          )
  }`;
}

function charted(title: string, chart: ChartWithLegend | TimelineChart, caption: string): Html {
  const numbered = "numbered" in chart ? chart.numbered : [];
  const phases =
    numbered.length === 0 ? "" : ` Phases: ${numbered.map((name, at) => `${at + 1} ${name}`).join(", ")}.`;
  return html`<h3>${title}</h3>
    <figure>
      <ul class="legend">
        ${chart.legend.map(
          ({ name, color, isDashed }) =>
            html`<li>
              <i class="${isDashed ? "dashed" : "solid"}" style="border-color: ${color}"></i>${name}
            </li>`,
        )}
      </ul>
      <div class="scroll">${drawChart(chart)}</div>
      <figcaption>${caption}${phases}</figcaption>
    </figure>`;
}
