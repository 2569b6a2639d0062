import { acceptedSolutionFaults } from "../../fixtures/faults/proof-of-work/accepted-solutions.ts";
import { accessTokenFaults } from "../../fixtures/faults/api/access-tokens.ts";
import { accountHeaderFaults } from "../../fixtures/faults/api/account-header.ts";
import { agentsFaults } from "../../fixtures/faults/api/agents.ts";
import { authorizeFaults } from "../../fixtures/faults/authorization/authorize.ts";
import { bearerFaults } from "../../fixtures/faults/api/bearer.ts";
import { clientDocumentFaults } from "../../fixtures/faults/clients/client-documents.ts";
import { documentClientFaults } from "../../fixtures/faults/clients/document-clients.ts";
import { clientMetadataFaults } from "../../fixtures/faults/clients/client-metadata.ts";
import { codeFaults } from "../../fixtures/faults/grants/code.ts";
import { combinationFaults } from "../../fixtures/faults/several-areas/combinations.ts";
import { errorsFaults } from "../../fixtures/faults/several-areas/errors.ts";
import { documentGrantFaults } from "../../fixtures/faults/clients/document-grants.ts";
import { grantKindFaults } from "../../fixtures/faults/authorization/grant-kinds.ts";
import { leftOutParameterFaults } from "../../fixtures/faults/authorization/left-out-parameters.ts";
import { inboxListFaults } from "../../fixtures/faults/api/inbox-lists.ts";
import { jmapAccountFaults } from "../../fixtures/faults/api/jmap-accounts.ts";
import { jmapCallFaults } from "../../fixtures/faults/api/jmap-calls.ts";
import { jmapFaults } from "../../fixtures/faults/api/jmap.ts";
import { lengthFaults } from "../../fixtures/faults/authorization/lengths.ts";
import { metadataFaults } from "../../fixtures/faults/several-areas/metadata.ts";
import { nulCharacterFaults } from "../../fixtures/faults/several-areas/nul-characters.ts";
import { operatorFaults } from "../../fixtures/faults/clients/operator.ts";
import { pkceFaults } from "../../fixtures/faults/authorization/pkce.ts";
import { powMomentFaults } from "../../fixtures/faults/proof-of-work/pow-moments.ts";
import { nonceFaults } from "../../fixtures/faults/proof-of-work/pow-nonces.ts";
import { powFaults } from "../../fixtures/faults/proof-of-work/pow.ts";
import { challengeFaults } from "../../fixtures/faults/proof-of-work/challenges.ts";
import { apiKeyFaults } from "../../fixtures/faults/proof-of-work/api-keys.ts";
import { powResponseFaults } from "../../fixtures/faults/proof-of-work/pow-responses.ts";
import { messageFaults } from "../../fixtures/faults/api/messages.ts";
import { recipientFaults } from "../../fixtures/faults/api/recipients.ts";
import { redirectUriFaults } from "../../fixtures/faults/authorization/redirect-uri.ts";
import { refreshMomentFaults } from "../../fixtures/faults/grants/refresh-moments.ts";
import { refreshLifetimeFaults } from "../../fixtures/faults/grants/refresh-lifetimes.ts";
import { refreshFaults } from "../../fixtures/faults/grants/refresh.ts";
import { registrationFaults } from "../../fixtures/faults/clients/registration.ts";
import { resourceValueFaults } from "../../fixtures/faults/authorization/resource-values.ts";
import { resourceFaults } from "../../fixtures/faults/authorization/resource.ts";
import { revocationMomentFaults } from "../../fixtures/faults/grants/revocation-moments.ts";
import { revocationFaults } from "../../fixtures/faults/grants/revocation.ts";
import { rfcRowFaults } from "../../fixtures/faults/several-areas/rfc-rows.ts";
import { hiddenScopeFaults } from "../../fixtures/faults/authorization/hidden-scopes.ts";
import { scopeGrantFaults } from "../../fixtures/faults/authorization/scope-grants.ts";
import { scopeFaults } from "../../fixtures/faults/api/scope.ts";
import { separatorFaults } from "../../fixtures/faults/authorization/separators.ts";
import { sessionFaults } from "../../fixtures/faults/proof-of-work/sessions.ts";
import { spellingFaults } from "../../fixtures/faults/several-areas/spellings.ts";
import { tokenConfusionFaults } from "../../fixtures/faults/api/token-confusion.ts";
import { tokenKindFaults } from "../../fixtures/faults/several-areas/token-kinds.ts";
import { tokenFaults } from "../../fixtures/faults/grants/token.ts";
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
  ...documentClientFaults,
  ...codeFaults,
  ...combinationFaults,
  ...errorsFaults,
  ...jmapFaults,
  ...metadataFaults,
  ...pkceFaults,
  ...powFaults,
  ...challengeFaults,
  ...apiKeyFaults,
  ...powResponseFaults,
  ...nonceFaults,
  ...redirectUriFaults,
  ...refreshFaults,
  ...refreshLifetimeFaults,
  ...registrationFaults,
  ...resourceValueFaults,
  ...resourceFaults,
  ...revocationFaults,
  ...scopeGrantFaults,
  ...hiddenScopeFaults,
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
