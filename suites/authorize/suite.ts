import type { Check } from "../support/judging/check.ts";
import { abandonedChecks } from "./abandoned.checks.ts";
import { askedFirstChecks } from "./asked-first.checks.ts";
import { crossSiteChecks } from "./cross-site.checks.ts";
import { declinedChecks } from "./declined.checks.ts";
import { besideDisabledChecks } from "./disabled-beside.checks.ts";
import { disabledClientChecks } from "./disabled-clients.checks.ts";
import { browserProtectionChecks } from "./browser-protection.checks.ts";
import { disabledMeanwhileChecks } from "./disabled-meanwhile.checks.ts";
import { everyKindChecks } from "./every-kind.checks.ts";
import { forgedPageChecks } from "./forged-pages.checks.ts";
import { newBrowserChecks } from "./new-browser.checks.ts";
import { newInboxGrantChecks } from "./new-inbox-grants.checks.ts";
import { otherKindChecks } from "./other-kinds.checks.ts";
import { requiredParameterChecks } from "./required-parameters.checks.ts";
import { resentFormChecks } from "./resent-forms.checks.ts";
import { responseChecks } from "./responses.checks.ts";
import { stateChecks } from "./states.checks.ts";
import { signInChecks } from "./sign-in.checks.ts";
import { signedInChecks } from "./signed-in.checks.ts";
import { untrustedRequestChecks } from "./untrusted-requests.checks.ts";
import { twoTabChecks } from "./two-tabs.checks.ts";
import { wholeRunChecks } from "./whole-run.checks.ts";

/** The authorization endpoint in general. Document, "GET /oauth/authorize query parameters", and "Errors". */
export const authorizeChecks: readonly Check[] = [
  ...signInChecks,
  ...requiredParameterChecks,
  // Before others disable clients of that host.
  ...besideDisabledChecks,
  ...disabledClientChecks,
  ...disabledMeanwhileChecks,
  ...otherKindChecks,
  ...everyKindChecks,
  ...signedInChecks,
  ...newBrowserChecks,
  ...forgedPageChecks,
  ...newInboxGrantChecks,
  ...responseChecks,
  ...stateChecks,
  ...declinedChecks,
  ...askedFirstChecks,
  ...twoTabChecks,
  ...resentFormChecks,
  ...abandonedChecks,
  ...crossSiteChecks,
  ...untrustedRequestChecks,
  ...browserProtectionChecks,
  ...wholeRunChecks,
];
