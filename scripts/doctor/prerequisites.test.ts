import { expect, test } from "vitest";
import { requirementOf } from "../../suites/support/judging/check.ts";
import { suites } from "../suites.ts";
import measured from "./prerequisites.json" with { type: "json" };
import { checksThatNeed } from "./prerequisites.ts";

const checks = suites.flatMap((suite) => suite.checks);
const known = new Set(checks.flatMap(({ id }) => [id, requirementOf(id)]));

test.for(Object.entries(measured))(
  "%s is needed by checks that exist (measure-prerequisites.ts measures them)",
  ([, ids]) => {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
  },
);

test("what a check declares counts as it is declared", () => {
  expect(checksThatNeed("service", checks)).toHaveLength(checks.length);
  const first = checksThatNeed("first human", checks);
  const second = checksThatNeed("second human", checks);
  expect(second.length).toBeGreaterThan(0);
  expect(second.filter((check) => !first.includes(check))).toEqual([]);
});
