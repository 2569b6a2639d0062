import type { Check } from "../support/check.ts";
import { combinationChecks } from "./combinations.ts";
import { matrixChecks } from "./matrix.ts";
import { tokenEndpointChecks } from "./token-endpoint.ts";

/** Each credential works where the document says and nowhere else. Document, "Endpoints" and "What the service does". */
export const tokenConfusionChecks: readonly Check[] = [
  ...matrixChecks,
  ...tokenEndpointChecks,
  ...combinationChecks,
];
