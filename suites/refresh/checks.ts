import type { Check } from "../support/check.ts";
import { clientChecks } from "./clients.ts";
import { isolationChecks } from "./isolation.ts";
import { lifetimeChecks } from "./lifetimes.ts";
import { raceChecks } from "./races.ts";
import { reuseChecks } from "./reuse.ts";
import { rotationChecks } from "./rotation.ts";
import { unknownTokenChecks } from "./unknown-tokens.ts";

/** Rotation and reuse detection. Document, "Authentication", OAuth 2.0 path 2, and "States", refresh token and grant. */
export const refreshChecks: readonly Check[] = [
  ...rotationChecks,
  ...reuseChecks,
  ...raceChecks,
  ...isolationChecks,
  ...clientChecks,
  ...unknownTokenChecks,
  ...lifetimeChecks,
];
