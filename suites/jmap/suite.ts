import type { Check } from "../support/judging/check.ts";
import { otherRecipientChecks } from "./other-recipients.checks.ts";
import { changedMessageChecks } from "./changed-messages.checks.ts";
import { conventionChecks } from "./conventions.checks.ts";
import { deliveredDetailChecks } from "./delivered-details.checks.ts";
import { deliveredMessageChecks } from "./delivered-messages.checks.ts";
import { draftChecks } from "./drafts.checks.ts";
import { emailQueryChecks } from "./email-queries.checks.ts";
import { envelopeChecks } from "./envelope.checks.ts";
import { failedCallChecks } from "./failed-calls.checks.ts";
import { foundMessageChecks } from "./found-messages.checks.ts";
import { getObjectChecks } from "./get-objects.checks.ts";
import { implicitUpdates } from "./implicit-updates.checks.ts";
import { lineBreakChecks } from "./line-breaks.checks.ts";
import { listedAfterSendingChecks } from "./listed-after-sending.checks.ts";
import { longMessageChecks } from "./long-messages.checks.ts";
import { manyObjectChecks } from "./many-objects.checks.ts";
import { methodErrorChecks } from "./method-errors.checks.ts";
import { methodChecks } from "./methods.checks.ts";
import { refusedCredentialChecks } from "./refused-credentials.checks.ts";
import { refusedSubmissionChecks } from "./refused-submissions.checks.ts";
import { requestErrorChecks } from "./request-errors.checks.ts";
import { recipientChecks } from "./recipients.checks.ts";
import { responseChecks } from "./responses-of-run.checks.ts";
import { secondInboxChecks } from "./second-inbox.checks.ts";
import { sentAgainChecks } from "./sent-again.checks.ts";
import { separateCopyChecks } from "./separate-copies.checks.ts";
import { severalCallChecks } from "./several-calls.checks.ts";
import { severalMessageChecks } from "./several-messages.checks.ts";
import { submissionChecks } from "./submission.checks.ts";

/** JMAP with an OAuth token. Document, "Endpoints", JMAP endpoint with an OAuth token; RFC 8620, RFC 8621. */
export const jmapChecks: readonly Check[] = [
  ...envelopeChecks,
  ...methodChecks,
  ...secondInboxChecks,
  ...emailQueryChecks,
  ...foundMessageChecks,
  ...severalCallChecks,
  ...manyObjectChecks,
  ...draftChecks,
  ...submissionChecks,
  ...recipientChecks,
  ...refusedSubmissionChecks,
  ...refusedCredentialChecks,
  ...severalMessageChecks,
  ...otherRecipientChecks,
  ...separateCopyChecks,
  ...deliveredMessageChecks,
  ...deliveredDetailChecks,
  ...sentAgainChecks,
  ...lineBreakChecks,
  ...longMessageChecks,
  ...listedAfterSendingChecks,
  ...requestErrorChecks,
  ...methodErrorChecks,
  ...failedCallChecks,
  ...getObjectChecks,
  ...changedMessageChecks,
  ...implicitUpdates,
  ...conventionChecks,
  ...responseChecks,
];
