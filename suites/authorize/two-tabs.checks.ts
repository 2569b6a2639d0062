import {
  type AuthorizationCode,
  type AuthorizationRequest,
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { type Attempt, attempt, codeIn, responseParameter } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { valueOf } from "../support/wire/parameters.ts";

interface OlderPage {
  readonly older: AuthorizationRequest;
  readonly seen: Attempt;
  /** The exchanges of the code, if there is one: as of the older request, and where that was refused as of the newer. */
  readonly exchanges: { readonly asOlder?: Exchange; readonly asNewer?: Exchange };
}

/** Where the client sends its newer request from. */
function otherRedirectUri({ redirect_uris: uris }: AuthorizationRequest["client"]): string | undefined {
  return uris[1];
}

function codeOf({ client, verifier, parameters }: AuthorizationRequest, code: string): AuthorizationCode {
  const redirectUri = valueOf(parameters, "redirect_uri") ?? registeredRedirectUri(client);
  return { code, client, verifier, redirect_uri: redirectUri };
}

/**
 * A person opens a request for `mail.read`, then one for both scopes in a second tab, and approves the page of the first:
 * once for all checks of a run.
 */
function approvedOlderPage(target: Target): Promise<OlderPage> {
  return target.once("authorize:older-page", async (recording) => {
    const client = await authorizingClient(recording);
    const older = authorizationRequest(recording, client, { scope: "mail.read" });
    const redirectUri = otherRedirectUri(client);
    const newer = authorizationRequest(recording, client, {
      ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
    });
    recording.spend("grants");
    const secondTab = authorizationUrl(recording, newer.parameters);
    const seen = await attempt(recording, older, { secondTab });
    const code = codeIn(seen.end);
    if (code === undefined) return { older, seen, exchanges: {} };
    const asOlder = await postToken(recording, codeExchange(codeOf(older, code)));
    if (isSuccess(asOlder)) return { older, seen, exchanges: { asOlder } };
    const asNewer = await postToken(recording, codeExchange(codeOf(newer, code)));
    return { older, seen, exchanges: { asOlder, asNewer } };
  });
}

const answersItsRequest = check({
  id: "AUTHZ-10/older-page",
  claim:
    "Approving a consent page while a newer request is open in the browser answers the older request with its `state`, or refuses it.",
  needs: ["human", "pages"],
  act: approvedOlderPage,
  assert({ older, seen: { end } }) {
    if (end.kind !== "redirect" || codeIn(end) === undefined) return;
    const [sent, returned] = [valueOf(older.parameters, "state"), responseParameter(end.location, "state")];
    expectThat(returned === sent, `state ${shown(sent)} of the page`, shown(returned), end.exchange);
  },
});

const grantsWhatItShows = check({
  id: "SCOPE-02/older-page",
  claim:
    "Approving a page for `mail.read` while a newer request for both scopes is open in the browser grants no `mail.send`.",
  needs: ["human", "pages"],
  act: async (target) => (await approvedOlderPage(target)).exchanges,
  assert({ asOlder, asNewer }) {
    if (asNewer !== undefined && isSuccess(asNewer))
      throw new Violation("no code for the newer request, which nobody approved", "one", {
        exchange: asNewer,
        explainedBy: "AUTHZ-10/older-page",
      });
    if (asOlder === undefined || !isSuccess(asOlder)) return;
    const { scope } = jsonMembers(asOlder);
    const scopes = String(scope).split(" ");
    expectThat(!scopes.includes("mail.send"), "scope mail.read alone", shown(scope), asOlder);
  },
});

/** Two requests of one person at once: each page decides on its own. */
export const twoTabChecks = [answersItsRequest, grantsWhatItShows];
