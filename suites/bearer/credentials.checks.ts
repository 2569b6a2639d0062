import { randomBytes } from "node:crypto";
import { check } from "../support/judging/check.ts";
import { type Exchange, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectInvalidToken, expectThat } from "../support/judging/expect.ts";
import { bearer, inboxQuery } from "../support/actors/jmap.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { observation, warning } from "../support/verdict.ts";
import {
  acceptedToken,
  agentsEndpoint,
  expectUnauthorized,
  isServed,
  jmapEndpoint,
  present,
  protectedEndpoints,
} from "./endpoints.ts";

const works = protectedEndpoints.map((endpoint) =>
  check({
    id: `BEARER-01/${endpoint.slug}`,
    claim: `An access token as Authorization: Bearer is served with 200 at ${endpoint.words}.`,
    needs: ["human"],
    act: async (target) => present(target, endpoint, [bearer(await acceptedToken(target, endpoint))]),
    assert: (exchange) =>
      expectThat(exchange.response.status === 200 && isServed(exchange), "200 with data", summary(exchange)),
  }),
);

const absences: readonly { slug: string; words: string; lines: HeaderLines }[] = [
  { slug: "no-header", words: "without an Authorization header", lines: [] },
  { slug: "empty", words: "with an empty Authorization header", lines: [["Authorization", ""]] },
  {
    slug: "scheme-alone",
    words: "with Authorization: Bearer and no token",
    lines: [["Authorization", "Bearer"]],
  },
  {
    slug: "scheme-and-space",
    words: "with Bearer, a space and no token",
    lines: [["Authorization", "Bearer "]],
  },
];

const absent = absences.flatMap(({ slug, words, lines }) =>
  protectedEndpoints.map((endpoint) =>
    check({
      id: `BEARER-02/${endpoint.slug}-${slug}`,
      claim: `A request ${words} is answered 401 without data at ${endpoint.words}.`,
      needs: ["human"],
      async act(target) {
        await acceptedToken(target, endpoint);
        return present(target, endpoint, lines);
      },
      assert: expectUnauthorized,
    }),
  ),
);

const garbage: readonly { slug: string; words: string; token: () => string }[] = [
  { slug: "letter", words: "the letter x", token: () => "x" },
  { slug: "three-letters", words: "a.b.c", token: () => "a.b.c" },
  {
    slug: "random-segments",
    words: "three random base64url segments",
    token: () => [16, 64, 64].map((length) => randomBytes(length).toString("base64url")).join("."),
  },
];

const garbled = garbage.flatMap(({ slug, words, token }) =>
  protectedEndpoints.map((endpoint) =>
    check({
      id: `BEARER-03/${endpoint.slug}-${slug}`,
      claim: `The bearer token ${words} is answered 401 invalid_token at ${endpoint.words}.`,
      needs: ["human"],
      async act(target) {
        await acceptedToken(target, endpoint);
        return present(target, endpoint, [bearer(token())]);
      },
      assert: expectInvalidToken,
    }),
  ),
);

const oversized = protectedEndpoints.map((endpoint) =>
  check({
    id: `BEARER-03/${endpoint.slug}-ten-kilobytes`,
    claim: `A bearer token of 10 kB is answered 401 invalid_token at ${endpoint.words}, or refused for its size.`,
    needs: ["human"],
    async act(target) {
      await acceptedToken(target, endpoint);
      return present(target, endpoint, [bearer("A".repeat(10_000))]);
    },
    assert(exchange) {
      // What reads the header lines may have a limit of its own (RFC 6585 §5; 400 of servers older than it).
      if ([400, 431].includes(exchange.response.status))
        return warning(`refused for the size of its header: ${summary(exchange)}`);
      return expectInvalidToken(exchange);
    },
  }),
);

const otherSchemes = ["Basic ", "Token ", "DPoP ", "Bearer", "Bearer: ", "Bearer,"].flatMap((scheme) =>
  protectedEndpoints.map((endpoint) =>
    check({
      id: `BEARER-13/${endpoint.slug}-${slugOf(scheme)}`,
      claim: `A valid token behind ${JSON.stringify(scheme)} is answered 401 without data at ${endpoint.words}.`,
      needs: ["human"],
      async act(target) {
        const token = await acceptedToken(target, endpoint);
        return present(target, endpoint, [["Authorization", `${scheme}${token}`]]);
      },
      assert(exchange) {
        // RFC 6750 §3.1 has 400 invalid_request for a malformed request; the document names no status for it.
        if (exchange.response.status === 400) return warning(`refused as malformed: ${summary(exchange)}`);
        return expectUnauthorized(exchange);
      },
    }),
  ),
);

function slugOf(scheme: string): string {
  const marks: Record<string, string> = { " ": "", ":": "-colon", ",": "-comma" };
  const name = scheme.toLowerCase().replaceAll(/[ :,]/gu, (mark) => marks[mark] ?? "");
  return name === "bearer" && !scheme.endsWith(" ") ? "bearer-joined" : name;
}

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
    words: "in X-Authorization",
    put: (outgoing, token) => withLine(outgoing, ["X-Authorization", `Bearer ${token}`]),
  },
];

const inJson: Place = {
  slug: "json-member",
  words: "in a member of the body",
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
    claim: `A valid token ${place.words} alone is answered 401 without data at ${endpoint.words}.`,
    needs: ["human"],
    async act(target) {
      const token = await acceptedToken(target, endpoint);
      return target.send(place.put(await endpoint.outgoing(target, []), token));
    },
    assert: expectUnauthorized,
  }),
);

const spellings: readonly { slug: string; words: string; line: (token: string) => string }[] = [
  { slug: "lower-case", words: "the scheme in lower case", line: (token) => `bearer ${token}` },
  { slug: "upper-case", words: "the scheme in upper case", line: (token) => `BEARER ${token}` },
  { slug: "two-spaces", words: "two spaces", line: (token) => `Bearer  ${token}` },
  { slug: "trailing-space", words: "a space behind the token", line: (token) => `Bearer ${token} ` },
];

const spelt = spellings.flatMap(({ slug, words, line }) =>
  protectedEndpoints.map((endpoint) =>
    check({
      id: `BEARER-14/${endpoint.slug}-${slug}`,
      claim: `What a valid token with ${words} gets at ${endpoint.words}.`,
      needs: ["human"],
      async act(target) {
        const token = await acceptedToken(target, endpoint);
        return present(target, endpoint, [["Authorization", line(token)]]);
      },
      assert: (exchange: Exchange) => observation(summary(exchange)),
    }),
  ),
);

export const credentialChecks = [
  ...works,
  ...absent,
  ...garbled,
  ...oversized,
  ...elsewhere,
  ...otherSchemes,
  ...spelt,
];
