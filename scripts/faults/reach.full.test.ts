import { expect, inject, test } from "vitest";
import { suites } from "../suites.ts";
import { readCaughtBy } from "./caught-by.ts";
import { allFaults } from "./fault-list.ts";
import { checksInReach } from "./reach.ts";

const checks = suites.flatMap((suite) => suite.checks);
const caughtBy = readCaughtBy();

test("the checks that are run for a fault include all that catch it", () => {
  const reach = inject("reach");
  const leftOut = allFaults.flatMap((fault) => {
    const toRun = new Set(checksInReach(fault, checks, reach).map(({ id }) => id));
    return Object.keys(caughtBy[fault.id] ?? {})
      .filter((id) => !toRun.has(id))
      .map((id) => `${fault.id}: ${id}`);
  });
  expect(leftOut).toEqual([]);
});

test("a fault is judged by the checks that come to what it changes, not by all", () => {
  const reach = inject("reach");
  const toRun = allFaults.map((fault) => checksInReach(fault, checks, reach).length);
  const median = toRun.toSorted((a, b) => a - b)[Math.floor(toRun.length / 2)] ?? 0;
  expect(median).toBeLessThan(checks.length / 2);
});
