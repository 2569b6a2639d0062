import { expect, test } from "vitest";
import type { RunGrowth } from "../run-format.ts";
import { growthPicture } from "./growth-picture.ts";

const growth: RunGrowth = {
  over: "histories",
  lines: [
    {
      label: "pairs",
      possible: 40,
      points: [
        { tried: 1, seen: 10 },
        { tried: 4, seen: 20 },
      ],
    },
    { label: "triples <i>", possible: 200, points: [{ tried: 4, seen: 20 }] },
    { label: "nothing possible", possible: 0, points: [{ tried: 4, seen: 0 }] },
  ],
};

const { markup } = growthPicture(growth);

test("each line ends as high as its share of what is possible", () => {
  const ends = [...markup.matchAll(/<polyline[^>]* points="[^"]*?([\d.]+),([\d.]+)"/gu)].map(([, x, y]) => [
    x,
    y,
  ]);
  // The axis is 140 high from 150 upwards; all that was tried is 410 from the left.
  expect(ends).toEqual([
    ["410.0", "80.0"],
    ["410.0", "136.0"],
  ]);
});

test("it says in words what it shows, and escapes labels", () => {
  expect(markup).toContain(
    'aria-label="After 4 histories, of what is possible: pairs: 20 of 40 (50 %); triples &lt;i&gt;: 20 of 200 (10 %)."',
  );
  expect(markup).not.toContain("<i>");
});

test("each line has a pattern of its own", () => {
  const patterns = [...markup.matchAll(/<polyline[^>]*stroke-dasharray="([^"]*)"/gu)].map(
    ([, pattern]) => pattern,
  );
  expect(new Set(patterns).size).toBe(2);
});
