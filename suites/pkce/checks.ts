import type { Check } from "../support/check.ts";
import { authorizationRequestChecks } from "./authorization-requests.ts";
import { codeExchangeChecks } from "./code-exchanges.ts";

/** PKCE is mandatory, S256 only, and cannot be downgraded. Document, "Authentication", OAuth 2.0 path 1. */
export const pkceChecks: readonly Check[] = [...authorizationRequestChecks, ...codeExchangeChecks];
