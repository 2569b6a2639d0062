import { expect, test } from "vitest";
import { equivalents } from "../../fixtures/faults/equivalents.ts";
import { expectNoFailure, groupNames, groupsOf } from "./equivalent-run.ts";

// `npm run test:nightly` runs every group and every choice alone.
const sampleSize = 3;
const groups = groupsOf(equivalents, 5, 20_251);

test("there are enough choices to speak of, each with an id of its own, and each in a group", () => {
  expect(equivalents.length).toBeGreaterThanOrEqual(80);
  expect(new Set(equivalents.map(({ id }) => id)).size).toBe(equivalents.length);
  expect(groups.flat()).toHaveLength(equivalents.length);
});

test.for(groups.slice(0, sampleSize).map(groupNames))("a service with $names fails no check", ({ choices }) =>
  expectNoFailure(choices),
);
