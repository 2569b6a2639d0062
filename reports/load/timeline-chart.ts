import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { Timeline } from "./chart-data.ts";
import {
  decades,
  fromZero,
  legendOf,
  lineSeries,
  numberLabels,
  text,
  timeGrid,
  xAxis,
  yAxis,
} from "./chart-parts.ts";
import type { ChartOption } from "./draw-chart.ts";
import { bandLabels, bandSeries, endOf, type TimelineChart } from "./phase-bands.ts";

const minLogRatio = 30;

/** Response rate and p99 of every second, on a shared time axis. */
export function timelineChart(id: string, timeline: Timeline): TimelineChart {
  const { bands, streams } = timeline;
  const legend = legendOf(streams.map(({ name }) => name));
  const to = endOf(timeline);
  const { labels, isNumbered } = bandLabels(bands, to);
  const rates = streams.flatMap(({ perSecond }) => perSecond.flatMap(([, rate]) => rate ?? []));
  const p99s = streams.flatMap(({ p99Ms }) => p99Ms.flatMap(([, ms]) => ms ?? []));
  const meanRates = streams.map(({ perSecond }) => {
    const known = perSecond.flatMap(([, rate]) => rate ?? []).filter((rate) => rate > 0);
    return known.reduce((sum, rate) => sum + rate, 0) / Math.max(1, known.length);
  });
  const isLogarithmic =
    Math.max(...meanRates) > minLogRatio * Math.min(...meanRates.filter((rate) => rate > 0));
  const floor = decades(rates).min;
  const time = { type: "value", min: 0, max: to, splitLine: { show: false } } as const;
  const seconds = { ...text, hideOverlap: true, showMaxLabel: false };
  const option: ChartOption = {
    grid: [
      { ...timeGrid, top: 30, height: 130 },
      { ...timeGrid, top: 206, height: 130 },
    ],
    xAxis: [
      { ...xAxis(""), ...time, gridIndex: 0, axisLabel: { show: false } } as XAXisOption,
      { ...xAxis("seconds"), ...time, gridIndex: 1, axisLabel: seconds } as XAXisOption,
    ],
    yAxis: [
      {
        ...yAxis("responses/s"),
        gridIndex: 0,
        splitNumber: 4,
        ...(isLogarithmic ? decades(rates) : { ...fromZero(rates) }),
        axisLabel: { ...text, ...numberLabels, showMaxLabel: isLogarithmic },
      } as YAXisOption,
      {
        ...yAxis("p99, ms"),
        gridIndex: 1,
        ...decades(p99s),
        axisLabel: { ...text, ...numberLabels },
      } as YAXisOption,
    ],
    series: [
      { ...bandSeries(bands, labels), xAxisIndex: 0, yAxisIndex: 0 },
      {
        ...bandSeries(
          bands,
          bands.map(() => ""),
        ),
        xAxisIndex: 1,
        yAxisIndex: 1,
      },
      ...legend.map((entry, at) =>
        lineSeries(
          entry,
          // Zero has no logarithm, so it is drawn at the bottom of the axis.
          (streams[at]?.perSecond ?? []).map(([x, rate]) => [x, isLogarithmic && rate === 0 ? floor : rate]),
          {
            xAxisIndex: 0,
            yAxisIndex: 0,
            lineStyle: { color: entry.color, width: 1.8 + 1.6 * overlapsOf(at, streams) },
          },
        ),
      ),
      ...legend.map((entry, at) =>
        lineSeries(entry, streams[at]?.p99Ms ?? [], { xAxisIndex: 1, yAxisIndex: 1 }),
      ),
    ],
  };
  return {
    id,
    label: `Response rate and p99 per second of ${streams.map(({ name }) => name).join(", ")}`,
    height: 388,
    legend,
    option,
    numbered: isNumbered ? bands.map(({ name }) => name) : [],
  };
}

const overlapTolerance = 0.02;

/** How many later lines overlap this one, which must be drawn wider to stay visible. */
function overlapsOf(at: number, streams: Timeline["streams"]): number {
  const ownRates = new Map(streams[at]?.perSecond);
  return streams.slice(at + 1).filter(({ perSecond }) =>
    perSecond.some(([x, rate]) => {
      const ownRate = ownRates.get(x);
      return (
        ownRate !== undefined && rate !== undefined && Math.abs(ownRate - rate) <= overlapTolerance * rate
      );
    }),
  ).length;
}
