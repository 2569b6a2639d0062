import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { Timeline } from "./chart-data.ts";
import { fromZero, lineSeries, numberLabels, text, timeGrid, xAxis, yAxis } from "./chart-parts.ts";
import { bandLabels, bandSeries, endOf, type TimelineChart } from "./phase-bands.ts";

const responseClasses = [
  { kind: "planned", name: "expected", color: "var(--planned)" },
  { kind: "shed", name: "shed (429, or 503 with Retry-After)", color: "var(--shed)" },
  { kind: "unplanned", name: "unexpected", color: "var(--unplanned)" },
  { kind: "failed", name: "failed", color: "var(--failed)" },
] as const;

/** Responses per second by class, as stacked areas. */
export function responsesChart(id: string, timeline: Timeline): TimelineChart {
  const { bands, responses } = timeline;
  const to = endOf(timeline);
  const { labels, isNumbered } = bandLabels(bands, to);
  const legend = responseClasses.map(({ name, color }) => ({ name, color, isDashed: false }));
  // Cumulative sums; the highest is drawn first, and the lower ones cover it.
  const stacked = responseClasses
    .map((_, upTo) =>
      responses.map((each): StackPoint => [
        each.second,
        responseClasses.slice(0, upTo + 1).reduce((sum, { kind }) => sum + each[kind], 0),
      ]),
    )
    .map((points) => withZerosInGaps(points));
  return {
    id,
    label: "Responses per second by class",
    height: 260,
    legend,
    numbered: isNumbered ? bands.map(({ name }) => name) : [],
    option: {
      grid: { ...timeGrid, top: 30, bottom: 48 },
      xAxis: {
        ...xAxis("seconds"),
        type: "value",
        min: 0,
        max: to,
        splitLine: { show: false },
        axisLabel: { ...text, hideOverlap: true, showMaxLabel: false },
      } as XAXisOption,
      yAxis: {
        ...yAxis("requests/s"),
        ...fromZero((stacked.at(-1) ?? []).map(([, y]) => y)),
        axisLabel: { ...text, ...numberLabels, showMaxLabel: false },
      } as YAXisOption,
      series: [
        bandSeries(bands, labels),
        ...legend
          .map((entry, at) =>
            lineSeries(entry, stacked[at] ?? [], {
              step: "middle",
              showSymbol: false,
              lineStyle: { width: 0 },
              areaStyle: { color: entry.color, opacity: 1 },
            }),
          )
          .toReversed(),
      ],
    },
  };
}

type StackPoint = readonly [x: number, y: number];

/** Adds zeros around gaps between phases, so that areas do not span them. */
function withZerosInGaps(points: readonly StackPoint[]): StackPoint[] {
  return points.flatMap(([x, y], at) => {
    const [before] = points[at - 1] ?? [-Infinity];
    const [after] = points[at + 1] ?? [Infinity];
    return [
      ...(x - before > 1.01 ? [[x - 0.99, 0] as const] : []),
      [x, y] as const,
      ...(after - x > 1.01 ? [[x + 0.99, 0] as const] : []),
    ];
  });
}
