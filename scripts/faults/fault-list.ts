import { acceptedSolutionFaults } from "../../fixtures/faults/accepted-solutions.ts";
import { accessTokenFaults } from "../../fixtures/faults/access-tokens.ts";
import { accountHeaderFaults } from "../../fixtures/faults/account-header.ts";
import { agentsFaults } from "../../fixtures/faults/agents.ts";
import { authorizeFaults } from "../../fixtures/faults/authorize.ts";
import { bearerFaults } from "../../fixtures/faults/bearer.ts";
import { clientDocumentFaults } from "../../fixtures/faults/client-documents.ts";
import { clientMetadataFaults } from "../../fixtures/faults/client-metadata.ts";
import { codeFaults } from "../../fixtures/faults/code.ts";
import { combinationFaults } from "../../fixtures/faults/combinations.ts";
import { errorsFaults } from "../../fixtures/faults/errors.ts";
import { documentGrantFaults } from "../../fixtures/faults/document-grants.ts";
import { grantKindFaults } from "../../fixtures/faults/grant-kinds.ts";
import { leftOutParameterFaults } from "../../fixtures/faults/left-out-parameters.ts";
import { inboxListFaults } from "../../fixtures/faults/inbox-lists.ts";
import { jmapAccountFaults } from "../../fixtures/faults/jmap-accounts.ts";
import { jmapCallFaults } from "../../fixtures/faults/jmap-calls.ts";
import { jmapFaults } from "../../fixtures/faults/jmap.ts";
import { lengthFaults } from "../../fixtures/faults/lengths.ts";
import { metadataFaults } from "../../fixtures/faults/metadata.ts";
import { nulCharacterFaults } from "../../fixtures/faults/nul-characters.ts";
import { operatorFaults } from "../../fixtures/faults/operator.ts";
import { pkceFaults } from "../../fixtures/faults/pkce.ts";
import { powMomentFaults } from "../../fixtures/faults/pow-moments.ts";
import { nonceFaults } from "../../fixtures/faults/pow-nonces.ts";
import { powFaults } from "../../fixtures/faults/pow.ts";
import { messageFaults } from "../../fixtures/faults/messages.ts";
import { recipientFaults } from "../../fixtures/faults/recipients.ts";
import { redirectUriFaults } from "../../fixtures/faults/redirect-uri.ts";
import { refreshMomentFaults } from "../../fixtures/faults/refresh-moments.ts";
import { refreshLifetimeFaults } from "../../fixtures/faults/refresh-lifetimes.ts";
import { refreshFaults } from "../../fixtures/faults/refresh.ts";
import { registrationFaults } from "../../fixtures/faults/registration.ts";
import { resourceValueFaults } from "../../fixtures/faults/resource-values.ts";
import { resourceFaults } from "../../fixtures/faults/resource.ts";
import { revocationMomentFaults } from "../../fixtures/faults/revocation-moments.ts";
import { revocationFaults } from "../../fixtures/faults/revocation.ts";
import { rfcRowFaults } from "../../fixtures/faults/rfc-rows.ts";
import { scopeGrantFaults } from "../../fixtures/faults/scope-grants.ts";
import { scopeFaults } from "../../fixtures/faults/scope.ts";
import { separatorFaults } from "../../fixtures/faults/separators.ts";
import { sessionFaults } from "../../fixtures/faults/sessions.ts";
import { spellingFaults } from "../../fixtures/faults/spellings.ts";
import { tokenConfusionFaults } from "../../fixtures/faults/token-confusion.ts";
import { tokenKindFaults } from "../../fixtures/faults/token-kinds.ts";
import { tokenFaults } from "../../fixtures/faults/token.ts";
import type { Fault } from "../../fixtures/faults/fault.ts";
import { narrowFaults } from "./narrow-fault-list.ts";

/** Defects that break a rule as a whole, each with its entry in the dictionary of the diagnosis. */
export const describedFaults: readonly Fault[] = [
  ...accountHeaderFaults,
  ...agentsFaults,
  ...authorizeFaults,
  ...bearerFaults,
  ...clientMetadataFaults,
  ...clientDocumentFaults,
  ...codeFaults,
  ...combinationFaults,
  ...errorsFaults,
  ...jmapFaults,
  ...metadataFaults,
  ...pkceFaults,
  ...powFaults,
  ...nonceFaults,
  ...redirectUriFaults,
  ...refreshFaults,
  ...refreshLifetimeFaults,
  ...registrationFaults,
  ...resourceValueFaults,
  ...resourceFaults,
  ...revocationFaults,
  ...scopeGrantFaults,
  ...scopeFaults,
  ...sessionFaults,
  ...tokenConfusionFaults,
  ...tokenFaults,
  ...acceptedSolutionFaults,
  ...accessTokenFaults,
  ...grantKindFaults,
  ...leftOutParameterFaults,
  ...inboxListFaults,
  ...jmapAccountFaults,
  ...jmapCallFaults,
  ...lengthFaults,
  ...nulCharacterFaults,
  ...operatorFaults,
  ...powMomentFaults,
  ...documentGrantFaults,
  ...messageFaults,
  ...recipientFaults,
  ...refreshMomentFaults,
  ...revocationMomentFaults,
  ...rfcRowFaults,
  ...separatorFaults,
  ...spellingFaults,
  ...tokenKindFaults,
];

/** Every deliberate defect that the suites are proved against. */
export const allFaults: readonly Fault[] = [...describedFaults, ...narrowFaults];
