import { expect, inject, test } from "vitest";
import type { Fault } from "../../../fixtures/faults/fault.ts";
import type { Check } from "../../../suites/support/judging/check.ts";
import { suites } from "../../suites.ts";
import { accompanyingChecks } from "../accompanying-checks.ts";
import { readCaughtBy } from "../caught-by.ts";
import { allFaults } from "../fault-list.ts";
import { catchersOf } from "../fault-run.ts";
import { checksInReach } from "../reach.ts";
import { type Area, areas } from "./areas.ts";

const checks = suites.flatMap((suite) => suite.checks);
const caughtBy = readCaughtBy();

// Bounded by the waits of the checks, not by a speed goal. A busy machine may keep a check from its verdict (a race that
// did not overlap, a request that timed out), so a fault gets a second try before it counts as not caught.
const options = { timeout: 600_000, retry: 1 };

/**
 * Runs every check that can reach the defect against the reference service with it, for each defect of this area: exactly
 * those of caught-by.json notice. Several faults share this process, since most of their time is waiting.
 */
export function proveExactly(area: Area): void {
  test.concurrent.for(faultsOf(area, allFaults))(
    "$id is caught by exactly the checks it names",
    options,
    async (fault) => {
      const caught = await catchersOf(fault, checksInReach(fault, checks, inject("reach")));
      expect(Object.fromEntries(caught.map(({ id, verdict }) => [id, verdict]))).toEqual(caughtBy[fault.id]);
    },
  );
}

/** Checks that catch a fault only through what other checks have done before, or on a quiet machine: these run in the cross-check. */
const caughtInCompany: Readonly<Record<string, readonly string[]>> = {
  // Another check has to have used the same token with an account header.
  "account-header/sticky-per-token": ["CONF-APIU-AJ/jmap-token-at-api-url"],
  // An agent has to have signed up before these look at the list.
  "agents/agent-inboxes-listed": ["AGENTS-11", "HDR-24"],
  // Beside many other faults, the requests of a burst seldom overlap as closely as this takes.
  "histories/use-undoes-revocation": ["LIFE-02/one-grant"],
  // Another check may have taken the inbox already, whose name is then no other person's.
  "authorize/chosen-inbox-linked": ["AGENTS-11/taken-name"],
  // Another check has to have registered the same client in the meantime, which gave it another secret.
  "registration/same-metadata-same-client": [
    "CODE-04/confidential-inbox-read-first",
    "CODE-04/confidential-jmap-send-second",
  ],
  // The mailbox has to hold more than the three drafts of this check, which are created oldest first.
  "jmap/sort-ignored": ["JMAP-05/sort"],
  // It has to hold drafts that other checks have created within one minute.
  "jmap/sorted-by-minute": ["JMAP-05/sort-descending"],
};

/**
 * Runs the checks that caught-by.json names for each of these defects, and these alone: each of them notices it. Whether all
 * others stay silent is the question of {@link proveExactly}.
 */
export function proveNamed(faults: readonly Fault[]): void {
  test.concurrent.for(faults.map(withNamedChecks))(
    "$id is caught by the checks it names",
    options,
    async ({ expected, toRun, ...fault }) => {
      const caught = await catchersOf(fault, toRun);
      const named = caught.filter(({ id }) => expected.some(([name]) => name === id));
      expect(Object.fromEntries(named.map(({ id, verdict }) => [id, verdict]))).toEqual(
        Object.fromEntries(expected),
      );
    },
  );
}

/** Checks that come last because they disturb others have a key of the profile that allows it, and need no company. */
function looksAtWholeRun({ last, unlockedBy }: Check): boolean {
  return last !== undefined && unlockedBy === undefined;
}

/** Those of the faults that belong to the area. */
export function faultsOf(area: Area, faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(({ id }) => (areas[area] as readonly string[]).includes(id.split("/", 1)[0] ?? ""));
}

function withNamedChecks(
  fault: Fault,
): Fault & { expected: readonly (readonly [string, string])[]; toRun: readonly Check[] } {
  const named = Object.entries(caughtBy[fault.id] ?? {});
  const isAlone = ([id]: readonly [string, string]): boolean =>
    caughtInCompany[fault.id]?.includes(id) !== true &&
    !checks.some((check) => check.id === id && looksAtWholeRun(check));
  const alone = named.filter(isAlone);
  const expected = alone.length > 0 ? alone : named;
  const toRun = checks.filter(({ id }) => expected.some(([name]) => name === id));
  return {
    ...fault,
    expected,
    toRun: alone.length > 0 ? toRun : [...new Set([...accompanyingChecks(fault, toRun), ...toRun])],
  };
}
