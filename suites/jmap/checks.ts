import type { Check } from "../support/check.ts";
import { conventionChecks } from "./conventions.ts";
import { emailQueryChecks } from "./email-queries.ts";
import { envelopeChecks } from "./envelope.ts";
import { methodErrorChecks } from "./method-errors.ts";
import { methodChecks } from "./methods.ts";
import { requestErrorChecks } from "./request-errors.ts";
import { submissionChecks } from "./submission.ts";

/** JMAP with an OAuth token. Document, "Endpoints", JMAP endpoint with an OAuth token; RFC 8620, RFC 8621. */
export const jmapChecks: readonly Check[] = [
  ...envelopeChecks,
  ...methodChecks,
  ...emailQueryChecks,
  ...submissionChecks,
  ...requestErrorChecks,
  ...methodErrorChecks,
  ...conventionChecks,
];
