import type { Check } from "../support/check.ts";
import { addressChecks } from "./addresses.ts";
import { errorTableChecks } from "./error-table.ts";
import { httpConductChecks } from "./http-conduct.ts";
import { lookingBackChecks } from "./looking-back.ts";
import { shapeChecks } from "./shapes.ts";

/** Errors: their shape, their table, and what no answer of a run may be. Document, "Errors", and "Versioning". */
export const errorsChecks: readonly Check[] = [
  ...shapeChecks,
  ...errorTableChecks,
  ...addressChecks,
  ...httpConductChecks,
  ...lookingBackChecks,
];
