import type { LineSeriesOption } from "echarts/charts";
import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { GapPoint } from "./chart-data.ts";
import type { Chart } from "./draw-chart.ts";
import { formatNumber } from "../format.ts";

/** Rendered as HTML next to the chart, because it wraps there. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  readonly isDashed: boolean;
}

export interface ChartWithLegend extends Chart {
  readonly legend: readonly LegendEntry[];
}

const colors = 8;

export function legendOf(names: readonly string[]): LegendEntry[] {
  return names.map((name, at) => ({
    name,
    color: `var(--line-${at % colors})`,
    isDashed: at >= colors,
  }));
}

export const text = { color: "var(--soft)", fontFamily: "inherit", fontSize: 12 };

function axis(name: string): XAXisOption & YAXisOption {
  return {
    name,
    nameTextStyle: text,
    axisLabel: { ...text, hideOverlap: true },
    axisLine: { show: true, lineStyle: { color: "var(--rule)" } },
    axisTick: { lineStyle: { color: "var(--rule)" } },
    splitLine: { show: true, lineStyle: { color: "var(--grid)" } },
  } as XAXisOption & YAXisOption;
}

export function xAxis(name: string): ReturnType<typeof axis> {
  return { ...axis(name), nameLocation: "middle", nameGap: 28 } as ReturnType<typeof axis>;
}

export function yAxis(name: string): ReturnType<typeof axis> {
  return {
    ...axis(name),
    nameLocation: "end",
    nameTextStyle: { ...text, align: "left", padding: [0, 0, 0, -44] },
  } as ReturnType<typeof axis>;
}

export const timeGrid = { left: 56, right: 16 };

/** A logarithmic axis over whole decades that contain all values. */
export function decades(values: readonly number[]): { type: "log"; min: number; max: number } {
  const positive = values.filter((value) => value > 0);
  const low = positive.length === 0 ? 1 : Math.min(...positive);
  const high = positive.length === 0 ? 10 : Math.max(...positive);
  const min = 10 ** Math.floor(Math.log10(low));
  return { type: "log", min, max: Math.max(min * 10, 10 ** Math.ceil(Math.log10(high))) };
}

/** A linear axis from zero, with headroom for the labels of bands. */
export function fromZero(values: readonly number[]): { type: "value"; min: 0; max: number } {
  return { type: "value", min: 0, max: Math.max(1, ...values) * 1.25 };
}

export const numberLabels = { formatter: (value: number): string => formatNumber(value) };

export function lineSeries(
  entry: LegendEntry,
  points: readonly GapPoint[],
  changes: LineSeriesOption = {},
): LineSeriesOption {
  return {
    type: "line",
    name: entry.name,
    data: points.map(([x, y]) => [x, y ?? null]),
    silent: true,
    emphasis: { disabled: true },
    symbol: "circle",
    symbolSize: 4,
    showSymbol: points.length < 80,
    itemStyle: { color: entry.color },
    lineStyle: { color: entry.color, width: 1.8, type: entry.isDashed ? "dashed" : "solid" },
    ...changes,
  };
}

function markLineOptions(
  at: { yAxis: number } | { xAxis: number },
  label: string,
): LineSeriesOption["markLine"] {
  return {
    silent: true,
    symbol: "none",
    animation: false,
    lineStyle: { color: "var(--ink)", type: "dashed", width: 1 },
    label: {
      formatter: label,
      position: "insideEndTop",
      color: "var(--ink)",
      fontFamily: "inherit",
      fontSize: 12,
      rotate: 0,
      textBorderColor: "transparent",
      backgroundColor: "var(--paper)",
      padding: [1, 3],
    },
    data: [at],
  };
}

export function referenceLine(at: { yAxis: number } | { xAxis: number }, label: string): LineSeriesOption {
  return { type: "line", data: [], silent: true, markLine: markLineOptions(at, label) ?? {} };
}
