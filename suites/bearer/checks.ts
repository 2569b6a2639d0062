import type { Check } from "../support/check.ts";
import { challengeChecks } from "./challenges.ts";
import { credentialChecks } from "./credentials.ts";
import { tamperedTokenChecks } from "./tampered-tokens.ts";
import { twoPeopleChecks } from "./two-people.ts";

/** The access token as bearer, at JMAP and at the inbox list. Document, "Authentication", OAuth 2.0 path 8; RFC 6750. */
export const bearerChecks: readonly Check[] = [
  ...credentialChecks,
  ...tamperedTokenChecks,
  ...twoPeopleChecks,
  ...challengeChecks,
];
