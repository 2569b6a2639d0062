import { type Attempt, attempt, codeIn, obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { shown } from "../support/judging/expect.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { sharedClient } from "../support/material/clients.ts";
import { clientDocument, documentClient } from "../support/material/document-clients.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";

const allowed = "mail.read";

/** How a request for both scopes by a client that may have one ended, and the token response where it led to one. */
interface Beyond {
  readonly seen: Attempt;
  readonly exchange?: Exchange;
  /** Whether the target holds the registered scope against clients that registered. */
  readonly limitsRegistered: boolean;
}

function isRefusedForScope(seen: Attempt): boolean {
  try {
    expectAuthorizationRefused(seen, ["invalid_scope"]);
    return true;
  } catch (error) {
    if (error instanceof Violation) return false;
    throw error;
  }
}

/** What a client registers as `scope` need not limit it: a target shows by refusing more whether it does. */
async function limitsRegistered(target: Target): Promise<boolean> {
  if (target.profile.clients.registration !== "dynamic") return false;
  return target.setup.once("client-metadata:limits-registered", async (recording) => {
    const client = await sharedClient(recording, "readOnly");
    const within = await attempt(recording, authorizationRequest(recording, client, { scope: allowed }));
    if (codeIn(within.end) === undefined) return false;
    return isRefusedForScope(await attempt(recording, authorizationRequest(recording, client)));
  });
}

const scopeOfDocument = check({
  id: "SCOPE-09/both-of-document",
  claim:
    "A request for both scopes by a client whose metadata document has the `scope` `mail.read` is refused with `invalid_scope`, as for registered clients.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target): Promise<Beyond> {
    const url = await target.documents.publish((at) => ({ ...clientDocument(at), scope: allowed }));
    const client = documentClient(url);
    await obtainCode(target.control, authorizationRequest(target, client, { scope: allowed }));
    const request = authorizationRequest(target, client);
    const seen = await attempt(target, request);
    const code = codeIn(seen.end);
    const isLimiting = await limitsRegistered(target);
    if (code === undefined) return { seen, limitsRegistered: isLimiting };
    target.spend("grants");
    const { verifier } = request;
    const redirect_uri = registeredRedirectUri(client);
    const exchange = await postToken(target, codeExchange({ code, client, verifier, redirect_uri }));
    return { seen, exchange, limitsRegistered: isLimiting };
  },
  assert({ seen, exchange, limitsRegistered: isLimiting }): Warning | undefined {
    if (exchange === undefined && isLimiting) return expectAuthorizationRefused(seen, ["invalid_scope"]);
    if (exchange === undefined)
      return isRefusedForScope(seen) ? undefined : warning("the request is refused for something else");
    const { scope } = isSuccess(exchange) ? jsonMembers(exchange) : {};
    const isBeyond = String(scope).split(" ").includes("mail.send");
    if (isBeyond && isLimiting)
      throw new Violation("a refusal with invalid_scope", `scope ${shown(scope)} was granted`, { exchange });
    // The document does not say that the scope of a metadata document is what a client may have.
    return warning(
      isBeyond
        ? "the scope of a metadata document does not limit its client, nor does that of a registration"
        : `the request is not refused, and is granted ${shown(scope)}`,
    );
  },
});

/** What the metadata document of a client allows it. Document, "Errors", invalid_scope. */
export const scopeLimitChecks = [scopeOfDocument];
