import { decodeProtectedHeader } from "jose";
import { codeExchange, postToken, requireTokens } from "../support/actors/oauth-client.ts";
import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import {
  type Exchange,
  header,
  isJsonObject,
  jsonBody,
  jsonMembers,
  mediaType,
  summary,
} from "../support/wire/exchange.ts";
import { expectEqual, expectThat, shown } from "../support/judging/expect.ts";
import { freshCode, freshGrant } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { inboxQuery, jmapAs, methodResponses } from "../support/actors/jmap.ts";
import { type Finding, Violation, warning } from "../support/verdict.ts";
import { accessTokenIn, claimsIn, codeResponse, issuances } from "./issued.ts";

/** A claim about the response, made for both ways to it. */
function ofBoth(
  requirement: string,
  claim: (words: string) => string,
  assert: (exchange: Exchange) => Finding | undefined | void,
) {
  return issuances.map(({ slug, words, obtain }) =>
    check({ id: `${requirement}/${slug}`, claim: claim(words), needs: ["human"], act: obtain, assert }),
  );
}

const members = ["access_token", "token_type", "expires_in", "refresh_token", "scope"];

const complete = ofBoth(
  "TOKEN-01",
  (words) => `The response ${words} is 200 with a JSON object of ${members.join(", ")}.`,
  (exchange) => {
    expectEqual(exchange.response.status, 200, "the status");
    const body = jsonBody(exchange);
    const missing = isJsonObject(body) ? members.filter((name) => !(name in body)) : members;
    expectThat(
      missing.length === 0,
      "all five members",
      `${summary(exchange)} without ${missing.join(", ")}`,
    );
  },
);

/** @throws {Violation} when the token is no JWS */
function protectedHeader(exchange: Exchange): { typ: unknown; alg: unknown } {
  const token = accessTokenIn(exchange);
  try {
    const { typ, alg } = decodeProtectedHeader(token);
    return { typ, alg };
  } catch (cause) {
    throw new Violation("an access_token that is a JWT of three parts", String(cause));
  }
}

const typed = ofBoth(
  "TOKEN-02",
  (words) => `The access token of the response ${words} is a JWT whose header has typ at+jwt.`,
  (exchange) => {
    const { typ } = protectedHeader(exchange);
    const isVariant = ["at+jwt", "application/at+jwt"].includes(String(typ).toLowerCase());
    if (isVariant && typ !== "at+jwt") return warning(`typ is ${shown(typ)}, an equivalent of at+jwt`);
    expectEqual(typ, "at+jwt", "typ");
    return undefined;
  },
);

const signed = ofBoth(
  "TOKEN-03",
  (words) => `The access token of the response ${words} has alg EdDSA.`,
  (exchange) => {
    const { alg } = protectedHeader(exchange);
    if (alg === "Ed25519") return warning("alg is Ed25519 (RFC 9864) instead of EdDSA");
    expectEqual(alg, "EdDSA", "alg");
    return undefined;
  },
);

const bearerType = ofBoth(
  "TOKEN-04",
  (words) => `token_type of the response ${words} is Bearer.`,
  (exchange) => {
    const { token_type: type } = jsonMembers(exchange);
    const isVariant = typeof type === "string" && type.toLowerCase() === "bearer";
    if (isVariant && type !== "Bearer") return warning(`token_type is ${shown(type)}, in another case`);
    expectEqual(type, "Bearer", "token_type");
    return undefined;
  },
);

const lifetimeSeconds = 900;

const lifetime = ofBoth(
  "TOKEN-05",
  (words) => `expires_in of the response ${words} is the number ${lifetimeSeconds}.`,
  (exchange) => expectEqual(jsonMembers(exchange)["expires_in"], lifetimeSeconds, "expires_in"),
);

const expiry = ofBoth(
  "TOKEN-06",
  (words) => `exp of the access token of the response ${words} is ${lifetimeSeconds} s after iat and Date.`,
  (exchange) => {
    const { exp, iat } = claimsIn(exchange);
    if (typeof exp !== "number") throw new Violation("a number exp", shown(exp));
    if (typeof iat === "number") expectEqual(exp - iat, lifetimeSeconds, "exp less iat");
    const date = Date.parse(header(exchange, "date") ?? "") / 1000;
    if (Number.isNaN(date)) return;
    expectThat(
      Math.abs(exp - date - lifetimeSeconds) <= 5,
      `exp within 5 s of Date plus ${lifetimeSeconds}`,
      `Date plus ${exp - date}`,
    );
  },
);

const refreshable = ofBoth(
  "TOKEN-07",
  (words) => `refresh_token of the response ${words} is a string that is not empty.`,
  (exchange) => {
    const { refresh_token: token } = jsonMembers(exchange);
    expectThat(typeof token === "string" && token !== "", "a refresh_token", shown(token));
  },
);

const issued = issuances.map(({ slug, words, obtain }) =>
  check({
    id: `TOKEN-08/${slug}`,
    claim: `iss of the access token of the response ${words} is {auth_url}.`,
    needs: ["human"],
    act: async (target) => ({ exchange: await obtain(target), issuer: target.authUrl }),
    assert: ({ exchange, issuer }) => expectEqual(claimsIn(exchange)["iss"], issuer, "iss"),
  }),
);

const publicClient = check({
  id: "TOKEN-14",
  claim: "The code exchange of a public client, without client_secret, is answered 200 with an access token.",
  needs: ["human"],
  act: codeResponse,
  assert(exchange) {
    expectThat(!exchange.request.body.includes("client_secret="), "no client_secret to be sent", "one was");
    expectEqual(exchange.response.status, 200, "the status");
    accessTokenIn(exchange);
  },
});

const distinct = check({
  id: "TOKEN-22",
  claim: "Two code exchanges of one person and client at the same moment give different tokens.",
  needs: ["human"],
  async act(target) {
    const codes = [await freshCode(target), await freshCode(target)];
    const exchanges = await Promise.all(codes.map((code) => postToken(target, codeExchange(code))));
    return exchanges.map((exchange) => requireTokens(exchange, "a valid code exchange"));
  },
  assert([one, two]) {
    expectThat(one?.access_token !== two?.access_token, "different access tokens", "the same one twice");
    expectThat(one?.refresh_token !== two?.refresh_token, "different refresh tokens", "the same one twice");
  },
});

const atOnce = check({
  id: "TOKEN-23",
  claim: "A fresh access token is served at JMAP at once, with the documented headers alone.",
  needs: ["human"],
  async act(target) {
    const inbox = await inboxOf(target);
    const { tokens } = await freshGrant(target);
    return jmapAs(target, tokens.access_token, inbox, inboxQuery);
  },
  assert: (exchange) =>
    expectThat(methodResponses(exchange) !== undefined, "200 with methodResponses", summary(exchange)),
});

const notStored = ofBoth(
  "B-TOK-01",
  (words) => `The response ${words} has Cache-Control: no-store.`,
  (exchange) =>
    advise(() => {
      const value = header(exchange, "cache-control");
      expectThat(/(^|,)\s*no-store\s*(,|$)/iu.test(value ?? ""), "Cache-Control with no-store", shown(value));
    }),
);

const pragma = ofBoth(
  "B-TOK-02",
  (words) => `The response ${words} has Pragma: no-cache.`,
  (exchange) => advise(() => expectEqual(header(exchange, "pragma")?.toLowerCase(), "no-cache", "Pragma")),
);

const json = ofBoth(
  "B-TOK-03",
  (words) => `The response ${words} has the media type application/json.`,
  (exchange) => advise(() => expectEqual(mediaType(exchange), "application/json", "the media type")),
);

export const tokenResponseChecks = [
  ...complete,
  ...typed,
  ...signed,
  ...bearerType,
  ...lifetime,
  ...expiry,
  ...refreshable,
  ...issued,
  publicClient,
  distinct,
  atOnce,
  ...notStored,
  ...pragma,
  ...json,
];
