import { isServed } from "../support/judging/access-token-use.ts";
import { randomBytes } from "node:crypto";
import { check, observe } from "../support/judging/check.ts";
import { type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectInvalidToken, expectStatus, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { bearer, inboxQuery } from "../support/actors/jmap.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { warning } from "../support/verdict.ts";
import {
  acceptedToken,
  agentsEndpoint,
  expectUnauthorized,
  jmapEndpoint,
  present,
  protectedEndpoints,
} from "./endpoints.ts";

const accepted = protectedEndpoints.map((endpoint) =>
  check({
    id: `BEARER-01/${endpoint.slug}`,
    claim: `An access token sent as \`Authorization: Bearer\` is accepted by ${endpoint.words}.`,
    needs: ["human"],
    act: async (target) => present(target, endpoint, [bearer(await sharedAccessToken(target))]),
    assert: (exchange) =>
      explained(endpoint.slug === "jmap" ? "JMAP-01" : "AGENTS-01", () =>
        expectThat(isServed(exchange), "200 with data", summary(exchange), exchange),
      ),
  }),
);

// RFC 6750 §3.1 has 400 invalid_request for a malformed request; the document names no status for it.
const toleratedWhenMalformed = [400];

const absences: readonly { slug: string; words: string; lines: HeaderLines; sameAs?: string }[] = [
  { slug: "no-header", words: "without an `Authorization` header", lines: [] },
  {
    slug: "empty",
    words: "with an empty `Authorization` header",
    lines: [["Authorization", ""]],
    sameAs: "no-header",
  },
  {
    slug: "scheme-alone",
    words: "with `Authorization: Bearer` and no token",
    lines: [["Authorization", "Bearer"]],
    sameAs: "no-header",
  },
  {
    slug: "scheme-and-space",
    words: "with `Bearer`, a trailing space and no token",
    lines: [["Authorization", "Bearer "]],
    sameAs: "no-header",
  },
];

const absent = absences.flatMap(({ slug, words, lines, sameAs }) =>
  protectedEndpoints.map((endpoint) =>
    check({
      id: `BEARER-02/${endpoint.slug}-${slug}`,
      claim: `A request ${words} is refused with 401 by ${endpoint.words} and shows no data.`,
      needs: ["human"],
      async act(target) {
        await acceptedToken(target, endpoint);
        return present(target, endpoint, lines);
      },
      assert(exchange) {
        const isMalformed = lines.length > 0;
        if (isMalformed && toleratedWhenMalformed.includes(exchange.response.status))
          return warning(`refused as malformed: ${summary(exchange)}`);
        return explained(sameAs && `BEARER-02/${endpoint.slug}-${sameAs}`, () =>
          expectUnauthorized(exchange),
        );
      },
    }),
  ),
);

const garbage: readonly { slug: string; words: string; token: () => string; sameAs?: string }[] = [
  { slug: "letter", words: "`x`", token: () => "x" },
  { slug: "three-letters", words: "`a.b.c`", token: () => "a.b.c", sameAs: "letter" },
  {
    slug: "random-segments",
    words: "of three random base64url segments",
    token: () => [16, 64, 64].map((length) => randomBytes(length).toString("base64url")).join("."),
    sameAs: "letter",
  },
];

const garbled = garbage.flatMap(({ slug, words, token, sameAs }) =>
  protectedEndpoints.map((endpoint) =>
    check({
      id: `BEARER-03/${endpoint.slug}-${slug}`,
      claim: `The bearer token ${words} is refused with \`invalid_token\` by ${endpoint.words}.`,
      needs: ["human"],
      async act(target) {
        await acceptedToken(target, endpoint);
        return present(target, endpoint, [bearer(token())]);
      },
      assert: (exchange) =>
        explained(sameAs && `BEARER-03/${endpoint.slug}-${sameAs}`, () => expectInvalidToken(exchange)),
    }),
  ),
);

// What reads the header lines may have a limit of its own (RFC 6585 §5); servers older than that RFC, and nginx, answer 400.
const tooLarge = [400, 413, 414, 431];

const oversized = protectedEndpoints.map((endpoint) =>
  check({
    id: `BEARER-03/${endpoint.slug}-ten-kilobytes`,
    claim: `A bearer token of 10 kB is refused with 401, or for its size, by ${endpoint.words}.`,
    needs: ["human"],
    async act(target) {
      await acceptedToken(target, endpoint);
      return present(target, endpoint, [bearer("A".repeat(10_000))]);
    },
    assert(exchange) {
      if (tooLarge.includes(exchange.response.status)) return;
      // Where a header line of such a length is dropped, the token is missing and no code is demanded.
      explained(`BEARER-03/${endpoint.slug}-letter`, () => expectStatus(exchange, 401));
    },
  }),
);

/** What stands before a valid token in place of "Bearer ". */
const otherSchemes: readonly { slug: string; prefix: string; words: string; sameAs?: string }[] = [
  { slug: "basic", prefix: "Basic ", words: "after the scheme `Basic`" },
  { slug: "token", prefix: "Token ", words: "after the scheme `Token`", sameAs: "basic" },
  { slug: "oauth", prefix: "OAuth ", words: "after the scheme `OAuth`", sameAs: "basic" },
  { slug: "dpop", prefix: "DPoP ", words: "after the scheme `DPoP`", sameAs: "basic" },
  { slug: "bearer-joined", prefix: "Bearer", words: "after `Bearer` without a space" },
  { slug: "bearer-colon", prefix: "Bearer: ", words: "after `Bearer:` and a space", sameAs: "basic" },
  { slug: "bearer-comma", prefix: "Bearer,", words: "after `Bearer,`" },
];
const misnamed = otherSchemes.flatMap(({ slug, prefix, words, sameAs }) =>
  protectedEndpoints.map((endpoint) =>
    check({
      id: `BEARER-13/${endpoint.slug}-${slug}`,
      claim: `A valid token ${words} in the \`Authorization\` header is refused with 401 by ${endpoint.words}.`,
      needs: ["human"],
      async act(target) {
        const token = await acceptedToken(target, endpoint);
        return present(target, endpoint, [["Authorization", `${prefix}${token}`]]);
      },
      assert(exchange) {
        if (toleratedWhenMalformed.includes(exchange.response.status))
          return warning(`refused as malformed: ${summary(exchange)}`);
        const sibling = isServed(exchange) ? sameAs && `BEARER-13/${endpoint.slug}-${sameAs}` : undefined;
        return explained(sibling ?? `BEARER-02/${endpoint.slug}-no-header`, () =>
          expectUnauthorized(exchange),
        );
      },
    }),
  ),
);

/** A place other than the Authorization header for a valid token. */
interface Place {
  readonly slug: string;
  readonly words: string;
  readonly put: (outgoing: Outgoing, token: string) => Outgoing;
}

const anywhere: readonly Place[] = [
  {
    slug: "query",
    words: "in the query",
    put: (outgoing, token) => ({ ...outgoing, url: `${outgoing.url}?access_token=${token}` }),
  },
  {
    slug: "cookie",
    words: "in a cookie",
    put: (outgoing, token) => withLine(outgoing, ["Cookie", `access_token=${token}`]),
  },
  {
    slug: "x-authorization",
    words: "in `X-Authorization`",
    put: (outgoing, token) => withLine(outgoing, ["X-Authorization", `Bearer ${token}`]),
  },
];

const inJson: Place = {
  slug: "json-member",
  words: "in a member of the JSON body",
  put: (outgoing, token) => ({
    ...outgoing,
    body: inboxQuery.replace("{", `{"access_token":${JSON.stringify(token)},`),
  }),
};

function withLine(outgoing: Outgoing, line: readonly [string, string]): Outgoing {
  return { ...outgoing, headers: [...(outgoing.headers ?? []), line] };
}

const places = [
  ...[...anywhere, inJson].map((place) => ({ place, endpoint: jmapEndpoint })),
  ...anywhere.map((place) => ({ place, endpoint: agentsEndpoint })),
];

const elsewhere = places.map(({ place, endpoint }) =>
  check({
    id: `BEARER-12/${endpoint.slug}-${place.slug}`,
    claim: `A valid token ${place.words} alone is refused with 401 by ${endpoint.words}.`,
    needs: ["human"],
    async act(target) {
      const token = await acceptedToken(target, endpoint);
      return target.send(place.put(await endpoint.outgoing(target, []), token));
    },
    assert: (exchange) =>
      explained(`BEARER-02/${endpoint.slug}-no-header`, () => expectUnauthorized(exchange)),
  }),
);

const spellings: readonly { slug: string; words: string; line: (token: string) => string }[] = [
  { slug: "lower-case", words: "the scheme in lower case", line: (token) => `bearer ${token}` },
  { slug: "upper-case", words: "the scheme in upper case", line: (token) => `BEARER ${token}` },
  { slug: "two-spaces", words: "two spaces after the scheme", line: (token) => `Bearer  ${token}` },
  { slug: "trailing-space", words: "a trailing space", line: (token) => `Bearer ${token} ` },
];

const spelt = spellings.flatMap(({ slug, words, line }) =>
  protectedEndpoints.map((endpoint) =>
    observe({
      id: `BEARER-14/${endpoint.slug}-${slug}`,
      question: `How is a valid token with ${words} answered by ${endpoint.words}?`,
      needs: ["human"],
      async act(target) {
        const token = await sharedAccessToken(target);
        return present(target, endpoint, [["Authorization", line(token)]]);
      },
      answer: summary,
    }),
  ),
);

export const credentialChecks = [
  ...accepted,
  ...absent,
  ...garbled,
  ...oversized,
  ...elsewhere,
  ...misnamed,
  ...spelt,
];
