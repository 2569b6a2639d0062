import type { LineSeriesOption } from "echarts/charts";
import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { Ladder } from "./chart-data.ts";
import {
  type ChartWithLegend,
  decades,
  legendOf,
  line,
  marking,
  plainNumber,
  text,
  timeGrid,
  xAxis,
  yAxis,
} from "./chart-parts.ts";
import { figure } from "./words.ts";

const tenScrypts = 10;

/** What was answered of what was offered, and how slowly. */
export function ladderChart(id: string, ladder: Ladder, scryptMs: number): ChartWithLegend {
  const [answered, offered] = legendOf(["answered", "offered"]);
  const p99 = legendOf(["", "", "p99"])[2];
  const legend = [answered, offered, p99].filter((entry) => entry !== undefined);
  const { steps, kneePerSecond } = ladder;
  const rates = steps.map(({ offeredPerSecond }) => offeredPerSecond);
  const ms = steps.flatMap(({ p99Ms }) => p99Ms ?? []);
  const range = {
    type: "value",
    min: Math.floor(Math.min(...rates) * 0.95),
    max: Math.ceil(Math.max(...rates) * 1.02),
  } as const;
  const knee: LineSeriesOption[] =
    kneePerSecond === undefined
      ? []
      : [
          {
            ...marking({ xAxis: kneePerSecond }, `knee ${figure(kneePerSecond)}/s`),
            xAxisIndex: 0,
            yAxisIndex: 0,
          },
        ];
  return {
    id,
    label: `${ladder.stream} a second offered and answered, and its p99`,
    height: 388,
    legend: legend.map((entry) => ({ ...entry, isDashed: entry === offered })),
    option: {
      grid: [
        { ...timeGrid, top: 30, height: 130 },
        { ...timeGrid, top: 206, height: 130 },
      ],
      xAxis: [
        { ...xAxis(""), ...range, gridIndex: 0, axisLabel: { show: false } } as XAXisOption,
        {
          ...xAxis("offered a second"),
          ...range,
          gridIndex: 1,
          axisLabel: { ...text, showMaxLabel: false },
        } as XAXisOption,
      ],
      yAxis: [
        {
          ...yAxis("answered a second"),
          gridIndex: 0,
          type: "value",
          axisLabel: { ...text, ...plainNumber },
        } as YAXisOption,
        {
          ...yAxis("p99, ms"),
          gridIndex: 1,
          ...decades([...ms, tenScrypts * scryptMs]),
          axisLabel: { ...text, ...plainNumber },
        } as YAXisOption,
      ],
      series: [
        ...knee,
        ...(offered === undefined
          ? []
          : [
              line(
                { ...offered, isDashed: true },
                rates.map((rate) => [rate, rate]),
                { xAxisIndex: 0, yAxisIndex: 0, showSymbol: false },
              ),
            ]),
        ...(answered === undefined
          ? []
          : [
              line(
                answered,
                steps.map(({ offeredPerSecond, answeredPerSecond }) => [offeredPerSecond, answeredPerSecond]),
                { xAxisIndex: 0, yAxisIndex: 0, symbolSize: 7 },
              ),
            ]),
        ...(p99 === undefined
          ? []
          : [
              line(
                p99,
                steps.map(({ offeredPerSecond, p99Ms }) => [offeredPerSecond, p99Ms]),
                { xAxisIndex: 1, yAxisIndex: 1, symbolSize: 7 },
              ),
            ]),
        {
          ...marking({ yAxis: tenScrypts * scryptMs }, "ten scrypt times"),
          xAxisIndex: 1,
          yAxisIndex: 1,
        },
      ],
    },
  };
}
