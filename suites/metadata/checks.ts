import type { Check } from "../support/check.ts";
import { advertisedEndpointChecks } from "./advertised-endpoints.ts";
import { authorizationServerChecks } from "./authorization-server.ts";
import { documentFormChecks } from "./document-form.ts";
import { offlineVerificationChecks } from "./offline-verification.ts";
import { protectedResourceChecks } from "./protected-resource.ts";
import { signingKeyChecks } from "./signing-keys.ts";

/** What the service publishes about itself: metadata, keys, the MCP server's resource. Document, "Resources". */
export const metadataChecks: readonly Check[] = [
  ...authorizationServerChecks,
  ...advertisedEndpointChecks,
  ...signingKeyChecks,
  ...offlineVerificationChecks,
  ...protectedResourceChecks,
  ...documentFormChecks,
];
