import type { Check } from "../support/judging/check.ts";
import { agentChecks } from "./agents.checks.ts";
import { grantChecks } from "./grants.checks.ts";
import { silenceChecks } from "./silence.checks.ts";

/**
 * What a target has acknowledged stays true when it is restarted, and when it is killed under writes. Document, "States":
 * none of its states ends with a process. Judged only where mailproof has started the target.
 */
export const durabilityChecks: readonly Check[] = [...silenceChecks, ...grantChecks, ...agentChecks].toSorted(
  // What a restart did is looked at before the kill.
  (one, other) => Number(one.id.endsWith("/killed")) - Number(other.id.endsWith("/killed")),
);
