import { otherCodeFaults } from "../../fixtures/faults/several-areas/other-codes.ts";
import { agentMailFaults } from "../../fixtures/faults/proof-of-work/agent-mail.ts";
import { endedCodeFaults } from "../../fixtures/faults/grants/ended-codes.ts";
import { mailBetweenInboxesFaults } from "../../fixtures/faults/api/mail-between-inboxes.ts";
import { sentBeforeRefusedFaults } from "../../fixtures/faults/api/sent-before-refused.ts";
import { tidiedMailFaults } from "../../fixtures/faults/api/tidied-mail.ts";
import { staleIndexFaults } from "../../fixtures/faults/api/stale-indexes.ts";
import { textListFaults } from "../../fixtures/faults/clients/text-lists.ts";
import { toldOtherwiseFaults } from "../../fixtures/faults/several-areas/told-otherwise.ts";
import { agentAnswerFaults } from "../../fixtures/faults/proof-of-work/agent-answers.ts";
import { agentsAtJmapFaults } from "../../fixtures/faults/proof-of-work/agents-at-jmap.ts";
import { answerFormFaults } from "../../fixtures/faults/several-areas/answer-forms.ts";
import { jmapAnswerFaults } from "../../fixtures/faults/api/jmap-answers.ts";
import { listedEntryFaults } from "../../fixtures/faults/api/listed-entries.ts";
import { registrationAnswerFaults } from "../../fixtures/faults/clients/registration-answers.ts";
import { approvedRequestFaults } from "../../fixtures/faults/authorization/approved-requests.ts";
import { askedFirstFaults } from "../../fixtures/faults/authorization/asked-first.ts";
import { authorizationFormFaults } from "../../fixtures/faults/authorization/authorization-forms.ts";
import { secondAttemptFaults } from "../../fixtures/faults/grants/second-attempts.ts";
import { believedCallerFaults } from "../../fixtures/faults/api/believed-callers.ts";
import { uncheckedRequestFaults } from "../../fixtures/faults/api/unchecked-requests.ts";
import { blobCredentialFaults } from "../../fixtures/faults/api/blob-credentials.ts";
import { clientSecretFaults } from "../../fixtures/faults/clients/client-secrets.ts";
import { credentialPlaceFaults } from "../../fixtures/faults/api/credential-places.ts";
import { crossSiteFaults } from "../../fixtures/faults/authorization/cross-site.ts";
import { deliveredCopyFaults } from "../../fixtures/faults/api/delivered-copies.ts";
import { documentKindFaults } from "../../fixtures/faults/clients/document-grants.ts";
import { earlyErrorFaults } from "../../fixtures/faults/authorization/early-errors.ts";
import { endedGrantFaults } from "../../fixtures/faults/grants/ended-grants.ts";
import { eventSourceFaults } from "../../fixtures/faults/api/event-sources.ts";
import { flawedSignupFaults } from "../../fixtures/faults/proof-of-work/flawed-signups.ts";
import { besideOwnFaults } from "../../fixtures/faults/api/beside-own.ts";
import { foreignObjectFaults } from "../../fixtures/faults/api/foreign-objects.ts";
import { forgedSessionFaults } from "../../fixtures/faults/proof-of-work/forged-sessions.ts";
import { forgedTokenFaults } from "../../fixtures/faults/api/forged-tokens.ts";
import { forgottenTokenFaults } from "../../fixtures/faults/grants/forgotten-tokens.ts";
import { historyFaults } from "../../fixtures/faults/histories/histories.ts";
import { issuedTokenFaults } from "../../fixtures/faults/grants/issued-tokens.ts";
import { foundMessageFaults } from "../../fixtures/faults/api/found-messages.ts";
import { leftBehindFaults } from "../../fixtures/faults/authorization/left-behind.ts";
import { misreadRequestFaults } from "../../fixtures/faults/api/misread-requests.ts";
import { namedAccountFaults } from "../../fixtures/faults/api/named-accounts.ts";
import { namedInboxFaults } from "../../fixtures/faults/proof-of-work/named-inboxes.ts";
import { nearComparisonFaults } from "../../fixtures/faults/several-areas/near-comparisons.ts";
import { oneKindRedirectFaults } from "../../fixtures/faults/authorization/one-kind-redirects.ts";
import { headersOfKindsFaults } from "../../fixtures/faults/several-areas/headers-of-kinds.ts";
import { oneCombinationFaults } from "../../fixtures/faults/several-areas/one-combination.ts";
import { otherSenderFaults } from "../../fixtures/faults/several-areas/other-senders.ts";
import { otherEncodingFaults } from "../../fixtures/faults/several-areas/other-encodings.ts";
import { knownKeyFaults } from "../../fixtures/faults/several-areas/known-keys.ts";
import { laterUseFaults } from "../../fixtures/faults/several-areas/later-uses.ts";
import { literalStateFaults } from "../../fixtures/faults/authorization/literal-states.ts";
import { manyAndAgainFaults } from "../../fixtures/faults/several-areas/many-and-again.ts";
import { lostInboxFaults } from "../../fixtures/faults/api/lost-inboxes.ts";
import { methodNameFaults } from "../../fixtures/faults/api/method-names.ts";
import { otherClientFaults } from "../../fixtures/faults/grants/other-clients.ts";
import { nestedParameterFaults } from "../../fixtures/faults/grants/nested-parameters.ts";
import { newInboxFaults } from "../../fixtures/faults/api/new-inboxes.ts";
import { oneKindFaults } from "../../fixtures/faults/grants/one-kind.ts";
import { oneKindAccessTokenFaults } from "../../fixtures/faults/grants/one-kind-access-tokens.ts";
import { oneKindLifetimeFaults } from "../../fixtures/faults/grants/one-kind-lifetimes.ts";
import { forgottenKindFaults } from "../../fixtures/faults/clients/forgotten-kinds.ts";
import { operatorGrantFaults } from "../../fixtures/faults/clients/operator-grants.ts";
import { otherFormFaults } from "../../fixtures/faults/several-areas/other-forms.ts";
import { otherRequestFaults } from "../../fixtures/faults/several-areas/other-requests.ts";
import { pagesBetweenFaults } from "../../fixtures/faults/authorization/pages-between.ts";
import { proofKindFaults } from "../../fixtures/faults/proof-of-work/proof-kinds.ts";
import { raceFaults } from "../../fixtures/faults/histories/races.ts";
import { refusedFormFaults } from "../../fixtures/faults/grants/refused-forms.ts";
import { refusedSendFaults } from "../../fixtures/faults/api/refused-sends.ts";
import { rewrittenRequestFaults } from "../../fixtures/faults/api/rewritten-requests.ts";
import { headerValueFaults } from "../../fixtures/faults/api/header-values.ts";
import { sameMistakeFaults } from "../../fixtures/faults/several-areas/same-mistakes-elsewhere.ts";
import { selectedInboxFaults } from "../../fixtures/faults/api/selected-inboxes.ts";
import { twoAddressFaults } from "../../fixtures/faults/api/two-addresses.ts";
import { sessionDocumentFaults } from "../../fixtures/faults/api/session-documents.ts";
import { severalRequestFaults } from "../../fixtures/faults/several-areas/several-requests.ts";
import { sharedIndexFaults } from "../../fixtures/faults/api/shared-indexes.ts";
import { signedInFaults } from "../../fixtures/faults/authorization/signed-in.ts";
import { singleMomentFaults } from "../../fixtures/faults/several-areas/single-moments.ts";
import { twoTabFaults } from "../../fixtures/faults/authorization/two-tabs.ts";
import { largeBodyFaults } from "../../fixtures/faults/several-areas/large-bodies.ts";
import { unexpectedTextFaults } from "../../fixtures/faults/several-areas/unexpected-texts.ts";
import { unusualRequestFaults } from "../../fixtures/faults/several-areas/unusual-requests.ts";
import type { Fault } from "../../fixtures/faults/fault.ts";

/**
 * Defects that break a rule for one kind of client, one resource, one place, one spelling or one moment, or that only
 * a sequence of requests shows. They prove checks
 * that a defect of the whole rule cannot tell apart.
 */
export const narrowFaults: readonly Fault[] = [
  ...agentAnswerFaults,
  ...agentsAtJmapFaults,
  ...answerFormFaults,
  ...jmapAnswerFaults,
  ...listedEntryFaults,
  ...registrationAnswerFaults,
  ...approvedRequestFaults,
  ...askedFirstFaults,
  ...authorizationFormFaults,
  ...believedCallerFaults,
  ...uncheckedRequestFaults,
  ...secondAttemptFaults,
  ...blobCredentialFaults,
  ...clientSecretFaults,
  ...credentialPlaceFaults,
  ...crossSiteFaults,
  ...deliveredCopyFaults,
  ...documentKindFaults,
  ...earlyErrorFaults,
  ...endedGrantFaults,
  ...eventSourceFaults,
  ...flawedSignupFaults,
  ...foreignObjectFaults,
  ...besideOwnFaults,
  ...forgedSessionFaults,
  ...forgedTokenFaults,
  ...forgottenTokenFaults,
  ...foundMessageFaults,
  ...historyFaults,
  ...issuedTokenFaults,
  ...leftBehindFaults,
  ...misreadRequestFaults,
  ...namedAccountFaults,
  ...namedInboxFaults,
  ...nearComparisonFaults,
  ...nestedParameterFaults,
  ...newInboxFaults,
  ...oneKindFaults,
  ...oneKindAccessTokenFaults,
  ...oneKindLifetimeFaults,
  ...otherClientFaults,
  ...knownKeyFaults,
  ...laterUseFaults,
  ...literalStateFaults,
  ...lostInboxFaults,
  ...manyAndAgainFaults,
  ...methodNameFaults,
  ...headersOfKindsFaults,
  ...oneCombinationFaults,
  ...otherEncodingFaults,
  ...otherSenderFaults,
  ...oneKindRedirectFaults,
  ...operatorGrantFaults,
  ...forgottenKindFaults,
  ...otherFormFaults,
  ...otherRequestFaults,
  ...pagesBetweenFaults,
  ...proofKindFaults,
  ...raceFaults,
  ...refusedFormFaults,
  ...refusedSendFaults,
  ...rewrittenRequestFaults,
  ...sameMistakeFaults,
  ...headerValueFaults,
  ...selectedInboxFaults,
  ...twoAddressFaults,
  ...sessionDocumentFaults,
  ...severalRequestFaults,
  ...sharedIndexFaults,
  ...signedInFaults,
  ...singleMomentFaults,
  ...twoTabFaults,
  ...unexpectedTextFaults,
  ...largeBodyFaults,
  ...unusualRequestFaults,
  ...agentMailFaults,
  ...endedCodeFaults,
  ...mailBetweenInboxesFaults,
  ...sentBeforeRefusedFaults,
  ...staleIndexFaults,
  ...tidiedMailFaults,
  ...textListFaults,
  ...toldOtherwiseFaults,
  ...otherCodeFaults,
];
