import type { LineSeriesOption } from "echarts/charts";
import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { Ramp } from "./chart-data.ts";
import {
  type ChartWithLegend,
  decades,
  legendOf,
  lineSeries,
  referenceLine,
  numberLabels,
  text,
  timeGrid,
  xAxis,
  yAxis,
} from "./chart-parts.ts";
import { formatNumber } from "../format.ts";

const saturationScrypts = 10;

/** Response rate and p99 over the offered rate. */
export function rampChart(id: string, ramp: Ramp, scryptMs: number): ChartWithLegend {
  const [responses, offered] = legendOf(["responses", "offered"]);
  const p99 = legendOf(["", "", "p99"])[2];
  const legend = [responses, offered, p99].filter((entry) => entry !== undefined);
  const { steps, kneePerSecond } = ramp;
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
            ...referenceLine({ xAxis: kneePerSecond }, `knee ${formatNumber(kneePerSecond)}/s`),
            xAxisIndex: 0,
            yAxisIndex: 0,
          },
        ];
  return {
    id,
    label: `Response rate and p99 of ${ramp.stream} over the offered rate`,
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
          ...xAxis("offered/s"),
          ...range,
          gridIndex: 1,
          axisLabel: { ...text, showMaxLabel: false },
        } as XAXisOption,
      ],
      yAxis: [
        {
          ...yAxis("responses/s"),
          gridIndex: 0,
          type: "value",
          axisLabel: { ...text, ...numberLabels },
        } as YAXisOption,
        {
          ...yAxis("p99, ms"),
          gridIndex: 1,
          ...decades([...ms, saturationScrypts * scryptMs]),
          axisLabel: { ...text, ...numberLabels },
        } as YAXisOption,
      ],
      series: [
        ...knee,
        ...(offered === undefined
          ? []
          : [
              lineSeries(
                { ...offered, isDashed: true },
                rates.map((rate) => [rate, rate]),
                { xAxisIndex: 0, yAxisIndex: 0, showSymbol: false },
              ),
            ]),
        ...(responses === undefined
          ? []
          : [
              lineSeries(
                responses,
                steps.map(({ offeredPerSecond, respondedPerSecond }) => [
                  offeredPerSecond,
                  respondedPerSecond,
                ]),
                { xAxisIndex: 0, yAxisIndex: 0, symbolSize: 7 },
              ),
            ]),
        ...(p99 === undefined
          ? []
          : [
              lineSeries(
                p99,
                steps.map(({ offeredPerSecond, p99Ms }) => [offeredPerSecond, p99Ms]),
                { xAxisIndex: 1, yAxisIndex: 1, symbolSize: 7 },
              ),
            ]),
        {
          ...referenceLine({ yAxis: saturationScrypts * scryptMs }, "10 S"),
          xAxisIndex: 1,
          yAxisIndex: 1,
        },
      ],
    },
  };
}
