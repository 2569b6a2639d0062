import type { Check } from "../support/check.ts";
import { accessTokenClaimChecks } from "./access-token-claims.ts";
import { clientAuthenticationChecks } from "./client-authentication.ts";
import { errorTextChecks } from "./error-text.ts";
import { grantTypeChecks } from "./grant-types.ts";
import { internalCapabilityChecks } from "./internal-capability.ts";
import { lifetimeChecks } from "./lifetimes.ts";
import { parameterChecks } from "./parameters.ts";
import { strictClientChecks } from "./strict-client.ts";
import { tokenResponseChecks } from "./token-responses.ts";
import { unpredictabilityChecks } from "./unpredictability.ts";

/** The token endpoint and the access token. Document, "POST /oauth/token", "Resources" and "Limits"; RFC 6749, 9068. */
export const tokenChecks: readonly Check[] = [
  ...tokenResponseChecks,
  ...grantTypeChecks,
  ...clientAuthenticationChecks,
  ...parameterChecks,
  ...errorTextChecks,
  ...accessTokenClaimChecks,
  ...lifetimeChecks,
  ...internalCapabilityChecks,
  ...strictClientChecks,
  ...unpredictabilityChecks,
];
