import { randomUUID } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { claimsOf } from "../support/actors/agent.ts";
import { type Check, check } from "../support/judging/check.ts";
import { type Exchange, headerValues, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { accessTokenIn, tokenResponses } from "../support/judging/token-responses.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { inboxQuery, jmapAs, jmapBody, requireServed } from "../support/actors/jmap.ts";

const bodies: readonly { slug: string; words: string; body: string }[] = [
  { slug: "served", words: "a served request", body: inboxQuery },
  {
    slug: "method-error",
    words: "an unknown method",
    body: jmapBody([["Mailproof/unknown", {}, "0"]]),
  },
  { slug: "malformed", words: "a body that is not JSON", body: "{" },
];

// Three base64url parts, or the five of an encrypted one, the first of which decodes to what begins with {".
const jwtLike = /eyJ[\w-]*\.[\w-]*\.[\w-]*(?:\.[\w-]+\.[\w-]+)?/gu;

/** Whether a text is a JWT, which names its algorithm (RFC 7515 §4.1.1, RFC 7516 §4.1), and not just like one. */
function isJwt(text: string): boolean {
  try {
    const { alg, enc } = decodeProtectedHeader(text);
    return typeof alg === "string" && (typeof enc === "string" || claimsOf(text) !== undefined);
  } catch {
    // Not a JWT.
    return false;
  }
}

/** Where the response shows another credential than the request's own. */
function placesOfLeaks({ response, request }: Exchange): string[] {
  const sent = [...request.headers.map(([, value]) => value), request.body].join("\n");
  const places = [
    ...response.headers
      // A gateway in front signs cookies of its own, often as a JWT: they are for the caller.
      .filter(([name]) => name.toLowerCase() !== "set-cookie")
      .map(([name, value]) => ({ place: `header ${name}`, text: value })),
    { place: "body", text: response.body },
  ];
  return places
    .filter(({ text }) => (text.match(jwtLike) ?? []).some((found) => !sent.includes(found) && isJwt(found)))
    .map(({ place }) => place);
}

function expectNoCredential(exchange: Exchange): void {
  const [credential] = headerValues(exchange, "authorization");
  expectThat(credential === undefined, "no Authorization header", `${summary(exchange)} with one`, exchange);
  const found = placesOfLeaks(exchange);
  expectThat(
    found.length === 0,
    "no JWT but the request's own token",
    `one in ${found.join(", ")}`,
    exchange,
  );
}

const cases = [
  ...bodies.map((row) => ({ ...row, inbox: inboxOf })),
  {
    slug: "unknown-inbox",
    words: "a request for an unknown inbox",
    body: inboxQuery,
    inbox: async () => randomUUID(),
  },
];

const single = cases.map(({ slug, words, body, inbox }) =>
  check({
    id: `TOKEN-24/${slug}`,
    claim: `JMAP's answer to ${words} shows no credential but the request's own (cookies are not judged).`,
    needs: ["human"],
    async act(target) {
      const token = await sharedAccessToken(target);
      const control = await jmapAs(target.control, token, await inboxOf(target), inboxQuery);
      requireServed(control, "a JMAP request");
      return jmapAs(target, token, await inbox(target), body);
    },
    assert: expectNoCredential,
  }),
);

/** The bearer token of a request; undefined when it has none. */
function bearerOf({ request }: Exchange): string | undefined {
  const [, credentials = ""] = request.headers.find(([name]) => name.toLowerCase() === "authorization") ?? [];
  return /^Bearer (\S+)$/u.exec(credentials)?.[1];
}

/** Mails may quote tokens: of an answer that serves some, the headers alone are looked at. */
function withoutMails(exchange: Exchange): Exchange {
  return isSuccess(exchange) ? { ...exchange, response: { ...exchange.response, body: "" } } : exchange;
}

const everyAnswer = check({
  id: "TOKEN-24/every-response",
  claim:
    "No JMAP answer of the run to an OAuth token shows another credential in an error or a header (cookies are not judged).",
  needs: ["human"],
  last: true,
  async act(target) {
    const tokens = new Set((await tokenResponses(target)).map(accessTokenIn));
    return target
      .runExchanges()
      .filter(
        (exchange) =>
          exchange.request.url.startsWith(`${target.apiUrl}/jmap`) && tokens.has(bearerOf(exchange) ?? ""),
      );
  },
  assert(answers) {
    for (const answer of answers)
      explained("TOKEN-24/served", () => expectNoCredential(withoutMails(answer)));
  },
});

/** What a service mints for itself stays with it. Document, "Authentication", OAuth 2.0 path 8. */
export const internalCapabilityChecks: readonly Check[] = [...single, everyAnswer];
