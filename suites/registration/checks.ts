import type { Check } from "../support/check.ts";
import { clientNameChecks } from "./client-name.ts";
import { openRegistrationChecks } from "./open-registration.ts";
import { refusedMetadataChecks } from "./refused-metadata.ts";
import { responseChecks } from "./responses.ts";

/** Clients register themselves, unauthenticated. Document, "Endpoints", and "Authentication", OAuth 2.0 path 5. */
export const registrationChecks: readonly Check[] = [
  ...openRegistrationChecks,
  ...responseChecks,
  ...refusedMetadataChecks,
  ...clientNameChecks,
];
