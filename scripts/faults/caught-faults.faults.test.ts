import { expect, test } from "vitest";
import type { Fault } from "../../fixtures/faults/fault.ts";
import { challengeErrorChecks } from "../../suites/pow/challenge-errors.checks.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { readCaughtBy } from "./caught-by.ts";
import { allFaults } from "./fault-list.ts";
import { catchersOf } from "./fault-run.ts";
import { suites } from "../suites.ts";

const checks = suites.flatMap((suite) => suite.checks);
const caughtBy = readCaughtBy();

/** Checks that catch a fault only through what other checks have done before: these run in the cross-check. */
const caughtInCompany: Readonly<Record<string, readonly string[]>> = {
  // Another check has to have used the same token with an account header.
  "account-header/sticky-per-token": ["CONF-APIU-AJ/jmap-token-at-api-url"],
  // The mailbox has to hold more than the three drafts of this check, which are created oldest first.
  "jmap/sort-ignored": ["JMAP-05/sort"],
};

/**
 * Checks that look at the whole run see a fault only when others come to it: those of its suite and of errors. The whole
 * proof-of-work suite would take minutes, and refused challenges show the same answers.
 */
function companyOf({ id }: Fault): readonly Check[] {
  if (id.startsWith("pow/")) return challengeErrorChecks;
  return suites
    .filter(({ name }) => name === "errors" || id.startsWith(`${name}/`))
    .flatMap((suite) => suite.checks);
}

const faults = allFaults.map((fault) => {
  const named = Object.entries(caughtBy[fault.id] ?? {});
  const alone = named.filter(
    ([id]) =>
      !caughtInCompany[fault.id]?.includes(id) && !checks.some((check) => check.id === id && check.last),
  );
  if (alone.length > 0)
    return {
      ...fault,
      expected: alone,
      toRun: checks.filter(({ id }) => alone.some(([name]) => name === id)),
    };
  const toRun = companyOf(fault).concat(checks.filter(({ id }) => named.some(([name]) => name === id)));
  return { ...fault, expected: named, toRun: [...new Set(toRun)] };
});

test("every fault has a check that catches it", () => {
  expect(faults.filter(({ expected }) => expected.length === 0).map(({ id }) => id)).toEqual([]);
});

// Whether all other checks stay silent is the cross-check's question (`npm run test:full`). Several faults share this
// process, since most of their time is waiting. A busy machine may keep a check from its verdict, hence the second try.
test.concurrent.for(faults)(
  "$id is caught by the checks it names",
  { timeout: 300_000, retry: 1 },
  async ({ expected, toRun, ...fault }) => {
    const caught = await catchersOf(fault, toRun);
    const named = caught.filter(({ id }) => expected.some(([name]) => name === id));
    expect(Object.fromEntries(named.map(({ id, verdict }) => [id, verdict]))).toEqual(
      Object.fromEntries(expected),
    );
  },
);
