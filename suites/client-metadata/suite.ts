import type { Check } from "../support/judging/check.ts";
import { unusableUrlChecks } from "./unusable-urls.checks.ts";

/**
 * An https URL as client_id names a metadata document. Document, "Authentication", OAuth 2.0 path 5 (b). What is checked
 * here needs no document: that a URL without a usable one names no client.
 */
export const clientMetadataChecks: readonly Check[] = [...unusableUrlChecks];
