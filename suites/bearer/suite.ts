import type { Check } from "../support/judging/check.ts";
import { foreignIssuerChecks } from "./foreign-issuer.checks.ts";
import { credentialChecks } from "./credentials.checks.ts";
import { errorShapeChecks } from "./error-shape.checks.ts";
import { mcpSessionChecks } from "./mcp-sessions.checks.ts";
import { mcpEndpointChecks } from "./mcp-endpoint.checks.ts";
import { sessionDocumentChecks } from "./session-document.checks.ts";
import { signInCookieChecks } from "./sign-in-cookies.checks.ts";
import { simultaneousExchangeChecks } from "./simultaneous-exchanges.checks.ts";
import { tamperedTokenChecks } from "./tampered-tokens.checks.ts";
import { twoAuthorizationLinesChecks } from "./two-authorization-lines.checks.ts";
import { twoPeopleChecks } from "./two-people.checks.ts";
import { wholeRunChecks } from "./whole-run.checks.ts";
import { wwwAuthenticateChecks } from "./www-authenticate.checks.ts";

/** The access token as bearer, at JMAP, at the inbox list and at the MCP endpoint. Document, "Authentication", OAuth 2.0 path 8; RFC 6750. */
export const bearerChecks: readonly Check[] = [
  ...credentialChecks,
  ...signInCookieChecks,
  ...sessionDocumentChecks,
  ...tamperedTokenChecks,
  ...foreignIssuerChecks,
  ...mcpEndpointChecks,
  ...mcpSessionChecks,
  ...twoPeopleChecks,
  ...simultaneousExchangeChecks,
  ...wholeRunChecks,
  ...twoAuthorizationLinesChecks,
  ...wwwAuthenticateChecks,
  ...errorShapeChecks,
];
