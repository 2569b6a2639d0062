import type { LineSeriesOption } from "echarts/charts";
import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { CheapUnderLoad, GapPoint } from "./chart-data.ts";
import {
  type ChartWithLegend,
  decades,
  legendOf,
  lineSeries,
  referenceLine,
  numberLabels,
  text,
  xAxis,
  yAxis,
} from "./chart-parts.ts";
import { formatNumber } from "../format.ts";

/** p99 of cheap requests by phase. */
export function cheapChart(id: string, cheap: CheapUnderLoad): ChartWithLegend {
  const legend = legendOf(cheap.streams.map(({ name }) => name));
  const values = cheap.streams.flatMap(({ p99InScrypts }) => p99InScrypts.flatMap((value) => value ?? []));
  const { limit } = cheap;
  return {
    id,
    label: `p99 of ${cheap.streams.map(({ name }) => name).join(", ")} in units of S, by phase`,
    height: 260,
    legend,
    option: {
      grid: { left: 56, right: 16, top: 30, bottom: 30 },
      xAxis: {
        ...xAxis(""),
        type: "category",
        data: [...cheap.phases],
        splitLine: { show: false },
      } as XAXisOption,
      yAxis: {
        ...yAxis("p99, in units of S"),
        ...decades([...values, ...(limit === undefined ? [] : [limit])]),
        axisLabel: { ...text, ...numberLabels },
      } as YAXisOption,
      series: [
        ...legend.map((entry, at): LineSeriesOption => {
          const points = (cheap.streams[at]?.p99InScrypts ?? []).map((value, phase): GapPoint => [
            phase,
            value,
          ]);
          return lineSeries(entry, points, {
            symbolSize: 9,
            label: {
              show: true,
              // Alternates sides, so that labels of two lines do not overlap.
              position: at % 2 === 0 ? "top" : "bottom",
              color: entry.color,
              fontFamily: "inherit",
              fontSize: 12,
              textBorderColor: "transparent",
              formatter: ({ value }) => `${formatNumber(Number(Array.isArray(value) ? value[1] : 0))} S`,
            },
          });
        }),
        ...(limit === undefined ? [] : [referenceLine({ yAxis: limit }, `limit ${formatNumber(limit)} S`)]),
      ],
    },
  };
}
