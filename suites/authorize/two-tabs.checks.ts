import {
  type AuthorizationCode,
  type AuthorizationRequest,
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  jmapResource,
  mcpResource,
  postToken,
  registeredRedirectUri,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { type Attempt, attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { valueOf } from "../support/wire/parameters.ts";
import { expectAudience } from "../support/judging/token-audience.ts";
import { grantsSending } from "../support/judging/token-responses.ts";

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
 * A person opens a request for `mail.read`, then one for both scopes and the MCP resource in a second tab, and approves the
 * page of the first: once for all checks of a run.
 */
function approvedOlderPage(target: Target): Promise<OlderPage> {
  return target.once("authorize:older-page", async (recording) => {
    const client = await authorizingClient(recording);
    const older = authorizationRequest(recording, client, { scope: "mail.read" });
    const redirectUri = otherRedirectUri(client);
    const newer = authorizationRequest(recording, client, {
      ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
      resource: mcpResource(recording),
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

const redeemedAsRequested = check({
  id: "PKCE-16/older-page",
  claim:
    "A code that answers the older of two requests that are open in one browser is redeemed with the verifier and `redirect_uri` of that request.",
  needs: ["human", "pages"],
  act: approvedOlderPage,
  assert({ older, seen: { end }, exchanges: { asOlder } }) {
    if (end.kind !== "redirect" || asOlder === undefined) return;
    const isAnswered = valueOf(older.parameters, "state") === responseParameter(end.location, "state");
    if (isAnswered)
      explained("PKCE-10", () =>
        expectThat(isSuccess(asOlder), "200 with tokens", summary(asOlder), asOlder),
      );
  },
});

const audienceOfItsRequest = check({
  id: "RES-01/older-page",
  claim:
    "Approving a page for the JMAP resource while a newer request for the MCP resource is open in the browser gives a token for JMAP.",
  needs: ["human", "pages"],
  async act(target) {
    const { exchanges } = await approvedOlderPage(target);
    return { asOlder: exchanges.asOlder, resource: jmapResource(target) };
  },
  assert({ asOlder, resource }) {
    if (asOlder !== undefined && isSuccess(asOlder)) expectAudience(asOlder, resource, "RES-01");
  },
});

/**
 * The same with one `state` for both, as of a client whose `state` names the page that the person comes back to.
 *
 * @returns the exchange of the code, which the page for `mail.read` gave
 */
function approvedPageOfOneState(target: Target): Promise<Exchange | undefined> {
  return target.once("authorize:one-state", async (recording) => {
    const client = await authorizingClient(recording);
    const state = unguessable();
    const older = authorizationRequest(recording, client, { scope: "mail.read", state });
    const newer = authorizationRequest(recording, client, { state });
    recording.spend("grants");
    const secondTab = authorizationUrl(recording, newer.parameters);
    const code = codeIn((await attempt(recording, older, { secondTab })).end);
    if (code === undefined) return undefined;
    const asOlder = await postToken(recording, codeExchange(codeOf(older, code)));
    return isSuccess(asOlder) ? asOlder : postToken(recording, codeExchange(codeOf(newer, code)));
  });
}

const oneState = check({
  id: "SCOPE-02/one-state",
  claim:
    "Approving a page for `mail.read` while a newer request for both scopes with the same `state` is open in the browser grants no `mail.send`.",
  needs: ["human", "pages"],
  act: approvedPageOfOneState,
  assert(exchange) {
    if (exchange === undefined || !isSuccess(exchange)) return;
    const { scope } = jsonMembers(exchange);
    explained("SCOPE-02/older-page", () =>
      expectThat(!grantsSending(exchange), "scope mail.read alone", shown(scope), exchange),
    );
  },
});

/** Two requests of one person at once: each page decides on its own. */
export const twoTabChecks = [
  answersItsRequest,
  grantsWhatItShows,
  redeemedAsRequested,
  audienceOfItsRequest,
  oneState,
];
