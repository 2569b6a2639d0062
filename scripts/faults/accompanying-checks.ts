import { challengeErrorChecks } from "../../suites/pow/challenge-errors.checks.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { Fault } from "../../fixtures/faults/fault.ts";
import { suites } from "../suites.ts";

/**
 * Checks that look at what a run has left see a fault only when other checks reach it: those of its suite and of errors. Of
 * proof of work, refused challenges show the same responses as the whole suite, and take no minutes; a check that looks at
 * all sessions that were opened needs the suite.
 *
 * @param named - the checks that notice the fault
 */
export function accompanyingChecks({ id }: Fault, named: readonly Check[]): readonly Check[] {
  const countsSessions = named.some(({ last }) => last === "before-waits");
  if (id.startsWith("pow/") && !countsSessions) return challengeErrorChecks;
  return suites
    .filter(({ name }) => (name === "errors" && !countsSessions) || id.startsWith(`${name}/`))
    .flatMap((suite) => suite.checks);
}
