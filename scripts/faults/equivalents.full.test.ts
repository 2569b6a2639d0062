import { expect, test } from "vitest";
import { equivalents } from "../../fixtures/faults/equivalents.ts";
import { checksInReach } from "./fault-reach.ts";
import { resultsWith } from "./fault-run.ts";
import { suites } from "../suites.ts";

const checks = suites.flatMap((suite) => suite.checks);

// Bounded by the waits of the checks, not by a speed goal.
const timeout = 300_000;

test.for(equivalents)("a service that $choice fails no check", { timeout }, async (equivalent) => {
  const { rules, configuration } = equivalent;
  // A changed setting may reach anything.
  const inReach = configuration === undefined ? checksInReach({ rules: rules ?? {} }, checks) : checks;
  const results = await resultsWith(equivalent, inReach);
  const failed = results.filter(({ verdict, defect }) => verdict === "fail" || defect);
  expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  expect(results).toHaveLength(inReach.length);
});
