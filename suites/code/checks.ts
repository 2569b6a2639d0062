import type { Check } from "../support/check.ts";
import { bindingChecks } from "./binding.ts";
import { lifetimeChecks } from "./lifetime.ts";
import { singleUseChecks } from "./single-use.ts";
import { unknownCodeChecks } from "./unknown-codes.ts";

/** An authorization code is redeemed once, soon, and by its own client. Document, "States", authorization code. */
export const codeChecks: readonly Check[] = [
  ...singleUseChecks,
  ...lifetimeChecks,
  ...bindingChecks,
  ...unknownCodeChecks,
];
