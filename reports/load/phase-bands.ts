import type { LineSeriesOption } from "echarts/charts";
import type { Timeline } from "./chart-data.ts";
import type { ChartWithLegend } from "./chart-parts.ts";

export interface TimelineChart extends ChartWithLegend {
  /** Phase names in order, when the bands are too narrow and show numbers instead. */
  readonly numbered: readonly string[];
}

const characterWidth = 6.8;
const plotWidth = 688;

/** Names, or numbers when a name does not fit. A warm-up may have no label. */
export function bandLabels(bands: Timeline["bands"], to: number): { labels: string[]; isNumbered: boolean } {
  const fits = ({ name, from, to: end }: Timeline["bands"][number]): boolean =>
    name.length * characterWidth < ((end - from) / to) * plotWidth;
  const isNumbered = bands.some((band) => !band.isWarmUp && !fits(band));
  const labels = bands.map((band, at) => {
    if (isNumbered) return String(at + 1);
    return fits(band) ? band.name : "";
  });
  return { labels, isNumbered };
}

/** The end of the last phase or the last response, in seconds. */
export function endOf({ bands, responses }: Timeline): number {
  return Math.max(1, ...bands.map(({ to }) => to), ...responses.map(({ second }) => second + 0.5));
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
