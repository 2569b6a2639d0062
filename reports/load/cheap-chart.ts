import type { LineSeriesOption } from "echarts/charts";
import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { CheapBeside, GapPoint } from "./chart-data.ts";
import {
  type ChartWithLegend,
  decades,
  legendOf,
  line,
  marking,
  plainNumber,
  text,
  xAxis,
  yAxis,
} from "./chart-parts.ts";
import { figure } from "./words.ts";

/** p99 of cheap requests, phase by phase. */
export function cheapChart(id: string, cheap: CheapBeside): ChartWithLegend {
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
        axisLabel: { ...text, ...plainNumber },
      } as YAXisOption,
      series: [
        ...legend.map((entry, at): LineSeriesOption => {
          const points = (cheap.streams[at]?.p99InScrypts ?? []).map((value, phase): GapPoint => [
            phase,
            value,
          ]);
          return line(entry, points, {
            symbolSize: 9,
            label: {
              show: true,
              // Of two lines the labels stand above the first and below the second.
              position: at % 2 === 0 ? "top" : "bottom",
              color: entry.color,
              fontFamily: "inherit",
              fontSize: 12,
              textBorderColor: "transparent",
              formatter: ({ value }) => `${figure(Number(Array.isArray(value) ? value[1] : 0))} S`,
            },
          });
        }),
        ...(limit === undefined ? [] : [marking({ yAxis: limit }, `limit ${figure(limit)} S`)]),
      ],
    },
  };
}
