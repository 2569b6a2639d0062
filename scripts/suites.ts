import { accountHeaderChecks } from "../suites/account-header/checks.ts";
import { agentsChecks } from "../suites/agents/checks.ts";
import { authorizeChecks } from "../suites/authorize/checks.ts";
import { bearerChecks } from "../suites/bearer/checks.ts";
import { clientMetadataChecks } from "../suites/client-metadata/checks.ts";
import { codeChecks } from "../suites/code/checks.ts";
import { errorsChecks } from "../suites/errors/checks.ts";
import { jmapChecks } from "../suites/jmap/checks.ts";
import { metadataChecks } from "../suites/metadata/checks.ts";
import { pkceChecks } from "../suites/pkce/checks.ts";
import { powChecks } from "../suites/pow/checks.ts";
import { redirectUriChecks } from "../suites/redirect-uri/checks.ts";
import { refreshChecks } from "../suites/refresh/checks.ts";
import { registrationChecks } from "../suites/registration/checks.ts";
import { resourceChecks } from "../suites/resource/checks.ts";
import { revocationChecks } from "../suites/revocation/checks.ts";
import { scopeChecks } from "../suites/scope/checks.ts";
import { sessionChecks } from "../suites/sessions/checks.ts";
import type { Check } from "../suites/support/check.ts";
import { tokenConfusionChecks } from "../suites/token-confusion/checks.ts";
import { tokenChecks } from "../suites/token/checks.ts";

/** One concern of the interface: a folder of `suites/`. */
export interface Suite {
  readonly name: string;
  readonly checks: readonly Check[];
}

/**
 * In the order in which a reader meets the concerns in the document, and in which checks begin. Registration comes late: a
 * limit on registrations that it uses up must not leave the others without clients.
 */
export const suites: readonly Suite[] = [
  { name: "metadata", checks: metadataChecks },
  { name: "client-metadata", checks: clientMetadataChecks },
  { name: "authorize", checks: authorizeChecks },
  { name: "pkce", checks: pkceChecks },
  { name: "redirect-uri", checks: redirectUriChecks },
  { name: "resource", checks: resourceChecks },
  { name: "token", checks: tokenChecks },
  { name: "code", checks: codeChecks },
  { name: "refresh", checks: refreshChecks },
  { name: "revocation", checks: revocationChecks },
  { name: "bearer", checks: bearerChecks },
  { name: "account-header", checks: accountHeaderChecks },
  { name: "scope", checks: scopeChecks },
  { name: "agents", checks: agentsChecks },
  { name: "jmap", checks: jmapChecks },
  { name: "pow", checks: powChecks },
  { name: "sessions", checks: sessionChecks },
  { name: "token-confusion", checks: tokenConfusionChecks },
  { name: "registration", checks: registrationChecks },
  { name: "errors", checks: errorsChecks },
];
