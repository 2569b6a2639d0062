import { type Attempt, attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import {
  type AuthorizationRequest,
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  jmapResource,
  mcpResource,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { expectAudience } from "../support/judging/token-audience.ts";
import { grantsSending } from "../support/judging/token-responses.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { valueOf } from "../support/wire/parameters.ts";

interface Returned {
  readonly request: AuthorizationRequest;
  readonly seen: Attempt;
  /** The exchange of the code, and where that was refused one with the verifier of the abandoned request. */
  readonly exchanges: { readonly own?: Exchange; readonly abandoned?: Exchange };
}

/** The tokens of the code, whichever request it was bound to. */
function tokensIn({ own, abandoned }: Returned["exchanges"]): Exchange | undefined {
  return [own, abandoned].find((exchange) => exchange !== undefined && isSuccess(exchange));
}

/**
 * A person opens a request for both scopes and the MCP resource, leaves its page, and approves a later request of the same
 * client for `mail.read` and the JMAP resource: once for all checks of a run.
 */
function returned(target: Target): Promise<Returned> {
  return target.once("authorize:abandoned", async (recording) => {
    const client = await authorizingClient(recording);
    const otherUri = client.redirect_uris[1];
    const abandoned = authorizationRequest(recording, client, {
      ...(otherUri !== undefined && { redirect_uri: otherUri }),
      resource: mcpResource(recording),
    });
    const request = authorizationRequest(recording, client, { scope: "mail.read" });
    // The page of who has to sign in first is not yet about the request.
    await sharedAccessToken(recording.setup);
    recording.spend("grants");
    const left = authorizationUrl(recording, abandoned.parameters);
    const seen = await attempt(recording, request, { abandoned: left });
    const code = codeIn(seen.end);
    if (code === undefined) return { request, seen, exchanges: {} };
    const redirectUri = registeredRedirectUri(client);
    const exchange = ({ verifier }: AuthorizationRequest): Promise<Exchange> =>
      postToken(recording, codeExchange({ code, client, verifier, redirect_uri: redirectUri }));
    const own = await exchange(request);
    if (isSuccess(own)) return { request, seen, exchanges: { own } };
    return { request, seen, exchanges: { own, abandoned: await exchange(abandoned) } };
  });
}

const words = "When a person has left the page of an earlier request of the client";

const ownState = check({
  id: "AUTHZ-10/abandoned",
  claim: `${words}, a later request that they approve is answered with its own \`state\`.`,
  needs: ["human", "pages"],
  act: returned,
  assert({ request, seen: { end } }) {
    if (end.kind !== "redirect" || codeIn(end) === undefined) return;
    const [sent, got] = [valueOf(request.parameters, "state"), responseParameter(end.location, "state")];
    expectThat(got === sent, `state ${shown(sent)}`, shown(got), end.exchange);
  },
});

const ownRedirectUri = check({
  id: "REDIR-01/abandoned",
  claim: `${words}, a later request that they approve is answered at its own \`redirect_uri\`.`,
  needs: ["human", "pages"],
  act: returned,
  assert({ request, seen: { end } }) {
    if (end.kind !== "redirect" || codeIn(end) === undefined) return;
    const uri = valueOf(request.parameters, "redirect_uri") ?? "";
    const place = end.location.split("code=", 1)[0];
    expectThat(end.location.startsWith(uri), `a redirect to ${uri}`, shown(place), end.exchange);
  },
});

const ownVerifier = check({
  id: "PKCE-16/abandoned",
  claim: `${words}, the code of a later one that they approve is redeemed with its own verifier.`,
  needs: ["human", "pages"],
  act: returned,
  assert({ request, seen: { end }, exchanges: { own } }) {
    if (end.kind !== "redirect" || own === undefined) return;
    const isAnswered = valueOf(request.parameters, "state") === responseParameter(end.location, "state");
    if (isAnswered)
      explained("PKCE-10", () => expectThat(isSuccess(own), "200 with tokens", summary(own), own));
  },
});

const ownScope = check({
  id: "SCOPE-02/abandoned",
  claim: `${words} for both scopes, a later one for \`mail.read\` is granted no \`mail.send\`.`,
  needs: ["human", "pages"],
  act: returned,
  assert({ exchanges }) {
    const tokens = tokensIn(exchanges);
    if (tokens === undefined) return;
    const { scope } = jsonMembers(tokens);
    explained("SCOPE-02", () =>
      expectThat(!grantsSending(tokens), "scope mail.read alone", shown(scope), tokens),
    );
  },
});

const ownResource = check({
  id: "RES-01/abandoned",
  claim: `${words} for the MCP resource, a later one for JMAP gives a token for JMAP.`,
  needs: ["human", "pages"],
  act: async (target) => ({ ...(await returned(target)), resource: jmapResource(target) }),
  assert({ exchanges, resource }) {
    const tokens = tokensIn(exchanges);
    if (tokens !== undefined) expectAudience(tokens, resource, "RES-01");
  },
});

/** What a person has not answered leaves nothing behind. Document, "GET /oauth/authorize", result. */
export const abandonedChecks = [ownState, ownRedirectUri, ownVerifier, ownScope, ownResource];
