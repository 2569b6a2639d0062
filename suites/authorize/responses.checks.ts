import { authorizationRequest, unguessable } from "../support/actors/oauth-client.ts";
import { attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import { check, observe } from "../support/judging/check.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { undecodableText, withEscape, withUndecodable } from "../support/material/undecodable.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import { bearer, inboxQuery, jsonContentType, postJmap } from "../support/actors/jmap.ts";
import { replacing, valueOf } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, type Warning, warning } from "../support/verdict.ts";
import { endOf } from "./forged-forms.ts";
import { approvedAttempt, endInWords, expectCodeRedirect, successfulAttempt } from "./requests.ts";

const code = check({
  id: "AUTHZ-09/code",
  claim: "An approved authorization ends in a redirect whose query carries a `code`.",
  needs: ["human"],
  act: approvedAttempt,
  assert(seen) {
    if (codeIn(seen.end) === undefined || codeIn(seen.end) === "")
      throw new Violation("a redirect with a code in its query", endInWords(seen), {
        exchange: seen.end.exchange,
      });
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
    const token = /[?#&](access_token|id_token|token_type)=/u.exec(location)?.[1];
    expectThat(token === undefined, "no token", `${token}`, exchange);
  },
});

const noFragment = check({
  id: "AUTHZ-09/no-fragment",
  claim: "A successful authorization response has no fragment.",
  needs: ["human"],
  act: successfulAttempt,
  assert(seen) {
    const { location, exchange } = expectCodeRedirect(seen);
    expectThat(!location.includes("#"), "no fragment", "one", exchange);
  },
});

const states = [
  { slug: "one-character", state: "x", words: "of one character" },
  { slug: "zero", state: "0", words: "that some languages take for nothing, `0`," },
  { slug: "number", state: "00012345678901234567890", words: "of digits that a number would not keep" },
  { slug: "word", state: "null", words: "that some languages take for nothing, `null`," },
  { slug: "512-characters", state: "Az09-_.~".repeat(64), words: "of 512 characters" },
  {
    slug: "reserved-characters",
    state: "a b&c=d%20+é/?#\"'<>\\|;,:!$()*@[]^`{}~",
    words: "of characters that URLs and HTML reserve",
  },
  { slug: "percent-encoded", state: "%2B+%20", words: "that looks percent-encoded already" },
  { slug: "json", state: '{"next":"/inbox?a=1&b=2","n":[1,null]}', words: "that is JSON" },
  { slug: "emoji", state: "📬👩‍💻", words: "of emoji" },
  { slug: "decomposed", state: "e\u0301 A\u030A", words: "of letters with combining accents" },
  { slug: "base64", state: "c3RhdGU+L2E9PQ==", words: "in base64 with padding" },
  { slug: "surrounding-spaces", state: "  x  ", words: "with leading and trailing spaces" },
  { slug: "html-entity", state: "&amp;&lt;x&gt;", words: "that looks HTML-escaped already" },
].map(({ slug, state, words }) =>
  check({
    id: `AUTHZ-10/${slug}`,
    claim: `A \`state\` ${words} is returned unchanged.`,
    needs: ["human"],
    async act(target) {
      const client = await authorizingClient(target);
      target.spend("grants");
      return attempt(target, authorizationRequest(target, client, { state }));
    },
    assert(seen) {
      const { location, exchange } = expectCodeRedirect(seen);
      const returned = responseParameter(location, "state");
      if (returned === state) return;
      throw new Violation(`state ${shown(state)}`, shown(returned), {
        exchange,
        // Where no state comes back at all, its characters were not the reason.
        ...((returned === undefined || returned === "") && { explainedBy: "AUTHZ-10/one-character" }),
      });
    },
  }),
);

/**
 * Texts behind a first part that decoders of forms keep. Encoders of forms escape them (RFC 6749 Appendix B), and a client
 * that puts its query together by hand may not.
 */
const literalStates = [
  { slug: "raw-equals-signs", behind: "==", words: "that ends in two equals signs as they are" },
  { slug: "raw-semicolon", behind: ";x=1", words: "with a semicolon as it is" },
  { slug: "raw-question-mark", behind: "?x=1/2", words: "with a question mark and a slash as they are" },
].map(({ slug, behind, words }) =>
  check({
    id: `AUTHZ-10/${slug}`,
    claim: `A \`state\` ${words} in the query is returned unchanged, or the request is refused below 500.`,
    needs: ["human"],
    async act(target) {
      const client = await authorizingClient(target);
      target.spend("grants");
      const request = authorizationRequest(target, client, { state: undecodableText });
      return attempt(withUndecodable(target, behind), request);
    },
    assert({ end }): Warning | undefined {
      expectNoServerError(end.exchange);
      if (end.kind !== "redirect" || codeIn(end) === undefined) return undefined;
      const returned = responseParameter(end.location, "state");
      const expected = withEscape(undecodableText, behind);
      return returned === expected
        ? undefined
        : warning(`state ${shown(expected)} is returned as ${shown(returned)}`);
    },
  }),
);

const stateWithLineFeed = check({
  id: "AUTHZ-10/line-feed",
  claim: "A `state` with a line feed is returned unchanged, or the request is refused below 500.",
  needs: ["human"],
  async act(target) {
    const client = await authorizingClient(target);
    target.spend("grants");
    return attempt(target, authorizationRequest(target, client, { state: "one\ntwo" }));
  },
  assert({ end }): Warning | undefined {
    expectNoServerError(end.exchange);
    if (end.kind !== "redirect" || codeIn(end) === undefined) return undefined;
    const returned = responseParameter(end.location, "state");
    // RFC 6749 Appendix A.5 allows printable ASCII alone, so that what a target makes of the line feed is its own.
    if (returned === "one\ntwo") return undefined;
    return warning(`state "one\\ntwo" is returned as ${shown(returned)}`);
  },
});

const longState = check({
  id: "AUTHZ-10/2000-characters",
  claim: "A `state` of 2,000 characters is returned unchanged, or the request is refused.",
  needs: ["human"],
  async act(target) {
    const client = await authorizingClient(target);
    const state = `${"Az09-_.~".repeat(249)}-the-end`;
    target.spend("grants");
    return { state, seen: await attempt(target, authorizationRequest(target, client, { state })) };
  },
  assert({ state, seen }): Warning | undefined {
    // A limit is the target's own (C-90); a part of the state is not what the client sent.
    if (seen.end.kind !== "redirect") return warning(`a state of ${state.length} characters is refused`);
    const { location, exchange } = expectCodeRedirect(seen);
    const returned = responseParameter(location, "state") ?? "";
    const observed = `${returned.length} characters`;
    explained("AUTHZ-10/512-characters", () =>
      expectThat(returned === state, `the ${state.length} characters that were sent`, observed, exchange),
    );
    return undefined;
  },
});

function expectNoServerError(exchange: Exchange): void {
  expectThat(exchange.response.status < 500, "an answer below 500", summary(exchange), exchange);
}

/** The bytes of `state` in the query of an authorization response, as lower-case hexadecimal. */
function stateBytes(location: string): string | undefined {
  const encoded = /[?&]state=([^&#]*)/u.exec(location)?.[1];
  const bytes = encoded
    ?.replaceAll("+", " ")
    .replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return bytes === undefined ? undefined : Buffer.from(bytes, "latin1").toString("hex");
}

const undecodableState = check({
  id: "AUTHZ-10/undecodable",
  claim:
    "A `state` with a byte that is no UTF-8 (%FF) is returned unchanged, or the request is refused below 500.",
  needs: ["human"],
  async act(target) {
    const client = await authorizingClient(target);
    const state = unguessable();
    target.spend("grants");
    const request = authorizationRequest(target, client, { state: `${state}${undecodableText}` });
    return { state, seen: await attempt(withUndecodable(target), request) };
  },
  assert({ state, seen: { end } }): Warning | undefined {
    expectNoServerError(end.exchange);
    if (end.kind !== "redirect" || codeIn(end) === undefined) return undefined;
    const returned = stateBytes(end.location);
    // RFC 6749 Appendix A.5 allows printable ASCII alone, so that what a target makes of the byte is its own.
    if (returned === Buffer.from(`${state}mailproof\u00ff`, "latin1").toString("hex")) return undefined;
    const isKept = returned?.startsWith(Buffer.from(`${state}mailproof`).toString("hex")) ?? false;
    if (isKept) return warning(`state is returned with other bytes than were sent: ${shown(returned)}`);
    throw new Violation("the state that was sent", shown(returned), {
      exchange: end.exchange,
      explainedBy: "AUTHZ-10/one-character",
    });
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
      return endOf(target, () => attempt(naming, authorizationRequest(target, client)));
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
    outgoing.url.startsWith(`${target.authUrl}/`)
      ? { ...outgoing, headers: [...(outgoing.headers ?? []), header] }
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
  ...states,
  ...literalStates,
  stateWithLineFeed,
  longState,
  undecodableState,
  issuer,
  ...spoofedHost,
  narrowed,
  noDefaultInbox,
  reusedChallenge,
];
