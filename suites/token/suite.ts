import type { Check } from "../support/judging/check.ts";
import { accessTokenClaimChecks } from "./access-token-claims.checks.ts";
import { agentTokenTypeChecks } from "./agent-token-types.checks.ts";
import { basicAuthenticationChecks } from "./basic-authentication.checks.ts";
import { clientAuthenticationChecks } from "./client-authentication.checks.ts";
import { clientSecretChecks } from "./client-secrets.checks.ts";
import { errorTextChecks } from "./error-text.checks.ts";
import { everyResponseChecks } from "./every-response.checks.ts";
import { grantTypeChecks } from "./grant-types.checks.ts";
import { requestFormChecks } from "./request-forms.checks.ts";
import { issueChecks } from "./issue.checks.ts";
import { internalCapabilityChecks } from "./internal-capability.checks.ts";
import { jsonRequestChecks } from "./json-requests.checks.ts";
import { lifetimeChecks } from "./lifetimes.checks.ts";
import { nestedParameterChecks } from "./nested-parameters.checks.ts";
import { parameterChecks } from "./parameters.checks.ts";
import { spelledClientIdChecks } from "./spelled-client-ids.checks.ts";
import { strictClientChecks } from "./strict-client.checks.ts";
import { tokenResponseChecks } from "./token-responses.checks.ts";
import { twoClientIdChecks } from "./two-client-ids.checks.ts";
import { unpredictabilityChecks } from "./unpredictability.checks.ts";

/** The token endpoint and the access token. Document, "POST /oauth/token", "Resources" and "Limits"; RFC 6749, 9068. */
export const tokenChecks: readonly Check[] = [
  ...tokenResponseChecks,
  ...issueChecks,
  ...grantTypeChecks,
  ...requestFormChecks,
  ...clientSecretChecks,
  ...clientAuthenticationChecks,
  ...basicAuthenticationChecks,
  ...spelledClientIdChecks,
  ...twoClientIdChecks,
  ...parameterChecks,
  ...nestedParameterChecks,
  ...jsonRequestChecks,
  ...errorTextChecks,
  ...accessTokenClaimChecks,
  ...agentTokenTypeChecks,
  ...lifetimeChecks,
  ...internalCapabilityChecks,
  ...strictClientChecks,
  ...unpredictabilityChecks,
  ...everyResponseChecks,
];
