import { challengeErrorChecks } from "../../suites/pow/challenge-errors.checks.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { Fault } from "../../fixtures/faults/fault.ts";
import { suites } from "../suites.ts";

/**
 * Checks that look at the whole run see a fault only when other checks reach it: those of its suite and of errors. The whole
 * proof-of-work suite would take minutes, and refused challenges show the same responses.
 */
export function accompanyingChecks({ id }: Fault): readonly Check[] {
  if (id.startsWith("pow/")) return challengeErrorChecks;
  return suites
    .filter(({ name }) => name === "errors" || id.startsWith(`${name}/`))
    .flatMap((suite) => suite.checks);
}
