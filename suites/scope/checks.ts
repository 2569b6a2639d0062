import type { Check } from "../support/check.ts";
import { batchChecks } from "./batches.ts";
import { grantedScopeChecks } from "./granted-scopes.ts";
import { otherCallChecks } from "./other-calls.ts";
import { permittedCallChecks } from "./permitted-calls.ts";
import { requestedScopeChecks } from "./requested-scopes.ts";
import { sendChecks } from "./sends.ts";
import { spellingChecks } from "./spellings.ts";

/** mail.read is everything but sending; mail.send is sending. Document, "Authentication", OAuth 2.0 path 7 and 11. */
export const scopeChecks: readonly Check[] = [
  ...requestedScopeChecks,
  ...grantedScopeChecks,
  ...permittedCallChecks,
  ...batchChecks,
  ...otherCallChecks,
  ...spellingChecks,
  ...sendChecks,
];
