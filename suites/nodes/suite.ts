import type { Check } from "../support/judging/check.ts";
import { tokenChecks } from "./tokens.checks.ts";
import { usedUpChecks } from "./used-up.checks.ts";

/**
 * What holds on one connection holds on others, which may meet another node. Document, "States and transitions": no state
 * is that of one process. What is wrong on every connection is judged by the other suites.
 */
export const nodesChecks: readonly Check[] = [...usedUpChecks, ...tokenChecks];
