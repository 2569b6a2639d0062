import type { XAXisOption, YAXisOption } from "echarts/types/dist/shared";
import type { Timeline } from "./chart-data.ts";
import { fromZero, line, plainNumber, text, timeGrid, xAxis, yAxis } from "./chart-parts.ts";
import { bandLabels, bandSeries, endOf, type TimelineChart } from "./phase-bands.ts";

const answerKinds = [
  { kind: "planned", name: "as the document wants", color: "var(--planned)" },
  { kind: "shed", name: "shed (429, or 503 with Retry-After)", color: "var(--shed)" },
  { kind: "unplanned", name: "answered otherwise", color: "var(--unplanned)" },
  { kind: "failed", name: "not answered", color: "var(--failed)" },
] as const;

/** How the target answered, second by second: areas on top of each other. */
export function answersChart(id: string, timeline: Timeline): TimelineChart {
  const { bands, answers } = timeline;
  const to = endOf(timeline);
  const { labels, isNumbered } = bandLabels(bands, to);
  const legend = answerKinds.map(({ name, color }) => ({ name, color, isDashed: false }));
  // The sum of a kind and all below it; the highest is painted first, so that the others cover it.
  const stacked = answerKinds
    .map((_, upTo) =>
      answers.map((each): Point2 => [
        each.second,
        answerKinds.slice(0, upTo + 1).reduce((sum, { kind }) => sum + each[kind], 0),
      ]),
    )
    .map((points) => withZeroBetween(points));
  return {
    id,
    label: "How requests were answered in every second",
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
        ...yAxis("requests a second"),
        ...fromZero((stacked.at(-1) ?? []).map(([, y]) => y)),
        axisLabel: { ...text, ...plainNumber, showMaxLabel: false },
      } as YAXisOption,
      series: [
        bandSeries(bands, labels),
        ...legend
          .map((entry, at) =>
            line(entry, stacked[at] ?? [], {
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

type Point2 = readonly [x: number, y: number];

/** A second is as wide as a second: where the next one is further away, the area ends. */
function withZeroBetween(points: readonly Point2[]): Point2[] {
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
