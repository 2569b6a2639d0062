import { expect, test } from "vitest";
import { readCaughtBy } from "./caught-by.ts";
import { allFaults } from "./fault-list.ts";
import { catchersOf } from "./fault-run.ts";
import { suites } from "../suites.ts";

const checks = suites.flatMap((suite) => suite.checks);
const caughtBy = readCaughtBy();

// Bounded by the waits of the checks, not by a speed goal. A busy machine may keep a check from its verdict (a race that
// did not overlap, a request that timed out), so a fault gets a second try before it counts as not caught exactly.
const options = { timeout: 300_000, retry: 1 };

/** Runs every check against the reference service with each defect of these suites: exactly those of caught-by.json notice. */
export function proveFaults(suiteNames: readonly string[]): void {
  const faults = allFaults.filter(({ id }) => suiteNames.includes(id.split("/", 1)[0] ?? ""));
  test.for(faults)("$id is caught by exactly the checks it names", options, async (fault) => {
    const caught = await catchersOf(fault, checks);
    expect(Object.fromEntries(caught.map(({ id, verdict }) => [id, verdict]))).toEqual(caughtBy[fault.id]);
  });
}
