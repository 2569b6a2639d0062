import type { Check } from "../support/judging/check.ts";
import { clientChecks } from "./clients.checks.ts";
import { endedGrantChecks } from "./ended-grants.checks.ts";
import { isolationChecks } from "./isolation.checks.ts";
import { lifetimeOfKindChecks } from "./lifetimes-of-kinds.checks.ts";
import { lifetimeChecks } from "./lifetimes.checks.ts";
import { longLivedGrantChecks } from "./long-lived-grants.checks.ts";
import { raceChecks } from "./races.checks.ts";
import { refusedRequestChecks } from "./refused-requests.checks.ts";
import { reuseChecks } from "./reuse.checks.ts";
import { rotationChecks } from "./rotation.checks.ts";
import { unknownTokenChecks } from "./unknown-tokens.checks.ts";

/** Rotation and reuse detection. Document, "Authentication", OAuth 2.0 path 2, and "States", refresh token and grant. */
export const refreshChecks: readonly Check[] = [
  ...rotationChecks,
  ...reuseChecks,
  ...endedGrantChecks,
  ...raceChecks,
  ...isolationChecks,
  ...clientChecks,
  ...refusedRequestChecks,
  ...unknownTokenChecks,
  ...lifetimeChecks,
  ...lifetimeOfKindChecks,
  ...longLivedGrantChecks,
];
