import type { Check } from "../support/check.ts";
import { alternationChecks } from "./alternation.ts";
import { missingHeaderChecks } from "./missing.ts";
import { otherAccountChecks } from "./other-accounts.ts";
import { ownershipChecks } from "./ownership.ts";
import { precedenceChecks } from "./precedence.ts";
import { repeatedHeaderChecks } from "./repeated.ts";
import { spellingChecks } from "./spellings.ts";

/** The header that selects the inbox on the OAuth path. Document, "Authentication", OAuth 2.0 path 9. */
export const accountHeaderChecks: readonly Check[] = [
  ...spellingChecks,
  ...missingHeaderChecks,
  ...ownershipChecks,
  ...repeatedHeaderChecks,
  ...precedenceChecks,
  ...otherAccountChecks,
  ...alternationChecks,
];
