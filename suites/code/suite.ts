import type { Check } from "../support/judging/check.ts";
import { bindingChecks } from "./binding.checks.ts";
import { lifetimeChecks } from "./lifetime.checks.ts";
import { replayChecks } from "./replay.checks.ts";
import { slowConsentChecks } from "./slow-consent.checks.ts";
import { singleUseChecks } from "./single-use.checks.ts";
import { unknownCodeChecks } from "./unknown-codes.checks.ts";

/** An authorization code is redeemed once, soon, and by its own client. Document, "States", authorization code. */
export const codeChecks: readonly Check[] = [
  ...singleUseChecks,
  ...replayChecks,
  ...lifetimeChecks,
  ...slowConsentChecks,
  ...bindingChecks,
  ...unknownCodeChecks,
];
