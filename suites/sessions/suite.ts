import type { Check } from "../support/judging/check.ts";
import { capabilityChecks } from "./capabilities.checks.ts";
import { isolationChecks } from "./isolation.checks.ts";
import { lifetimeChecks } from "./lifetimes.checks.ts";
import { mailChecks } from "./mail.checks.ts";

/**
 * What a session opens: capabilities, the JMAP session document and one inbox. Document, "Authentication", proof-of-work
 * path 3 to 5.
 */
export const sessionChecks: readonly Check[] = [
  ...capabilityChecks,
  ...lifetimeChecks,
  ...mailChecks,
  ...isolationChecks,
];
