import { test } from "vitest";
import { equivalents } from "../../fixtures/faults/equivalents.ts";
import { expectNoFailure, groupNames, groupsOf } from "./equivalent-run.ts";

// Another order of choices with every seed; a failure names the choices, so the seed is only for repeating the run.
const seed = Number(process.env["MAILPROOF_SEED"] ?? 20_251);

// Bounded by the waits of the checks, not by a speed goal.
test.for(groupsOf(equivalents, 5, seed).map(groupNames))(
  "a service with $names fails no check",
  ({ choices }) => expectNoFailure(choices),
);

test.for(equivalents)("a service that $choice fails no check", (choice) => expectNoFailure([choice]));
