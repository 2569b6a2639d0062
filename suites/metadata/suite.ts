import type { Check } from "../support/judging/check.ts";
import { advertisedEndpointChecks } from "./advertised-endpoints.checks.ts";
import { authorizationServerChecks } from "./authorization-server.checks.ts";
import { documentFormChecks } from "./document-form.checks.ts";
import { offlineVerificationChecks } from "./offline-verification.checks.ts";
import { protectedResourceChecks } from "./protected-resource.checks.ts";
import { signingKeyChecks } from "./signing-keys.checks.ts";
import { spoofedHostChecks } from "./spoofed-hosts.checks.ts";

/** What the service publishes about itself: metadata, keys, the MCP server's resource. Document, "Resources". */
export const metadataChecks: readonly Check[] = [
  ...authorizationServerChecks,
  ...advertisedEndpointChecks,
  ...signingKeyChecks,
  ...offlineVerificationChecks,
  ...protectedResourceChecks,
  ...documentFormChecks,
  ...spoofedHostChecks,
];
