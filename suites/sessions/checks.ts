import type { Check } from "../support/check.ts";
import { capabilityChecks } from "./capabilities.ts";
import { isolationChecks } from "./isolation.ts";
import { lifetimeChecks } from "./lifetimes.ts";
import { mailChecks } from "./mail.ts";

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
