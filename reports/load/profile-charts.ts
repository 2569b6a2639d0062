import type { LoadProfileRun, LoadRun } from "../load-format.ts";
import { cheapUnderScryptLoad, rampOf, percentileCurves, timelineOf } from "./chart-data.ts";
import { responsesChart } from "./responses-chart.ts";
import type { ChartWithLegend } from "./chart-parts.ts";
import { cheapChart } from "./cheap-chart.ts";
import { rampChart } from "./ramp-chart.ts";
import { percentileChart } from "./percentile-chart.ts";
import type { TimelineChart } from "./phase-bands.ts";
import { timelineChart } from "./timeline-chart.ts";
import { drawChart } from "./draw-chart.ts";
import { html, type Html, empty } from "../html-text.ts";

/** @param id - unique in the page */
export function chartsOf(profile: LoadProfileRun, id: string, units: LoadRun["units"]): Html {
  const curves = percentileCurves(profile);
  const cheap = cheapUnderScryptLoad(profile, units);
  const ramp = rampOf(profile, units);
  const timeline = timelineOf(profile);
  const allExpected = timeline.responses.every(
    ({ shed, unplanned, failed }) => shed + unplanned + failed === 0,
  );
  return html`${
    cheap === undefined
      ? empty
      : chartFigure(
          "Cheap requests under scrypt load",
          cheapChart(`${id}-cheap`, cheap),
          `p99 by phase of requests that need no scrypt.${cheap.isUnreliable ? " Values from fewer than 1,000 responses are unreliable." : ""}`,
        )
  }
  ${
    ramp === undefined
      ? empty
      : chartFigure(
          "Capacity",
          rampChart(`${id}-ramp`, ramp, units.scryptMs),
          "The target is saturated when the response rate falls below the offered rate or p99 exceeds 10 S.",
        )
  }
  ${
    curves.length === 0
      ? empty
      : chartFigure(
          "Latency by percentile",
          percentileChart(`${id}-percentiles`, curves, units.scryptMs),
          "Responses with an expected status, without warm-up.",
        )
  }
  ${
    timeline.streams.length === 0
      ? empty
      : chartFigure(
          "Over time",
          timelineChart(`${id}-timeline`, timeline),
          "Responses with an expected status per second, and the p99 of each second. Each band is a phase; warm-up phases are not judged.",
        )
  }
  ${
    timeline.responses.length === 0
      ? empty
      : allExpected
        ? html`<h3>Responses by class</h3>
            <p>Every response had an expected status.</p>`
        : chartFigure(
            "Responses by class",
            responsesChart(`${id}-responses`, timeline),
            "All streams. The document allows shedding; unexpected responses and failures are violations.",
          )
  }`;
}

function chartFigure(title: string, chart: ChartWithLegend | TimelineChart, caption: string): Html {
  const numbered = "numbered" in chart ? chart.numbered : [];
  const phases =
    numbered.length === 0 ? "" : ` Phases: ${numbered.map((name, at) => `${at + 1}: ${name}`).join(", ")}.`;
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
