import type { Check } from "../support/judging/check.ts";
import { boundToUrlChecks } from "./bound-to-url.checks.ts";
import { changingDocumentChecks } from "./changing-documents.checks.ts";
import { grantChecks } from "./grants.checks.ts";
import { invalidDocumentChecks } from "./invalid-documents.checks.ts";
import { sameRedirectChecks } from "./same-redirects.checks.ts";
import { sameRuleChecks } from "./same-rules.checks.ts";
import { scopeLimitChecks } from "./scope-limits.checks.ts";
import { unusableUrlChecks } from "./unusable-urls.checks.ts";
import { validDocumentChecks } from "./valid-documents.checks.ts";

/** An https URL as client_id names a metadata document. Document, "Authentication", OAuth 2.0 path 5 (b). */
export const clientMetadataChecks: readonly Check[] = [
  ...unusableUrlChecks,
  ...validDocumentChecks,
  ...invalidDocumentChecks,
  ...changingDocumentChecks,
  ...sameRuleChecks,
  ...sameRedirectChecks,
  ...grantChecks,
  ...boundToUrlChecks,
  ...scopeLimitChecks,
];
