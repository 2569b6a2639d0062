import { type ReferrerPolicy, referrerPolicyOf } from "../support/actors/consent/referrer.ts";
import { authorizationRequest, authorizationUrl } from "../support/actors/oauth-client.ts";
import { type Attempt, attempt } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import { recommend } from "../support/judging/check.ts";
import { clientFor } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { type Exchange, header, headerValues, listHeader, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { decidesElsewhere, isDecidedElsewhere, serversPages } from "../support/material/forged-forms.ts";
import { expectCodeRedirect, successfulAttempt } from "./requests.ts";

/**
 * The pages that the authorization server itself showed on the way to a code; the identity provider has pages of its own.
 *
 * @throws {InconclusiveError} precondition-missing, when it showed none
 * @throws {NotApplicableError} when people are asked at another origin
 */
async function ownPages(target: Target): Promise<readonly Exchange[]> {
  const pages = serversPages(await successfulAttempt(target));
  if (pages.length > 0) return pages;
  const consent = await firstConsent(target);
  const shown = serversPages(consent);
  if (isDecidedElsewhere(consent)) throw new NotApplicableError(decidesElsewhere);
  if (shown.length === 0)
    throw new InconclusiveError("precondition-missing", "the authorization server showed no page of its own");
  return shown;
}

/** An authorization of a client that nobody has consented to yet: a consent that is remembered shows no page. */
function firstConsent(target: Target): Promise<Attempt> {
  return target.once("authorize:first-consent", async (recording) => {
    const client = await clientFor(recording, "public", "pages");
    return attempt(recording, authorizationRequest(recording, client));
  });
}

function expectOfEveryPage(
  pages: readonly Exchange[],
  holds: (page: Exchange) => boolean,
  expected: string,
): void {
  for (const page of pages)
    expectThat(holds(page), expected, `a page without at ${page.request.url.split("?", 1)[0]}`, page);
}

const framing = recommend({
  id: "B-AUTHZ-12",
  claim: "The pages of the authorization server forbid framing by other origins.",
  needs: ["human", "pages"],
  act: ownPages,
  assert: (pages) =>
    expectOfEveryPage(pages, forbidsFraming, "X-Frame-Options DENY or SAMEORIGIN, or CSP frame-ancestors"),
});

function forbidsFraming(page: Exchange): boolean {
  const frameOptions = header(page, "x-frame-options") ?? "";
  const policies = headerValues(page, "content-security-policy").join(";");
  const ancestors = /frame-ancestors\s+([^;]+)/iu.exec(policies)?.[1]?.trim();
  return (
    /^(deny|sameorigin)$/iu.test(frameOptions) ||
    (ancestors !== undefined && !/(^|\s)\*(\s|$)/u.test(ancestors))
  );
}

const noCrossOrigin = recommend({
  id: "B-AUTHZ-13",
  claim:
    "The authorization endpoint lets no other origin read its answers, neither to a preflight nor to a GET.",
  async act(target) {
    const { parameters } = authorizationRequest(target, await authorizingClient(target));
    const url = authorizationUrl(target, parameters);
    const origin = ["Origin", "https://evil.test"] as const;
    return [
      await target.send({
        method: "OPTIONS",
        url,
        headers: [origin, ["Access-Control-Request-Method", "GET"]],
      }),
      await target.send({ method: "GET", url, headers: [origin] }),
    ];
  },
  assert(exchanges) {
    for (const exchange of exchanges) {
      const allowed = header(exchange, "access-control-allow-origin");
      expectThat(allowed === undefined, "no Access-Control-Allow-Origin", shown(allowed), exchange);
    }
  },
});

const quietPolicies: readonly ReferrerPolicy[] = [
  "no-referrer",
  "same-origin",
  "strict-origin",
  "strict-origin-when-cross-origin",
  "origin",
];

const referrer = recommend({
  id: "B-AUTHZ-14",
  claim: "The pages of the authorization server keep their addresses out of the Referer of other origins.",
  needs: ["human", "pages"],
  act: ownPages,
  assert: (pages) =>
    expectOfEveryPage(pages, hasQuietPolicy, "a Referrer-Policy that keeps the path and query from others"),
});

function hasQuietPolicy(page: Exchange): boolean {
  const policy = referrerPolicyOf(page);
  return policy !== undefined && quietPolicies.includes(policy);
}

const loopbackIssuer = /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/u;

const issuerForm = recommend({
  id: "B-AUTHZ-16",
  claim: "`iss` is an https URL without query and fragment, or such an http URL on a loopback address.",
  needs: ["human"],
  act: successfulAttempt,
  assert(seen) {
    const { location, exchange } = expectCodeRedirect(seen);
    const iss = responseParameter(location, "iss") ?? "";
    const hasScheme = iss.startsWith("https://") || loopbackIssuer.test(iss);
    expectThat(
      hasScheme && !/[?#]/u.test(iss),
      "an https URL without query and fragment",
      shown(iss),
      exchange,
    );
  },
});

const notCached = recommend({
  id: "B-AUTHZ-20",
  claim: "The redirect with the code has `Cache-Control: no-store`.",
  needs: ["human", "pages"],
  act: successfulAttempt,
  assert(seen) {
    const { exchange } = expectCodeRedirect(seen);
    const cacheControl = listHeader(exchange, "cache-control") ?? "none";
    expectThat(/\bno-store\b/iu.test(cacheControl), "Cache-Control: no-store", cacheControl, exchange);
  },
});

// A firewall drops what is sent to a closed port, so that nothing ever answers.
const notServed: readonly string[] = ["target-unreachable", "target-silent"];
const filteredAfterMs = 5000;

const tlsOnly = recommend({
  id: "B-AUTHZ-21",
  claim: "The authorization endpoint is not served over plain http, unless it is on a loopback address.",
  async act(target): Promise<{ secure: Exchange; plain?: Exchange }> {
    if (loopbackIssuer.test(target.authUrl))
      throw new NotApplicableError("the authorization endpoint is on a loopback address");
    const { parameters } = authorizationRequest(target, await authorizingClient(target));
    const url = authorizationUrl(target, parameters);
    const secure = await target.control.send({ method: "GET", url });
    // The port of https speaks no plain http, so the default one is asked.
    const plainUrl = url.replace(/^https:\/\/([^/:]+)(:\d+)?/u, "http://$1");
    const request = { method: "GET", url: plainUrl, beyondTarget: true, mayBeLost: true } as const;
    try {
      return { secure, plain: await target.send({ ...request, mostMs: filteredAfterMs }) };
    } catch (error) {
      if (error instanceof InconclusiveError && notServed.includes(error.code)) return { secure };
      throw error;
    }
  },
  assert({ plain }) {
    if (plain === undefined) return;
    const leadsToHttps = header(plain, "location")?.startsWith("https://") ?? false;
    const isRefused = plain.response.status >= 400;
    expectThat(leadsToHttps || isRefused, "a redirect to https or a refusal", summary(plain), plain);
  },
});

/** How the endpoint protects the browser that a person uses (RFC 9700): what RFCs alone ask. */
export const browserProtectionChecks = [framing, noCrossOrigin, referrer, issuerForm, notCached, tlsOnly];
