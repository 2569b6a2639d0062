import type { Check } from "../support/judging/check.ts";
import { exchangeChecks } from "./exchanges.checks.ts";
import { grantChecks } from "./grants.checks.ts";
import { raceChecks } from "./races.checks.ts";
import { tokenChecks } from "./tokens.checks.ts";

/**
 * Promises that the document makes without distinguishing clients, resources, scopes or people, where every two of these
 * choices meet. The other suites judge each promise in depth, for one kind of grant.
 */
export const combinationChecks: readonly Check[] = [
  ...grantChecks,
  ...exchangeChecks,
  ...raceChecks,
  ...tokenChecks,
];
