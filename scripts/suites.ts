import { accountHeaderChecks } from "../suites/account-header/suite.ts";
import { agentsChecks } from "../suites/agents/suite.ts";
import { authorizeChecks } from "../suites/authorize/suite.ts";
import { bearerChecks } from "../suites/bearer/suite.ts";
import { clientMetadataChecks } from "../suites/client-metadata/suite.ts";
import { codeChecks } from "../suites/code/suite.ts";
import { combinationChecks } from "../suites/combinations/suite.ts";
import { durabilityChecks } from "../suites/durability/suite.ts";
import { errorsChecks } from "../suites/errors/suite.ts";
import { historyChecks } from "../suites/histories/suite.ts";
import { jmapChecks } from "../suites/jmap/suite.ts";
import { metadataChecks } from "../suites/metadata/suite.ts";
import { nodesChecks } from "../suites/nodes/suite.ts";
import { pkceChecks } from "../suites/pkce/suite.ts";
import { powChecks } from "../suites/pow/suite.ts";
import { redirectUriChecks } from "../suites/redirect-uri/suite.ts";
import { refreshChecks } from "../suites/refresh/suite.ts";
import { registrationChecks } from "../suites/registration/suite.ts";
import { resourceChecks } from "../suites/resource/suite.ts";
import { revocationChecks } from "../suites/revocation/suite.ts";
import { scopeChecks } from "../suites/scope/suite.ts";
import { sessionChecks } from "../suites/sessions/suite.ts";
import type { Check } from "../suites/support/judging/check.ts";
import { tokenConfusionChecks } from "../suites/token-confusion/suite.ts";
import { tokenChecks } from "../suites/token/suite.ts";

/** One concern of the interface: a folder of `suites/`. */
export interface Suite {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** In the order in which a reader meets the concerns in the document. Checks start in another: see `starting-order.ts`. */
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
  { name: "combinations", checks: combinationChecks },
  { name: "histories", checks: historyChecks },
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
  { name: "nodes", checks: nodesChecks },
  { name: "durability", checks: durabilityChecks },
];
