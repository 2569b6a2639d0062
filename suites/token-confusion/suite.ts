import type { Check } from "../support/judging/check.ts";
import { combinationChecks } from "./combinations.checks.ts";
import { matrixChecks } from "./matrix.checks.ts";
import { tokenEndpointChecks } from "./token-endpoint.checks.ts";

/** Each credential works where the document says and nowhere else. Document, "Endpoints" and "What the service does". */
export const tokenConfusionChecks: readonly Check[] = [
  ...matrixChecks,
  ...tokenEndpointChecks,
  ...combinationChecks,
];
