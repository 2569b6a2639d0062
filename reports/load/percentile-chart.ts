import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { Curve } from "./chart-data.ts";
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

const percentileNames: Record<number, string> = { 1: "0 %", 10: "90 %", 100: "99 %", 1000: "99.9 %" };

/** Latency over a logarithmic percentile axis, as in HdrHistogram plots. */
export function percentileChart(id: string, curves: readonly Curve[], scryptMs: number): ChartWithLegend {
  const legend = legendOf(curves.map(({ name }) => name));
  const all = curves.flatMap(({ points }) => points);
  return {
    id,
    label: `Latency by percentile of ${curves.map(({ name }) => name).join(", ")}`,
    height: 300,
    legend,
    option: {
      grid: { left: 56, right: 30, top: 30, bottom: 48 },
      xAxis: {
        ...xAxis("percentile"),
        type: "log",
        min: 1,
        max: decades(all.map(([oneIn]) => oneIn)).max,
        axisLabel: {
          ...text,
          formatter: (oneIn: number) =>
            percentileNames[oneIn] ?? `${(100 * (1 - 1 / oneIn)).toFixed(Math.log10(oneIn) - 2)} %`,
        },
      } as XAXisOption,
      yAxis: {
        ...yAxis("latency, ms"),
        ...decades([scryptMs, ...all.map(([, ms]) => ms)]),
        axisLabel: { ...text, ...numberLabels },
      } as YAXisOption,
      series: [
        ...legend.map((entry, at) => lineSeries(entry, curves[at]?.points ?? [], { showSymbol: false })),
        referenceLine({ yAxis: scryptMs }, `S = ${formatNumber(scryptMs)} ms`),
      ],
    },
  };
}
