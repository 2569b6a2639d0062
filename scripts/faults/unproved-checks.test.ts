import { expect, test } from "vitest";
import unprovedChecks from "../../fixtures/faults/unproved-checks.json" with { type: "json" };
import { suites } from "../suites.ts";
import { readCaughtBy } from "./caught-by.ts";

// That no other check belongs to the list is judged where the extreme targets run: `extreme-targets.guard.test.ts`.
const listed = unprovedChecks.flatMap(({ checks }) => checks);

test("each check that no fault has made fail stands there once, with the reason", () => {
  expect(listed.filter((id, at) => listed.indexOf(id) !== at)).toEqual([]);
  expect(unprovedChecks.filter(({ reason }) => !/^[A-Z`].{20,}\.$/u.test(reason))).toEqual([]);
});

test("each is a check that can fail, and that no fault has made fail", () => {
  const claims = suites.flatMap((suite) => suite.checks).filter(({ kind }) => kind !== "observe");
  const caught = new Set(Object.values(readCaughtBy()).flatMap(Object.keys));
  expect(listed.filter((id) => !claims.some((check) => check.id === id))).toEqual([]);
  expect(listed.filter((id) => caught.has(id))).toEqual([]);
});
