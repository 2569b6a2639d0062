import { agentAnswerFaults } from "../../fixtures/faults/agent-answers.ts";
import { answerFormFaults } from "../../fixtures/faults/answer-forms.ts";
import { approvedRequestFaults } from "../../fixtures/faults/approved-requests.ts";
import { askedFirstFaults } from "../../fixtures/faults/asked-first.ts";
import { authorizationFormFaults } from "../../fixtures/faults/authorization-forms.ts";
import { secondAttemptFaults } from "../../fixtures/faults/second-attempts.ts";
import { believedCallerFaults } from "../../fixtures/faults/believed-callers.ts";
import { blobCredentialFaults } from "../../fixtures/faults/blob-credentials.ts";
import { clientSecretFaults } from "../../fixtures/faults/client-secrets.ts";
import { credentialPlaceFaults } from "../../fixtures/faults/credential-places.ts";
import { crossSiteFaults } from "../../fixtures/faults/cross-site.ts";
import { documentKindFaults } from "../../fixtures/faults/document-grants.ts";
import { earlyErrorFaults } from "../../fixtures/faults/early-errors.ts";
import { endedGrantFaults } from "../../fixtures/faults/ended-grants.ts";
import { flawedSignupFaults } from "../../fixtures/faults/flawed-signups.ts";
import { foreignObjectFaults } from "../../fixtures/faults/foreign-objects.ts";
import { forgedSessionFaults } from "../../fixtures/faults/forged-sessions.ts";
import { forgedTokenFaults } from "../../fixtures/faults/forged-tokens.ts";
import { forgottenTokenFaults } from "../../fixtures/faults/forgotten-tokens.ts";
import { historyFaults } from "../../fixtures/faults/histories.ts";
import { issuedTokenFaults } from "../../fixtures/faults/issued-tokens.ts";
import { leftBehindFaults } from "../../fixtures/faults/left-behind.ts";
import { misreadRequestFaults } from "../../fixtures/faults/misread-requests.ts";
import { namedInboxFaults } from "../../fixtures/faults/named-inboxes.ts";
import { nearComparisonFaults } from "../../fixtures/faults/near-comparisons.ts";
import { oneKindFaults } from "../../fixtures/faults/one-kind.ts";
import { operatorGrantFaults } from "../../fixtures/faults/operator-grants.ts";
import { otherFormFaults } from "../../fixtures/faults/other-forms.ts";
import { otherRequestFaults } from "../../fixtures/faults/other-requests.ts";
import { pagesBetweenFaults } from "../../fixtures/faults/pages-between.ts";
import { proofKindFaults } from "../../fixtures/faults/proof-kinds.ts";
import { raceFaults } from "../../fixtures/faults/races.ts";
import { refusedFormFaults } from "../../fixtures/faults/refused-forms.ts";
import { rewrittenRequestFaults } from "../../fixtures/faults/rewritten-requests.ts";
import { selectedInboxFaults } from "../../fixtures/faults/selected-inboxes.ts";
import { severalRequestFaults } from "../../fixtures/faults/several-requests.ts";
import { sharedIndexFaults } from "../../fixtures/faults/shared-indexes.ts";
import { signedInFaults } from "../../fixtures/faults/signed-in.ts";
import { singleMomentFaults } from "../../fixtures/faults/single-moments.ts";
import { twoTabFaults } from "../../fixtures/faults/two-tabs.ts";
import { unusualRequestFaults } from "../../fixtures/faults/unusual-requests.ts";
import type { Fault } from "../../fixtures/faults/fault.ts";

/**
 * Defects that break a rule for one kind of client, one resource, one place, one spelling or one moment, or that only
 * a sequence of requests shows. They prove checks
 * that a defect of the whole rule cannot tell apart.
 */
export const narrowFaults: readonly Fault[] = [
  ...agentAnswerFaults,
  ...answerFormFaults,
  ...approvedRequestFaults,
  ...askedFirstFaults,
  ...authorizationFormFaults,
  ...believedCallerFaults,
  ...secondAttemptFaults,
  ...blobCredentialFaults,
  ...clientSecretFaults,
  ...credentialPlaceFaults,
  ...crossSiteFaults,
  ...documentKindFaults,
  ...earlyErrorFaults,
  ...endedGrantFaults,
  ...flawedSignupFaults,
  ...foreignObjectFaults,
  ...forgedSessionFaults,
  ...forgedTokenFaults,
  ...forgottenTokenFaults,
  ...historyFaults,
  ...issuedTokenFaults,
  ...leftBehindFaults,
  ...misreadRequestFaults,
  ...namedInboxFaults,
  ...nearComparisonFaults,
  ...oneKindFaults,
  ...operatorGrantFaults,
  ...otherFormFaults,
  ...otherRequestFaults,
  ...pagesBetweenFaults,
  ...proofKindFaults,
  ...raceFaults,
  ...refusedFormFaults,
  ...rewrittenRequestFaults,
  ...selectedInboxFaults,
  ...severalRequestFaults,
  ...sharedIndexFaults,
  ...signedInFaults,
  ...singleMomentFaults,
  ...twoTabFaults,
  ...unusualRequestFaults,
];
