import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { Timeline } from "./chart-data.ts";
import {
  decades,
  fromZero,
  legendOf,
  line,
  plainNumber,
  text,
  timeGrid,
  xAxis,
  yAxis,
} from "./chart-parts.ts";
import type { ChartOption } from "./draw-chart.ts";
import { bandLabels, bandSeries, endOf, type TimelineChart } from "./phase-bands.ts";

const ratioForLog = 30;

/** Rate and p99 of every second, one above the other over the same time. */
export function timelineChart(id: string, timeline: Timeline): TimelineChart {
  const { bands, streams } = timeline;
  const legend = legendOf(streams.map(({ name }) => name));
  const to = endOf(timeline);
  const { labels, isNumbered } = bandLabels(bands, to);
  const rates = streams.flatMap(({ perSecond }) => perSecond.flatMap(([, rate]) => rate ?? []));
  const p99s = streams.flatMap(({ p99Ms }) => p99Ms.flatMap(([, ms]) => ms ?? []));
  const typical = streams.map(({ perSecond }) => {
    const known = perSecond.flatMap(([, rate]) => rate ?? []).filter((rate) => rate > 0);
    return known.reduce((sum, rate) => sum + rate, 0) / Math.max(1, known.length);
  });
  const isWide = Math.max(...typical) > ratioForLog * Math.min(...typical.filter((rate) => rate > 0));
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
        ...yAxis("answers a second"),
        gridIndex: 0,
        splitNumber: 4,
        ...(isWide ? decades(rates) : { ...fromZero(rates) }),
        axisLabel: { ...text, ...plainNumber, showMaxLabel: isWide },
      } as YAXisOption,
      {
        ...yAxis("p99, ms"),
        gridIndex: 1,
        ...decades(p99s),
        axisLabel: { ...text, ...plainNumber },
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
        line(
          entry,
          // Nothing has no logarithm; at the foot of the axis it is seen all the same.
          (streams[at]?.perSecond ?? []).map(([x, rate]) => [x, isWide && rate === 0 ? floor : rate]),
          {
            xAxisIndex: 0,
            yAxisIndex: 0,
            lineStyle: { color: entry.color, width: 1.8 + 1.6 * coveredBy(at, streams) },
          },
        ),
      ),
      ...legend.map((entry, at) => line(entry, streams[at]?.p99Ms ?? [], { xAxisIndex: 1, yAxisIndex: 1 })),
    ],
  };
  return {
    id,
    label: `Answers and p99 of every second of ${streams.map(({ name }) => name).join(", ")}`,
    height: 388,
    legend,
    option,
    numbered: isNumbered ? bands.map(({ name }) => name) : [],
  };
}

const sameToTheEye = 0.02;

/** How many later lines lie on this one somewhere: it must be wider than they are to be seen. */
function coveredBy(at: number, streams: Timeline["streams"]): number {
  const own = new Map(streams[at]?.perSecond);
  return streams.slice(at + 1).filter(({ perSecond }) =>
    perSecond.some(([x, rate]) => {
      const mine = own.get(x);
      return mine !== undefined && rate !== undefined && Math.abs(mine - rate) <= sameToTheEye * rate;
    }),
  ).length;
}
