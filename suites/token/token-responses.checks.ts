import { decodeProtectedHeader } from "jose";
import { codeExchange, postToken, unguessable } from "../support/actors/oauth-client.ts";
import { type Check, check, recommend } from "../support/judging/check.ts";
import { expectStatus, expectThat, shown } from "../support/judging/expect.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { isStoppedByGateway } from "../support/wire/stopped-by-gateway.ts";
import {
  type Exchange,
  header,
  listHeader,
  isJsonObject,
  isSuccess,
  jsonBody,
  mediaType,
  summary,
} from "../support/wire/exchange.ts";
import { accessTokenIn, claimsIn, expectTokens, codeResponse, issuances, memberOf } from "./issued.ts";

/** A claim about the response, made for both ways to it. */
function ofBoth(
  kind: typeof check,
  requirement: string,
  claim: (words: string) => string,
  assert: (exchange: Exchange) => Warning | undefined | void,
): Check<Exchange>[] {
  return issuances.map(({ slug, words, obtain }) =>
    kind({ id: `${requirement}/${slug}`, claim: claim(words), needs: ["human"], act: obtain, assert }),
  );
}

const members = ["access_token", "token_type", "expires_in", "refresh_token", "scope"];

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat("en").format(names.map((name) => `\`${name}\``));
}

const complete = ofBoth(
  check,
  "TOKEN-01",
  (words) => `The response to ${words} is 200 with ${listOf(members)}.`,
  (exchange) => {
    expectStatus(exchange, 200);
    const body = jsonBody(exchange);
    const missing = isJsonObject(body) ? members.filter((name) => !(name in body)) : members;
    expectThat(
      missing.length === 0,
      "all five members",
      `${summary(exchange)} without ${missing.join(", ")}`,
      exchange,
    );
  },
);

/** @throws {Violation} when the token is not a JWS */
function protectedHeader(exchange: Exchange, explainedBy?: string): { typ: unknown; alg: unknown } {
  const token = accessTokenIn(exchange);
  try {
    const { typ, alg } = decodeProtectedHeader(token);
    return { typ, alg };
  } catch (cause) {
    throw new Violation("an access_token that is a JWT of three parts", String(cause), {
      exchange,
      explainedBy,
    });
  }
}

const typed = ofBoth(
  check,
  "TOKEN-02",
  (words) => `The access token of ${words} is a JWT whose header has \`typ\` \`at+jwt\`.`,
  (exchange) => {
    const { typ } = protectedHeader(exchange);
    const isVariant = ["at+jwt", "application/at+jwt"].includes(String(typ).toLowerCase());
    if (isVariant && typ !== "at+jwt") return warning(`typ is ${shown(typ)}, an equivalent of at+jwt`);
    expectThat(typ === "at+jwt", "typ at+jwt", shown(typ), exchange);
    return undefined;
  },
);

const signed = ofBoth(
  check,
  "TOKEN-03",
  (words) => `The access token of ${words} has \`alg\` \`EdDSA\`.`,
  (exchange) => {
    const { alg } = protectedHeader(exchange, "TOKEN-02");
    if (alg === "Ed25519") return warning("alg is Ed25519 (RFC 9864) instead of EdDSA");
    expectThat(alg === "EdDSA", "alg EdDSA", shown(alg), exchange);
    return undefined;
  },
);

const bearerType = ofBoth(
  check,
  "TOKEN-04",
  (words) => `\`token_type\` in the response to ${words} is \`Bearer\`.`,
  (exchange) => {
    const type = memberOf(exchange, "token_type");
    const isVariant = typeof type === "string" && type.toLowerCase() === "bearer";
    if (isVariant && type !== "Bearer") return warning(`token_type is ${shown(type)}, in another case`);
    expectThat(type === "Bearer", "token_type Bearer", shown(type), exchange);
    return undefined;
  },
);

const lifetimeSeconds = 900;

const lifetime = ofBoth(
  check,
  "TOKEN-05",
  (words) => `\`expires_in\` in the response to ${words} is the number ${lifetimeSeconds}.`,
  (exchange) => {
    const value = memberOf(exchange, "expires_in");
    expectThat(value === lifetimeSeconds, `expires_in ${lifetimeSeconds}`, shown(value), exchange);
  },
);

const clockDifferenceSeconds = 5;

const expiry = ofBoth(
  check,
  "TOKEN-06",
  (words) => `The access token of ${words} expires ${lifetimeSeconds} s after its issue.`,
  (exchange) => {
    const { exp, iat } = claimsIn(exchange);
    if (typeof exp !== "number") throw new Violation("a number exp", shown(exp), { exchange });
    if (typeof iat === "number") {
      const isRight = Math.abs(exp - iat - lifetimeSeconds) <= 1;
      expectThat(isRight, `exp ${lifetimeSeconds} s after iat`, `${exp - iat} s`, exchange);
      return;
    }
    // Date by itself decides nothing: a gateway may set it.
    const clocks = [header(exchange, "date") ?? "", exchange.startedAt].map(
      (time) => Date.parse(time) / 1000,
    );
    const isRight = clocks.some((now) => Math.abs(exp - now - lifetimeSeconds) <= clockDifferenceSeconds);
    expectThat(
      isRight,
      `exp ${lifetimeSeconds} s after the response, to within ${clockDifferenceSeconds} s`,
      `${clocks.map((now) => Math.round(exp - now)).join(" s after Date and ")} s after the request`,
      exchange,
    );
  },
);

const refreshable = ofBoth(
  check,
  "TOKEN-07",
  (words) => `\`refresh_token\` in the response to ${words} is a string that is not empty.`,
  (exchange) => {
    const token = memberOf(exchange, "refresh_token");
    expectThat(typeof token === "string" && token !== "", "a refresh_token", shown(token), exchange);
  },
);

const issuer = issuances.map(({ slug, words, obtain }) =>
  check({
    id: `TOKEN-08/${slug}`,
    claim: `The \`iss\` claim of the access token of ${words} is \`{auth_url}\`.`,
    needs: ["human"],
    act: async (target) => ({ exchange: await obtain(target), authUrl: target.authUrl }),
    assert({ exchange, authUrl }) {
      const { iss } = claimsIn(exchange);
      expectThat(iss === authUrl, `iss ${authUrl}`, shown(iss), exchange);
    },
  }),
);

const publicClient = check({
  id: "TOKEN-14",
  claim: "A public client's code exchange without `client_secret` is answered 200 with an access token.",
  needs: ["human"],
  act: codeResponse,
  assert: expectTokens,
});

const notStored = ofBoth(
  recommend,
  "B-TOK-01",
  (words) => `The response to ${words} has \`Cache-Control: no-store\`.`,
  (exchange) => {
    const value = listHeader(exchange, "cache-control");
    const isThere = /(^|,)\s*no-store\s*(,|$)/iu.test(value ?? "");
    expectThat(isThere, "Cache-Control with no-store", shown(value), exchange);
  },
);

const pragma = ofBoth(
  recommend,
  "B-TOK-02",
  (words) => `The response to ${words} has \`Pragma: no-cache\`.`,
  (exchange) => {
    const value = header(exchange, "pragma");
    expectThat(value?.toLowerCase() === "no-cache", "Pragma no-cache", shown(value), exchange);
  },
);

function expectJson(exchange: Exchange): void {
  const type = mediaType(exchange);
  expectThat(type === "application/json", "the media type application/json", type || "none", exchange);
}

const json = ofBoth(
  recommend,
  "B-TOK-03",
  (words) => `The response to ${words} has the media type \`application/json\`.`,
  expectJson,
);

/** A 4xx of the token endpoint itself: what is missing, too much or too long may be refused by a gateway. */
function isTokenError({ request, response }: Exchange, tokenEndpoint: string): boolean {
  return [400, 401].includes(response.status) && request.method === "POST" && request.url === tokenEndpoint;
}

const jsonErrors = recommend({
  id: "B-TOK-03/errors",
  claim: "Every error of the token endpoint itself in the run has the media type `application/json`.",
  needs: ["human"],
  last: true,
  async act(target) {
    const code = await redeemableCode(target);
    const error = await postToken(target, codeExchange({ ...code, code: unguessable() }));
    if (isSuccess(error))
      throw new Violation("an unknown code to be refused", summary(error), { exchange: error });
    return target
      .runExchanges()
      .filter(
        (exchange) =>
          isTokenError(exchange, `${target.authUrl}/oauth/token`) && !isStoppedByGateway(exchange),
      );
  },
  assert(errors) {
    for (const error of errors) expectJson(error);
  },
});

export const tokenResponseChecks = [
  ...complete,
  ...typed,
  ...signed,
  ...bearerType,
  ...lifetime,
  ...expiry,
  ...refreshable,
  ...issuer,
  publicClient,
  ...notStored,
  ...pragma,
  ...json,
  jsonErrors,
];
