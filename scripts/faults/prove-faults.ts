import { expect, inject, test } from "vitest";
import { suites } from "../suites.ts";
import { readCaughtBy } from "./caught-by.ts";
import { allFaults } from "./fault-list.ts";
import { catchersOf } from "./fault-run.ts";
import { checksInReach } from "./reach.ts";

const checks = suites.flatMap((suite) => suite.checks);
const caughtBy = readCaughtBy();

// Bounded by the waits of the checks, not by a speed goal. A busy machine may keep a check from its verdict (a race that
// did not overlap, a request that timed out), so a fault gets a second try before it counts as not caught exactly.
const options = { timeout: 600_000, retry: 1 };

/**
 * Runs every check that can reach the defect against the reference service with it, for each defect of these suites:
 * exactly those of caught-by.json notice. Several faults share this process, since most of their time is waiting.
 */
export function proveFaults(suiteNames: readonly string[]): void {
  const faults = allFaults.filter(({ id }) => suiteNames.includes(id.split("/", 1)[0] ?? ""));
  test.concurrent.for(faults)("$id is caught by exactly the checks it names", options, async (fault) => {
    const caught = await catchersOf(fault, checksInReach(fault, checks, inject("reach")));
    expect(Object.fromEntries(caught.map(({ id, verdict }) => [id, verdict]))).toEqual(caughtBy[fault.id]);
  });
}
