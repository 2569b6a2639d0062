import { endInWords } from "../support/judging/expected-code.ts";
import { attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import {
  authorizationRequest,
  codeExchange,
  mcpResource,
  newVerifier,
  postToken,
  registeredRedirectUri,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { humanSession } from "../support/actors/human.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, expectTokenRefused, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { withUndecidedClient } from "../support/material/clients.ts";
import { authorizingClient, requireRedeemable } from "../support/material/controls.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import { isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { replacing, valueOf } from "../support/wire/parameters.ts";
import { expectAudience } from "../support/judging/token-audience.ts";
import { isAtServer } from "../support/material/forged-forms.ts";
import { expectCodeRedirect, leadsTo } from "./requests.ts";

// What a second decoding, or a form in between, would change.
const telling = "a b&c=d%2Be+f%20/?g";

/** A browser in which the person has to sign in. */
interface Way {
  readonly slug: string;
  /** Reads after "a person". */
  readonly words: string;
  readonly browser: (target: Target) => Target | Promise<Target>;
}

const newBrowser: Way = {
  slug: "new-browser",
  words: "who signs in during the request",
  browser: (target) => target,
};

const endedSession: Way = {
  slug: "ended-session",
  words: "who signs in again in a browser without session cookies",
  browser: withEndedSession,
};

// An address comes again for other reasons too, such as a sign-in.
const timesSent = 4;

/** Cookies like those that the first person's browser sends, of which the service knows none. */
async function withEndedSession(target: Target): Promise<Target> {
  await sharedAccessToken(target.setup);
  const { cookiesFor } = await humanSession(target, "first");
  const cookies = await cookiesFor(`${target.authUrl}/oauth/authorize`);
  if (cookies === undefined)
    throw new NotApplicableError(
      "after the consent the browser has no cookie for the authorization endpoint",
    );
  const ended = cookies.split("; ").map((cookie) => cookie.replace(/=.*$/u, otherValue));
  const asked = new Map<string, number>();
  let areGone = false;
  return target.changing((outgoing) => {
    if (!isAtServer(target, outgoing.url)) return outgoing;
    // A service may clear such cookies and send the browser to the same address again, which then has none.
    const times = (asked.get(outgoing.url) ?? 0) + 1;
    asked.set(outgoing.url, times);
    areGone ||= times > timesSent;
    if (areGone) return outgoing;
    const { headers = [] } = outgoing;
    const sent = headers.flatMap(([name, value]) => (name === "Cookie" ? value.split("; ") : []));
    const names = sent.map((cookie) => cookie.split("=", 1)[0]);
    const stale = ended.filter((cookie) => !names.includes(cookie.split("=", 1)[0]));
    const others = headers.filter(([name]) => name !== "Cookie");
    return { ...outgoing, headers: [...others, ["Cookie", [...sent, ...stale].join("; ")]] };
  });
}

/** A text of the same form. */
function otherValue(value: string): string {
  return value.replace(/[0-8a-yA-Y]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) + 1));
}

/** A request for little, of a person who signs in during it and approves. */
async function approvedAfterSignIn(target: Target, { slug, browser }: Way) {
  const resource = mcpResource(target);
  const choice = { scope: "mail.read", resource };
  const client = await authorizingClient(target, "public", choice);
  const state = `${telling}&h=${newVerifier()}`;
  // Not the one that a server would take for want of another.
  const redirectUri = client.redirect_uris.at(-1) ?? registeredRedirectUri(client);
  const request = authorizationRequest(target, client, { ...choice, state, redirect_uri: redirectUri });
  target.spend("grants");
  const forged = slug === "new-browser" ? {} : ({ forged: true } as const);
  return { request, seen: await attempt(await browser(target), request, { newBrowser: true, ...forged }) };
}

type Approved = Awaited<ReturnType<typeof approvedAfterSignIn>>;

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

function approvedOnce(target: Target, way: Way): Promise<Approved> {
  return target.once(`authorize:${way.slug}`, (recording) => approvedAfterSignIn(recording, way));
}

const first = (target: Target): Promise<Approved> => approvedOnce(target, newBrowser);

const answered = check({
  id: "AUTHZ-10/new-browser",
  claim:
    "A request of a person who signs in during it is answered with a code and with its `state`, unchanged.",
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
  claim: "A person who signs in during the request is redirected to the `redirect_uri` of the request.",
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

/** Another code, since a failed exchange may have used the first one up (C-29). */
function granted(target: Target, way: Way) {
  return target.once(`authorize:${way.slug}-grant`, async (recording) =>
    postToken(recording, codeExchange(codeFor(await approvedAfterSignIn(recording, way)))),
  );
}

const limits = [newBrowser, endedSession].flatMap((way) => [
  check({
    id: `PKCE-13/${way.slug}`,
    claim: `The code of a person ${way.words} is refused with \`invalid_grant\` to a verifier that is not its own.`,
    needs: ["human", "pages"],
    async act(target) {
      await requireRedeemable(target);
      const code = codeFor(await approvedOnce(target.setup, way));
      return postToken(target, replacing(codeExchange(code), "code_verifier", newVerifier()));
    },
    assert: (exchange) => explained("PKCE-13", () => expectTokenRefused(exchange, ["invalid_grant"])),
  }),
  check({
    id: `SCOPE-02/${way.slug}`,
    claim: `A request for \`mail.read\` of a person ${way.words} is granted \`mail.read\` alone.`,
    needs: ["human", "pages"],
    act: (target) => granted(target, way),
    assert(exchange) {
      if (!isSuccess(exchange))
        throw new Violation("200 with tokens", `${exchange.response.status}`, {
          exchange,
          explainedBy: "TOKEN-01",
        });
      const { scope } = jsonMembers(exchange);
      explained("SCOPE-02", () =>
        expectThat(scope === "mail.read", "scope mail.read", shown(scope), exchange),
      );
    },
  }),
  check({
    id: `RES-02/${way.slug}`,
    claim: `A request for the MCP resource of a person ${way.words} gives a token for that resource.`,
    needs: ["human", "pages"],
    act: async (target) => ({ exchange: await granted(target, way), resource: mcpResource(target) }),
    assert({ exchange, resource }) {
      if (isSuccess(exchange)) expectAudience(exchange, resource, "RES-02");
    },
  }),
]);

const narrowed = check({
  id: "SCOPE-06/new-browser",
  claim:
    "When a person who signs in during a request for both scopes narrows it, the token response says `mail.read`.",
  needs: ["human", "pages"],
  async act(target) {
    const client = await authorizingClient(target);
    return withUndecidedClient(target, "public", client, async (decidedOn) => {
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

/** What was asked for holds for those who sign in during the request. Document, "GET /oauth/authorize", result. */
export const newBrowserChecks = [answered, ledBack, ...limits, narrowed];
