import { expect, test } from "vitest";
import { responsesChart } from "./responses-chart.ts";
import { timelineOf } from "./chart-data.ts";
import type { Chart } from "./draw-chart.ts";
import {
  exampleCapacity,
  examplePhase,
  exampleProfile,
  exampleRow,
  exampleSpike,
  exampleStream,
} from "./example-load-run.ts";
import { percentileChart } from "./percentile-chart.ts";
import { timelineChart } from "./timeline-chart.ts";

interface Series {
  readonly name?: string;
  readonly data?: unknown;
  readonly markLine?: { readonly data: readonly unknown[] };
}

function seriesOf({ option }: Chart): Series[] {
  return [option.series ?? []].flat() as Series[];
}

test("areas are stacked as cumulative sums, the highest drawn first", () => {
  const profile = exampleProfile({
    phases: [
      examplePhase("load", 0, 1, [
        exampleStream("s", { rows: [exampleRow(0, [1, 2, 3], { shed: 10, unplanned: 20, failed: 40 })] }),
      ]),
    ],
  });
  const drawn = seriesOf(responsesChart("a", timelineOf(profile))).filter(({ name }) => name !== undefined);
  expect(drawn.map(({ name }) => name)).toEqual([
    "failed",
    "unexpected",
    "shed (429, or 503 with Retry-After)",
    "expected",
  ]);
  const heights = drawn.map(({ data }) => (data as [number, number][]).find(([at]) => at === 0.5)?.[1]);
  expect(heights).toEqual([73, 33, 13, 3]);
});

test("an area ends with its phase", () => {
  const [drawn] = seriesOf(responsesChart("a", timelineOf(exampleSpike()))).filter(({ name }) => name);
  const data = drawn?.data as [number, number][];
  // The phase before ends after ten seconds, the spike begins at eleven.
  expect(data.filter(([at]) => at > 9.5 && at < 11.5).map(([, height]) => height)).toEqual([0, 0]);
});

test("rates of different magnitude use a logarithmic axis, with zero at the bottom", () => {
  const profile = exampleProfile({
    phases: [
      examplePhase("cheap", 0, 2, [
        exampleStream("cheap", {
          rows: [
            exampleRow(
              0,
              Array.from({ length: 5000 }, () => 1),
            ),
            exampleRow(1, []),
          ],
        }),
      ]),
      examplePhase("costly", 3, 1, [
        exampleStream("costly", {
          rows: [
            exampleRow(
              0,
              Array.from({ length: 50 }, () => 300),
            ),
          ],
        }),
      ]),
    ],
  });
  const chart = timelineChart("t", timelineOf(profile));
  const [rates] = [chart.option.yAxis ?? []].flat();
  expect(rates).toMatchObject({ type: "log", min: 10, max: 10_000 });
  const cheap = seriesOf(chart).find(({ name }) => name === "cheap");
  expect(cheap?.data).toEqual([
    [0.5, 5000],
    [1.5, 10],
  ]);
});

test("rates of similar magnitude use a linear axis from zero", () => {
  const [rates] = [timelineChart("t", timelineOf(exampleSpike())).option.yAxis ?? []].flat();
  expect(rates).toMatchObject({ type: "value", min: 0 });
});

test("phases are labelled with names if they fit, and with numbers otherwise", () => {
  expect(timelineChart("t", timelineOf(exampleSpike())).numbered).toEqual([]);
  const narrow = exampleProfile({
    phases: ["a phase with a long name", "another phase with a long name"].map((name, at) =>
      examplePhase(name, at * 2, 1, [exampleStream("s", { rows: [exampleRow(0, [1])] })]),
    ),
  });
  const wide = exampleProfile({ phases: narrow.phases.map((phase, at) => ({ ...phase, name: `${at}` })) });
  const many = exampleProfile({
    phases: Array.from({ length: 12 }, (_, at) =>
      examplePhase(`${at} a longer name`, at * 2, 1, [exampleStream("s", { rows: [exampleRow(0, [1])] })]),
    ),
  });
  expect(timelineChart("t", timelineOf(wide)).numbered).toEqual([]);
  expect(timelineChart("t", timelineOf(exampleCapacity())).numbered).toEqual([]);
  expect(timelineChart("t", timelineOf(many)).numbered).toHaveLength(12);
});

test("S is marked", () => {
  const chart = percentileChart(
    "p",
    [
      {
        name: "s",
        points: [
          [1, 2],
          [10, 40],
        ],
      },
    ],
    31,
  );
  expect(seriesOf(chart).flatMap(({ markLine }) => markLine?.data ?? [])).toEqual([{ yAxis: 31 }]);
});
