import { expect, test } from "vitest";
import { grown } from "./coverage.checks.ts";

test("what several histories meet counts once", () => {
  expect(grown([{ pairs: ["a", "b"] }, { triples: ["c"] }, { pairs: ["b", "d"] }], "pairs")).toEqual([
    { tried: 1, seen: 2 },
    { tried: 2, seen: 2 },
    { tried: 3, seen: 3 },
  ]);
});

test("of many histories some are points, the last always", () => {
  const met = Array.from({ length: 1001 }, (_, at) => ({ pairs: [String(at)] }));
  const points = grown(met, "pairs");
  expect(points.length).toBeLessThanOrEqual(50);
  expect(points.at(-1)).toEqual({ tried: 1001, seen: 1001 });
});
