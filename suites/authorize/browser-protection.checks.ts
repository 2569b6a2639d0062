import { advise } from "../support/judging/advice.ts";
import { authorizationRequest, authorizationUrl } from "../support/actors/oauth-client.ts";
import { type Attempt, codeIn, responseParameter } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { type Exchange, header, headerValues, mediaType, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, InconclusiveError, observation, Violation, warning } from "../support/verdict.ts";
import { successfulAttempt } from "./requests.ts";

/** The redirect that carries the code. */
function codeRedirect({ end }: Attempt): Exchange {
  if (codeIn(end) === undefined) throw new Violation("a redirect with a code", "none");
  return end.exchange;
}

/** The pages that the authorization server itself showed on the way to a code; the identity provider's are another's. */
async function ownPages(target: Target): Promise<readonly Exchange[]> {
  const { hops } = await successfulAttempt(target);
  return hops().filter(
    (hop) => hop.request.url.startsWith(`${target.authUrl}/`) && mediaType(hop) === "text/html",
  );
}

function adviseOnPages(
  pages: readonly Exchange[],
  holds: (page: Exchange) => boolean,
  expected: string,
): Finding | undefined {
  if (pages.length === 0) return observation("the authorization server showed no page of its own");
  const bare = pages.find((page) => !holds(page));
  return (
    bare && warning(`expected ${expected}; a page without at ${shown(bare.request.url.split("?", 1)[0])}`)
  );
}

const redirectStatus = check({
  id: "B-AUTHZ-11",
  claim: "The redirect with the code has the status 302 or 303, so that no form is sent again.",
  needs: ["human"],
  act: successfulAttempt,
  assert: (seen) =>
    advise(() => {
      const exchange = codeRedirect(seen);
      expectThat([302, 303].includes(exchange.response.status), "302 or 303", summary(exchange));
    }),
});

const framing = check({
  id: "B-AUTHZ-12",
  claim: "The pages of the authorization server forbid framing by other origins.",
  needs: ["human"],
  act: ownPages,
  assert: (pages) =>
    adviseOnPages(pages, forbidsFraming, "X-Frame-Options DENY or SAMEORIGIN, or CSP frame-ancestors"),
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

const noCrossOrigin = check({
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
  assert: (exchanges) =>
    advise(() => {
      const allowed = exchanges.flatMap((exchange) => headerValues(exchange, "access-control-allow-origin"));
      expectThat(allowed.length === 0, "no Access-Control-Allow-Origin", shown(allowed));
    }),
});

const quietPolicies = [
  "no-referrer",
  "same-origin",
  "strict-origin",
  "strict-origin-when-cross-origin",
  "origin",
];

const referrer = check({
  id: "B-AUTHZ-14",
  claim: "The pages of the authorization server keep their addresses out of the Referer of other origins.",
  needs: ["human"],
  act: ownPages,
  assert: (pages) =>
    adviseOnPages(
      pages,
      // The last policy that the browser knows holds.
      (page) =>
        quietPolicies.includes((header(page, "referrer-policy") ?? "").split(",").at(-1)?.trim() ?? ""),
      "a Referrer-Policy that leaks no address",
    ),
});

const issuerForm = check({
  id: "B-AUTHZ-16",
  claim: "iss of the response is a URL without query or fragment, https unless on a loopback address.",
  needs: ["human"],
  act: successfulAttempt,
  assert: (seen) =>
    advise(() => {
      const iss = seen.end.kind === "redirect" ? responseParameter(seen.end.location, "iss") : undefined;
      const isIssuer = /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/]|$))[^?#]*$/u.test(
        iss ?? "",
      );
      expectThat(isIssuer, "an https URL without query or fragment", shown(iss));
    }),
});

const notCached = check({
  id: "B-AUTHZ-20",
  claim: "The redirect with the code has Cache-Control: no-store.",
  needs: ["human"],
  act: successfulAttempt,
  assert: (seen) =>
    advise(() => {
      const cacheControl = header(codeRedirect(seen), "cache-control") ?? "absent";
      expectThat(/\bno-store\b/iu.test(cacheControl), "Cache-Control: no-store", cacheControl);
    }),
});

const tlsOnly = check({
  id: "B-AUTHZ-21",
  claim: "The authorization endpoint of an https target is not served over plain http.",
  async act(target) {
    if (!target.authUrl.startsWith("https://")) return "not https";
    const { parameters } = authorizationRequest(target, await authorizingClient(target));
    const [, host = ""] = /^https:\/\/([^/:]+)/u.exec(target.authUrl) ?? [];
    const path = authorizationUrl(target, parameters).slice(`https://${host}`.length).replace(/^:\d+/u, "");
    try {
      return await target.send({ method: "GET", url: `http://${host}${path}` });
    } catch (error) {
      if (error instanceof InconclusiveError && error.code === "target-unreachable") return "nothing answers";
      throw error;
    }
  },
  assert(seen): Finding | undefined {
    if (seen === "not https") return observation("the target is on plain http itself");
    if (seen === "nothing answers") return undefined;
    return advise(() => {
      const leadsToHttps = header(seen, "location")?.startsWith("https://") ?? false;
      expectThat(
        leadsToHttps || seen.response.status >= 400,
        "a redirect to https or a refusal",
        summary(seen),
      );
    });
  },
});

/** How the endpoint protects the browser that a person uses (RFC 9700): warnings alone. */
export const browserProtectionChecks = [
  redirectStatus,
  framing,
  noCrossOrigin,
  referrer,
  issuerForm,
  notCached,
  tlsOnly,
];
