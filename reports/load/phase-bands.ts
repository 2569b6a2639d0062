import type { LineSeriesOption } from "echarts/charts";
import type { Timeline } from "./chart-data.ts";
import type { ChartWithLegend } from "./chart-parts.ts";

export interface TimelineChart extends ChartWithLegend {
  /** The phases' names in order, when the bands are too narrow for them and have numbers. */
  readonly numbered: readonly string[];
}

const widthOfLetter = 6.8;
const plotWidth = 688;

/** Names, or numbers when the names do not fit; a short warm-up goes without. */
export function bandLabels(bands: Timeline["bands"], to: number): { labels: string[]; isNumbered: boolean } {
  const fits = ({ name, from, to: end }: Timeline["bands"][number]): boolean =>
    name.length * widthOfLetter < ((end - from) / to) * plotWidth;
  const isNumbered = bands.some((band) => !band.isWarmUp && !fits(band));
  const labels = bands.map((band, at) => {
    if (isNumbered) return String(at + 1);
    return fits(band) ? band.name : "";
  });
  return { labels, isNumbered };
}

/** When the last phase ended, or the last answer came. */
export function endOf({ bands, answers }: Timeline): number {
  return Math.max(1, ...bands.map(({ to }) => to), ...answers.map(({ second }) => second + 0.5));
}

export function bandSeries(bands: Timeline["bands"], labels: readonly string[]): LineSeriesOption {
  return {
    type: "line",
    data: [],
    silent: true,
    markArea: {
      silent: true,
      label: {
        show: true,
        position: "insideTop",
        distance: 4,
        color: "var(--ink)",
        fontFamily: "inherit",
        fontSize: 12,
        textBorderColor: "transparent",
      },
      data: bands.map(({ from, to, isWarmUp }, at) => [
        {
          name: labels[at] ?? "",
          xAxis: from,
          itemStyle: {
            color: isWarmUp ? "var(--band-quiet)" : at % 2 === 0 ? "var(--band)" : "var(--band-other)",
            opacity: 1,
          },
        },
        { xAxis: to },
      ]),
    },
  };
}
