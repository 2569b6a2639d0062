import type { Check } from "../support/judging/check.ts";
import { challengeNodeChecks } from "./challenges.checks.ts";
import { endingChecks } from "./endings.checks.ts";
import { jmapNodeChecks } from "./jmap.checks.ts";
import { tokenChecks } from "./tokens.checks.ts";
import { usedUpChecks } from "./used-up.checks.ts";

/**
 * What holds at one node holds at the others: at the addresses that the profile lists, or over new connections. What is wrong
 * on every connection is judged by the other suites. Document, "States and transitions": no state is that of one process.
 */
export const nodesChecks: readonly Check[] = [
  ...challengeNodeChecks,
  ...usedUpChecks,
  ...tokenChecks,
  ...jmapNodeChecks,
  ...endingChecks,
];
