import { expect, test } from "vitest";
import { caughtBy } from "./fault-run.ts";
import { allFaults } from "./fault-list.ts";
import { suites } from "../suites.ts";

const checks = suites.flatMap((suite) => suite.checks);

// Bounded by the waits of the checks, not by a speed goal.
const timeout = 300_000;

/** Runs every check against the reference service with each defect of these suites: exactly the named ones must fail. */
export function proveFaults(suiteNames: readonly string[]): void {
  const faults = allFaults.filter(({ id }) => suiteNames.includes(id.split("/", 1)[0] ?? ""));
  test.for(faults)("$id is caught by exactly the checks it names", { timeout }, async (fault) => {
    const caught = await caughtBy(fault, checks);
    expect(caught.map(({ id }) => id).toSorted()).toEqual([...fault.caughtBy].toSorted());
  });
}
