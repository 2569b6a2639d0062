import type { Check } from "../support/check.ts";
import { browserProtectionChecks } from "./browser-protection.ts";
import { requiredParameterChecks } from "./required-parameters.ts";
import { responseChecks } from "./responses.ts";
import { signInChecks } from "./sign-in.ts";
import { untrustedRequestChecks } from "./untrusted-requests.ts";

/** The authorization endpoint in general. Document, "GET /oauth/authorize query parameters", and "Errors". */
export const authorizeChecks: readonly Check[] = [
  ...signInChecks,
  ...requiredParameterChecks,
  ...responseChecks,
  ...untrustedRequestChecks,
  ...browserProtectionChecks,
];
