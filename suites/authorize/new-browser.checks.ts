import { attempt, codeIn, responseParameter } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  mcpResource,
  newVerifier,
  postToken,
  registeredRedirectUri,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, expectTokenRefused, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { decidedAnew } from "../support/material/clients.ts";
import { authorizingClient, requireRedeemable } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { replacing, valueOf } from "../support/wire/parameters.ts";
import { expectAudience } from "../support/judging/token-audience.ts";
import { endInWords, expectCodeRedirect, leadsTo } from "./requests.ts";

// What a second decoding, or a form on the way, would change.
const telling = "a b&c=d%2Be+f%20/?g";

/** A request for little, of a person who signs in on the way and approves. */
async function approvedInNewBrowser(target: Target) {
  const resource = mcpResource(target);
  const choice = { scope: "mail.read", resource };
  const client = await authorizingClient(target, "public", choice);
  const state = `${telling}&h=${newVerifier()}`;
  // Not the one that a server would take for want of another.
  const redirectUri = client.redirect_uris.at(-1) ?? registeredRedirectUri(client);
  const request = authorizationRequest(target, client, { ...choice, state, redirect_uri: redirectUri });
  target.spend("grants");
  return { request, seen: await attempt(target, request, { newBrowser: true }) };
}

type Approved = Awaited<ReturnType<typeof approvedInNewBrowser>>;

/** @throws {InconclusiveError} control-refused, when there was no code, which AUTHZ-10/new-browser judges */
function codeFor({ request, seen }: Approved) {
  const code = codeIn(seen.end);
  const { client, verifier, parameters } = request;
  if (code !== undefined)
    return { code, client, verifier, redirect_uri: valueOf(parameters, "redirect_uri") ?? "" };
  throw new InconclusiveError(
    "control-refused",
    `a valid request of a person who signs in: expected a code, got ${endInWords(seen)}`,
    { exchange: seen.end.exchange, explainedBy: "AUTHZ-10/new-browser" },
  );
}

const first = (target: Target): Promise<Approved> =>
  target.once("authorize:new-browser", approvedInNewBrowser);

const answered = check({
  id: "AUTHZ-10/new-browser",
  claim: "A request of a person who signs in on the way is answered with a code and its `state`, unchanged.",
  needs: ["human", "pages"],
  act: first,
  assert({ request, seen }) {
    const { location, exchange } = expectCodeRedirect(seen);
    const [sent, returned] = [valueOf(request.parameters, "state"), responseParameter(location, "state")];
    explained("AUTHZ-10/reserved-characters", () =>
      expectThat(returned === sent, `state ${shown(sent)}`, shown(returned), exchange),
    );
  },
});

const ledBack = check({
  id: "REDIR-01/new-browser",
  claim: "A person who signs in on the way is led back to the `redirect_uri` of the request.",
  needs: ["human", "pages"],
  act: first,
  assert({ request, seen }) {
    const { location, exchange } = expectCodeRedirect(seen);
    const uri = valueOf(request.parameters, "redirect_uri") ?? "";
    explained("REDIR-01/with-query", () =>
      expectThat(
        leadsTo(location, uri),
        `a redirect to ${uri}`,
        shown(location.replace(/\bcode=[^&]*/u, "code=…")),
        exchange,
      ),
    );
  },
});

const otherVerifier = check({
  id: "PKCE-13/new-browser",
  claim:
    "The code of a person who signed in on the way is refused with `invalid_grant` to a verifier that is not its own.",
  needs: ["human", "pages"],
  async act(target) {
    await requireRedeemable(target);
    const code = codeFor(await first(target.setup));
    return postToken(target, replacing(codeExchange(code), "code_verifier", newVerifier()));
  },
  assert: (exchange) => explained("PKCE-13", () => expectTokenRefused(exchange, ["invalid_grant"])),
});

/** Another code, since a failed exchange may have used the first one up (C-29). */
const granted = (target: Target) =>
  target.once("authorize:new-browser-grant", async (recording) =>
    postToken(recording, codeExchange(codeFor(await approvedInNewBrowser(recording)))),
  );

const grantsWhatWasAsked = check({
  id: "SCOPE-02/new-browser",
  claim: "A request for `mail.read` of a person who signs in on the way is granted `mail.read` alone.",
  needs: ["human", "pages"],
  act: granted,
  assert(exchange) {
    if (!isSuccess(exchange))
      throw new Violation("200 with tokens", `${exchange.response.status}`, {
        exchange,
        explainedBy: "TOKEN-01",
      });
    const { scope } = jsonMembers(exchange);
    explained("SCOPE-02", () => expectThat(scope === "mail.read", "scope mail.read", shown(scope), exchange));
  },
});

const audienceAsked = check({
  id: "RES-02/new-browser",
  claim:
    "A request for the MCP resource of a person who signs in on the way gives a token for that resource.",
  needs: ["human", "pages"],
  act: async (target) => ({ exchange: await granted(target), resource: mcpResource(target) }),
  assert({ exchange, resource }) {
    if (isSuccess(exchange)) expectAudience(exchange, resource, "RES-02");
  },
});

const narrowed = check({
  id: "SCOPE-06/new-browser",
  claim:
    "When a person who signs in on the way narrows a request for both scopes, the token response says `mail.read`.",
  needs: ["human", "pages"],
  async act(target) {
    const client = await authorizingClient(target);
    return decidedAnew(target, "public", client, async (decidedOn) => {
      target.spend("grants");
      const request = authorizationRequest(target, decidedOn);
      const seen = await attempt(target, request, { newBrowser: true, decision: "approve read-only" });
      return postToken(target, codeExchange(codeFor({ request, seen })));
    });
  },
  assert(exchange) {
    requireTokens(exchange, "a valid code exchange");
    const { scope } = jsonMembers(exchange);
    explained("SCOPE-06/response", () =>
      expectThat(scope === "mail.read", "scope mail.read", shown(scope), exchange),
    );
  },
});

/** What was asked for holds for those who sign in on the way. Document, "GET /oauth/authorize", result. */
export const newBrowserChecks = [
  answered,
  ledBack,
  otherVerifier,
  grantsWhatWasAsked,
  audienceAsked,
  narrowed,
];
