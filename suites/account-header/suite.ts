import type { Check } from "../support/judging/check.ts";
import { afterLossChecks } from "./after-loss.checks.ts";
import { changedHandsChecks } from "./changed-hands.checks.ts";
import { ownershipLossChecks } from "./ownership-loss.checks.ts";
import { alternationChecks } from "./alternation.checks.ts";
import { besideOwnChecks } from "./beside-own.checks.ts";
import { blobCredentialChecks } from "./blob-credentials.checks.ts";
import { blobChecks } from "./blobs.checks.ts";
import { eventSourceChecks } from "./event-source.checks.ts";
import { everyMethodChecks } from "./every-method.checks.ts";
import { everyWriteChecks } from "./every-write.checks.ts";
import { foreignInboxChecks } from "./foreign-inboxes.checks.ts";
import { foreignSpellingChecks } from "./foreign-spellings.checks.ts";
import { handedOverChecks } from "./handed-over.checks.ts";
import { lostBlobChecks } from "./lost-blobs.checks.ts";
import { malformedHeaderChecks } from "./malformed.checks.ts";
import { missingAtBlobChecks } from "./missing-at-blobs.checks.ts";
import { missingHeaderChecks } from "./missing.checks.ts";
import { refusalBodyChecks } from "./refusal-body.checks.ts";
import { namedElsewhereChecks } from "./named-elsewhere.checks.ts";
import { nobodysInboxChecks } from "./nobodys-inboxes.checks.ts";
import { otherAccountChecks } from "./other-accounts.checks.ts";
import { otherChangeChecks } from "./other-changes.checks.ts";
import { otherIdChecks } from "./other-ids.checks.ts";
import { otherMailboxChecks } from "./other-mailboxes.checks.ts";
import { otherObjectChecks } from "./other-objects.checks.ts";
import { otherPathChecks } from "./other-paths.checks.ts";
import { ownershipChecks } from "./ownership.checks.ts";
import { precedenceChecks } from "./precedence.checks.ts";
import { repeatedHeaderChecks } from "./repeated.checks.ts";
import { submissionChecks } from "./submissions.checks.ts";
import { singleInboxBlobChecks } from "./single-inbox-blobs.checks.ts";
import { spellingChecks } from "./spellings.checks.ts";

/** The header that selects the inbox on the OAuth path. Document, "Authentication", OAuth 2.0 path 9. */
export const accountHeaderChecks: readonly Check[] = [
  ...spellingChecks,
  ...malformedHeaderChecks,
  ...missingHeaderChecks,
  ...refusalBodyChecks,
  ...otherPathChecks,
  ...nobodysInboxChecks,
  ...foreignInboxChecks,
  ...ownershipChecks,
  ...foreignSpellingChecks,
  ...repeatedHeaderChecks,
  ...precedenceChecks,
  ...otherAccountChecks,
  ...namedElsewhereChecks,
  ...everyMethodChecks,
  ...everyWriteChecks,
  ...otherIdChecks,
  ...otherObjectChecks,
  ...besideOwnChecks,
  ...otherMailboxChecks,
  ...otherChangeChecks,
  ...submissionChecks,
  ...blobChecks,
  ...blobCredentialChecks,
  ...missingAtBlobChecks,
  ...singleInboxBlobChecks,
  ...eventSourceChecks,
  ...alternationChecks,
  ...ownershipLossChecks,
  ...handedOverChecks,
  ...lostBlobChecks,
  ...changedHandsChecks,
  ...afterLossChecks,
];
