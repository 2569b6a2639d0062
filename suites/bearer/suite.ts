import type { Check } from "../support/judging/check.ts";
import { challengeChecks } from "./challenges.checks.ts";
import { credentialChecks } from "./credentials.checks.ts";
import { tamperedTokenChecks } from "./tampered-tokens.checks.ts";
import { twoPeopleChecks } from "./two-people.checks.ts";

/** The access token as bearer, at JMAP and at the inbox list. Document, "Authentication", OAuth 2.0 path 8; RFC 6750. */
export const bearerChecks: readonly Check[] = [
  ...credentialChecks,
  ...tamperedTokenChecks,
  ...twoPeopleChecks,
  ...challengeChecks,
];
