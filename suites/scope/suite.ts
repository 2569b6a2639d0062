import type { Check } from "../support/judging/check.ts";
import { batchChecks } from "./batches.checks.ts";
import { grantedScopeChecks } from "./granted-scopes.checks.ts";
import { narrowedGrantChecks } from "./narrowed-grants.checks.ts";
import { narrowedRefreshChecks } from "./narrowed-refreshes.checks.ts";
import { nothingGranted } from "./nothing-granted.checks.ts";
import { otherCallChecks } from "./other-calls.checks.ts";
import { otherMethodChecks } from "./other-methods.checks.ts";
import { otherSenderChecks } from "./other-senders.checks.ts";
import { otherWayChecks } from "./other-ways.checks.ts";
import { permittedCallChecks } from "./permitted-calls.checks.ts";
import { requestedScopeChecks } from "./requested-scopes.checks.ts";
import { sendChecks } from "./sending.checks.ts";
import { separatorChecks } from "./separators.checks.ts";
import { singleInboxChecks } from "./single-inbox.checks.ts";
import { spellingChecks } from "./spellings.checks.ts";

/** mail.read is everything but sending; mail.send is sending. Document, "Authentication", OAuth 2.0 path 7 and 11. */
export const scopeChecks: readonly Check[] = [
  ...requestedScopeChecks,
  ...separatorChecks,
  ...grantedScopeChecks,
  ...narrowedGrantChecks,
  ...narrowedRefreshChecks,
  nothingGranted,
  ...permittedCallChecks,
  ...otherMethodChecks,
  ...batchChecks,
  ...otherWayChecks,
  ...otherCallChecks,
  ...spellingChecks,
  ...singleInboxChecks,
  ...sendChecks,
  ...otherSenderChecks,
];
