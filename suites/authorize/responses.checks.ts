import { endInWords } from "../support/judging/expected-code.ts";
import { authorizationRequest, authorizationUrl } from "../support/actors/oauth-client.ts";
import { attempt, codeIn, requireSignedIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import { check, observe } from "../support/judging/check.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import { bearer, inboxQuery, jsonContentType, postJmap } from "../support/actors/jmap.ts";
import { replacing, valueOf } from "../support/wire/parameters.ts";
import { endOf, isAtServer } from "../support/material/forged-forms.ts";
import type { Target } from "../support/target/target.ts";
import { answeredOrDropped } from "../support/target/unserved-host.ts";
import { Violation, type Warning, warning } from "../support/verdict.ts";
import { approvedAttempt, expectCodeRedirect, successfulAttempt } from "./requests.ts";

const code = check({
  id: "AUTHZ-09/code",
  claim: "An approved authorization ends in a redirect whose query carries a `code`.",
  needs: ["human"],
  act: approvedAttempt,
  assert(seen) {
    if (codeIn(seen.end) === undefined || codeIn(seen.end) === "") {
      requireSignedIn(seen);
      throw new Violation("a redirect with a code in its query", endInWords(seen), {
        exchange: seen.end.exchange,
      });
    }
  },
});

const lowerCaseEscapes = check({
  id: "AUTHZ-09/lower-case-escapes",
  claim: "An approved authorization request whose percent escapes have lower-case digits yields a code.",
  needs: ["human"],
  async act(target) {
    const client = await authorizingClient(target);
    target.spend("grants");
    const begin = `${target.authUrl}/oauth/authorize?`;
    const lowered = target.changing(({ url, ...outgoing }) => ({
      ...outgoing,
      url: url.startsWith(begin) ? url.replaceAll(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase()) : url,
    }));
    return attempt(lowered, authorizationRequest(target, client));
  },
  assert(seen) {
    // RFC 3986 §2.1: both cases of the digits mean the same.
    explained("AUTHZ-09/code", () =>
      expectThat(
        codeIn(seen.end) !== undefined,
        "a redirect with a code in its query",
        endInWords(seen),
        seen.end.exchange,
      ),
    );
  },
});

const noToken = check({
  id: "AUTHZ-09/no-token",
  claim: "A successful authorization response carries no token, neither in its query nor in its fragment.",
  needs: ["human"],
  act: successfulAttempt,
  assert(seen) {
    const { location, exchange } = expectCodeRedirect(seen);
    const token = /[?#&](access_token|id_token|refresh_token)=/u.exec(location)?.[1];
    expectThat(token === undefined, "no token", `${token}`, exchange);
  },
});

// RFC 9700 §4.1.3 lets a server attach an arbitrary fragment such as `#_`, which keeps browsers from attaching another.
const noFragment = check({
  id: "AUTHZ-09/no-fragment",
  claim: "A successful authorization response has none of its parameters in a fragment.",
  needs: ["human"],
  act: successfulAttempt,
  assert(seen) {
    const { location, exchange } = expectCodeRedirect(seen);
    const fragment = location.split("#").slice(1).join("#");
    const name = /(?:^|[?&])(code|state|iss|error|access_token|id_token|token_type)=/u.exec(fragment)?.[1];
    expectThat(name === undefined, "no parameter in a fragment", `${name}`, exchange);
  },
});

const issuer = check({
  id: "AUTHZ-13/success",
  claim: "`iss` of a successful authorization response is `{auth_url}`.",
  needs: ["human"],
  act: successfulAttempt,
  assert(seen) {
    const { location, exchange } = expectCodeRedirect(seen);
    const iss = responseParameter(location, "iss");
    expectThat(iss === seen.issuer, `iss ${shown(seen.issuer)}`, shown(iss), exchange);
  },
});

const foreignHost = "evil.example";

const spoofedHost = [
  { slug: "host", header: "Host", words: "host", value: () => foreignHost },
  { slug: "forwarded-host", header: "X-Forwarded-Host", words: "host", value: () => foreignHost },
  { slug: "forwarded-scheme", header: "X-Forwarded-Proto", words: "scheme", value: otherScheme },
].map(({ slug, header, words, value }) =>
  check({
    id: `AUTHZ-13/${slug}`,
    claim: `\`iss\` of an authorization response stays \`{auth_url}\` when requests name another ${words} in \`${header}\`.`,
    needs: ["human"],
    async act(target) {
      const client = await authorizingClient(target);
      target.spend("grants");
      const naming = withHeader(target, [header, value(target)]);
      const request = authorizationRequest(target, client);
      const ordinary = { method: "GET", url: authorizationUrl(target, request.parameters) };
      const ended = await answeredOrDropped(
        target,
        () => endOf(target, () => attempt(naming, request)),
        () => target.control.send(ordinary),
      );
      return "response" in ended ? { refusal: ended } : ended;
    },
    assert(ended): Warning | undefined {
      // A target that serves no such request gives no response that could name another issuer.
      if ("refusal" in ended || ended.end.kind !== "redirect") return undefined;
      const { end, issuer: expected } = ended;
      if (URL.parse(end.location)?.host === foreignHost)
        return warning("redirects go to the host that the request names, so no further request was made");
      const iss = responseParameter(end.location, "iss");
      if (iss !== expected)
        throw new Violation(`iss ${shown(expected)}`, shown(iss), {
          exchange: end.exchange,
          explainedBy: "AUTHZ-13/success",
        });
      return undefined;
    },
  }),
);

function otherScheme({ authUrl }: Target): string {
  return authUrl.startsWith("https:") ? "http" : "https";
}

/** The target, with a further header on all that is sent to the authorization server. */
function withHeader(target: Target, header: readonly [name: string, value: string]): Target {
  return target.changing((outgoing) =>
    isAtServer(target, outgoing.url)
      ? { ...outgoing, headers: [...(outgoing.headers ?? []), header], mayBeLost: true }
      : outgoing,
  );
}

const narrowed = check({
  id: "AUTHZ-14",
  claim:
    "A person who is asked for both scopes can grant `mail.read` alone, and `scope` of the token response says so.",
  needs: ["human"],
  act: async (target) => (await freshGrant(target, { decision: "approve read-only" })).response,
  assert(response) {
    const { scope } = jsonMembers(response);
    const isReadOnly = typeof scope === "string" && scope.trim() === "mail.read";
    expectThat(isReadOnly, 'scope "mail.read"', shown(scope), response);
  },
});

const noDefaultInbox = observe({
  id: "AUTHZ-15",
  question:
    "How is a JMAP request without the account header answered, when a default inbox was chosen at consent?",
  needs: ["human"],
  act: async (target) =>
    postJmap(target, {
      headers: [bearer(await sharedAccessToken(target)), jsonContentType],
      body: inboxQuery,
    }),
  answer: summary,
});

const reusedChallenge = observe({
  id: "B-AUTHZ-22",
  question: "What does an authorization request with the `code_challenge` of an earlier one yield?",
  needs: ["human"],
  async act(target) {
    const earlier = await successfulAttempt(target.setup);
    const client = await authorizingClient(target);
    const challenge = valueOf(earlier.parameters, "code_challenge") ?? "";
    const { parameters } = authorizationRequest(target, client);
    target.spend("grants");
    return attempt(target, { client, parameters: replacing(parameters, "code_challenge", challenge) });
  },
  answer: (seen) => (codeIn(seen.end) === undefined ? endInWords(seen) : "a code as well"),
});

export const responseChecks = [
  code,
  lowerCaseEscapes,
  noToken,
  noFragment,
  issuer,
  ...spoofedHost,
  narrowed,
  noDefaultInbox,
  reusedChallenge,
];
