import type { Check } from "../support/judging/check.ts";
import { authorizationRequestChecks } from "./authorization-requests.checks.ts";
import { challengeEncodingChecks } from "./challenge-encodings.checks.ts";
import { codeExchangeChecks } from "./code-exchanges.checks.ts";
import { secondAttemptChecks } from "./second-attempts.checks.ts";
import { syntaxChecks } from "./syntax.checks.ts";

/** PKCE is mandatory, S256 only, and cannot be downgraded. Document, "Authentication", OAuth 2.0 path 1. */
export const pkceChecks: readonly Check[] = [
  ...authorizationRequestChecks,
  ...challengeEncodingChecks,
  ...codeExchangeChecks,
  ...secondAttemptChecks,
  ...syntaxChecks,
];
