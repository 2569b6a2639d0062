import { decodeProtectedHeader } from "jose";
import { claimsOf } from "../support/actors/agent.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { accessTokenIn, tokenResponses } from "../support/judging/token-responses.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";

/** The check that judges one response of that kind by itself. */
function siblingOf(requirement: string, { request }: Exchange): string {
  const isRefresh = String(request.body).includes("grant_type=refresh_token");
  return `${requirement}/${isRefresh ? "refresh" : "code"}`;
}

interface Rule {
  readonly requirement: string;
  /** Reads after "Every token response of the run has". */
  readonly words: string;
  /** What is wrong; undefined when nothing is. */
  readonly flaw: (
    exchange: Exchange,
    target: { readonly issuer: string },
  ) => readonly [string, string] | undefined;
}

const members = ["access_token", "token_type", "expires_in", "refresh_token", "scope"];
const lifetimeSeconds = 900;

function typeOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token).typ;
  } catch {
    // No JWS: the same answer as for one without a type.
    return undefined;
  }
}

const rules: readonly Rule[] = [
  {
    requirement: "TOKEN-01",
    words: "all five members",
    flaw(exchange) {
      const body = jsonMembers(exchange);
      const missing = members.filter((name) => body[name] === undefined);
      return missing.length === 0 ? undefined : ["all five members", `no ${missing.join(", no ")}`];
    },
  },
  {
    requirement: "TOKEN-02",
    words: "an access token of the type `at+jwt`",
    flaw(exchange) {
      const typ = typeOf(accessTokenIn(exchange));
      // TOKEN-02/code warns of the equivalents.
      const isRight = ["at+jwt", "application/at+jwt"].includes(String(typ).toLowerCase());
      return isRight ? undefined : ["typ at+jwt", shown(typ)];
    },
  },
  {
    requirement: "TOKEN-05",
    words: "`expires_in` 900",
    flaw(exchange) {
      const { expires_in: value } = jsonMembers(exchange);
      return value === lifetimeSeconds ? undefined : [`expires_in ${lifetimeSeconds}`, shown(value)];
    },
  },
  {
    requirement: "TOKEN-06",
    words: "an access token that expires 900 s after its `iat`, where it has one",
    flaw(exchange) {
      const { exp, iat } = claimsOf(accessTokenIn(exchange)) ?? {};
      if (typeof iat !== "number") return undefined;
      if (typeof exp !== "number") return ["a number exp", shown(exp)];
      // Two roundings to whole seconds may differ by one.
      const isRight = Math.abs(exp - iat - lifetimeSeconds) <= 1;
      return isRight ? undefined : [`exp ${lifetimeSeconds} s after iat`, `${exp - iat} s`];
    },
  },
  {
    requirement: "TOKEN-08",
    words: "an access token whose `iss` is `{auth_url}`",
    flaw(exchange, { issuer }) {
      const iss = claimsOf(accessTokenIn(exchange))?.["iss"];
      return iss === issuer ? undefined : [`iss ${shown(issuer)}`, shown(iss)];
    },
  },
];

const everyResponse: readonly Check[] = rules.map(({ requirement, words, flaw }) =>
  check({
    id: `${requirement}/every-response`,
    claim: `Every token response of the run has ${words}.`,
    needs: ["human"],
    last: true,
    act: async (target) => ({ issuer: target.authUrl, responses: await tokenResponses(target) }),
    assert({ issuer, responses }) {
      for (const exchange of responses) {
        const found = flaw(exchange, { issuer });
        if (found === undefined) continue;
        const [expected, observed] = found;
        throw new Violation(expected, observed, {
          exchange,
          explainedBy: siblingOf(requirement, exchange),
        });
      }
    },
  }),
);

const distinct = check({
  id: "TOKEN-22/every-refresh-token",
  claim: "No two token responses of the run have the same refresh token.",
  needs: ["human"],
  last: true,
  act: tokenResponses,
  assert(responses) {
    const seen = new Set<unknown>();
    for (const exchange of responses) {
      const { refresh_token: token } = jsonMembers(exchange);
      explained("REFRESH-02", () =>
        expectThat(!seen.has(token), "a refresh token that was not issued before", "one that was", exchange),
      );
      if (typeof token === "string") seen.add(token);
    }
  },
});

/** The rules for a token response, for every kind of grant in the run. Document, "Resources", OAuth token response. */
export const everyResponseChecks: readonly Check[] = [...everyResponse, distinct];
