import type { Check } from "../support/check.ts";
import { authorizationRequestChecks } from "./authorization-requests.ts";
import { codeExchangeChecks } from "./code-exchanges.ts";

/** `redirect_uri` is compared as a string, at both endpoints. Document, "Endpoints", authorize parameters and token fields. */
export const redirectUriChecks: readonly Check[] = [...authorizationRequestChecks, ...codeExchangeChecks];
