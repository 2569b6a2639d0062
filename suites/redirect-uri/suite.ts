import type { Check } from "../support/judging/check.ts";
import { authorizationRequestChecks } from "./authorization-requests.checks.ts";
import { codeExchangePartChecks } from "./code-exchange-parts.checks.ts";
import { codeExchangeChecks } from "./code-exchanges.checks.ts";
import { longUriChecks } from "./long-uris.checks.ts";
import { loopbackPortChecks } from "./loopback-ports.checks.ts";
import { manyUriChecks } from "./many-uris.checks.ts";
import { registeredSpellingChecks } from "./registered-spellings.checks.ts";
import { responseByKindChecks } from "./responses-by-kind.checks.ts";
import { secondFlawChecks } from "./second-flaws.checks.ts";

/** `redirect_uri` is compared as a string, at both endpoints. Document, "Endpoints", authorize parameters and token fields. */
export const redirectUriChecks: readonly Check[] = [
  ...authorizationRequestChecks,
  ...codeExchangeChecks,
  ...codeExchangePartChecks,
  ...registeredSpellingChecks,
  ...longUriChecks,
  ...manyUriChecks,
  ...loopbackPortChecks,
  ...responseByKindChecks,
  ...secondFlawChecks,
];
