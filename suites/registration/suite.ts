import type { Check } from "../support/judging/check.ts";
import { operatorClientChecks } from "./operator-client.checks.ts";
import { operatorSecretChecks } from "./operator-secrets.checks.ts";
import { rateLimitChecks } from "./rate-limit.checks.ts";
import { addressChecks } from "./addresses.checks.ts";
import { clientNameChecks } from "./client-name.checks.ts";
import { openRegistrationChecks } from "./open-registration.checks.ts";
import { refusedMetadataChecks } from "./refused-metadata.checks.ts";
import { registrationFormChecks } from "./request-forms.checks.ts";
import { sameMetadataChecks } from "./same-metadata.checks.ts";
import { serverMetadataCheck } from "./server-metadata.checks.ts";
import { responseChecks } from "./responses.checks.ts";

/** Clients register themselves, unauthenticated. Document, "Endpoints", and "Authentication", OAuth 2.0 path 5. */
export const registrationChecks: readonly Check[] = [
  ...openRegistrationChecks,
  ...sameMetadataChecks,
  ...registrationFormChecks,
  ...responseChecks,
  serverMetadataCheck,
  ...refusedMetadataChecks,
  ...clientNameChecks,
  ...addressChecks,
  ...operatorClientChecks,
  ...operatorSecretChecks,
  ...rateLimitChecks,
];
