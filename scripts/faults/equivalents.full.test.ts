import { expect, test } from "vitest";
import { type Equivalent, equivalents } from "../../fixtures/faults/equivalents.ts";
import { checksInReachOf, groupsOf, resultsOfChoices } from "./equivalent-run.ts";
import { suites } from "../suites.ts";

// Bounded by the waits of the checks, not by a speed goal.
const options = { timeout: 600_000 };

// Another order of choices with every seed; a failure names the choices, so the seed is only for repeating the run.
const seed = Number(process.env["MAILPROOF_SEED"] ?? 20_251);
const everything = process.env["MAILPROOF_EQUIVALENTS"] === "all";

const groups = groupsOf(equivalents, 5, seed);

async function expectNoFailure(choices: readonly Equivalent[]): Promise<void> {
  const checks = checksInReachOf(choices, suites);
  const results = await resultsOfChoices(choices, checks);
  const failed = results.filter(({ verdict, defect }) => verdict === "fail" || defect);
  expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  expect(results).toHaveLength(checks.length);
}

test("there are enough choices to speak of, each with an id of its own", () => {
  expect(equivalents.length).toBeGreaterThanOrEqual(80);
  expect(new Set(equivalents.map(({ id }) => id)).size).toBe(equivalents.length);
  expect(groups.flat()).toHaveLength(equivalents.length);
});

const named = groups.map((choices) => ({ choices, names: choices.map(({ id }) => id).join(", ") }));

test.for(everything ? named : named.slice(0, 4))(
  "a service with $names fails no check",
  options,
  ({ choices }) => expectNoFailure(choices),
);

test.runIf(everything).for(equivalents)("a service that $choice fails no check", options, (choice) =>
  expectNoFailure([choice]),
);
