import { check } from "../support/judging/check.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { agentsEndpoint, jmapEndpoint } from "./endpoints.ts";
import { refusalsOfRun } from "./refusals-of-run.ts";

function authorizationOf({ request }: Exchange): string | undefined {
  return request.headers.find(([name]) => name.toLowerCase() === "authorization")?.[1];
}

function namesAnError(exchange: Exchange): boolean {
  return typeof jsonMembers(exchange)["error"] === "string";
}

/** The `Authorization` values of all access tokens that were issued in this run. */
function issuedCredentials(target: Target): ReadonlySet<string> {
  const tokens = target.runExchanges().map((exchange) => jsonMembers(exchange)["access_token"]);
  return new Set(tokens.flatMap((token) => (typeof token === "string" ? [`Bearer ${token}`] : [])));
}

/** Where refusals have the OAuth error shape. Without a credential the body is free. */
const places = [
  {
    endpoint: jmapEndpoint,
    words: "of an access token at the JMAP endpoint",
    // To a credential of the proof-of-work path the body is free as well.
    isOAuth(target: Target): (exchange: Exchange) => boolean {
      const issued = issuedCredentials(target);
      return (exchange) => issued.has(authorizationOf(exchange) ?? "");
    },
  },
  {
    endpoint: agentsEndpoint,
    words: "of a credential at the inbox list",
    isOAuth: () => (exchange: Exchange) => authorizationOf(exchange) !== undefined,
  },
];

/** Over the whole run, so that no other refusal has to be judged for it. */
export const errorShapeChecks = places.map(({ endpoint, words, isOAuth }) =>
  check({
    id: `ERR-01/${endpoint.slug}-run`,
    claim: `Every refusal ${words} in the run that has a string \`error\` has a string \`error_description\`.`,
    needs: ["human"],
    last: true,
    async act(target) {
      const isJudged = isOAuth(target);
      return refusalsOfRun(target, endpoint, {
        statuses: [401, 403],
        accepts: (exchange) => isJudged(exchange) && namesAnError(exchange),
        words: `a 401 or 403 ${words} with a string error`,
      });
    },
    assert(exchanges) {
      for (const exchange of exchanges) {
        const { error_description: description } = jsonMembers(exchange);
        expectThat(
          typeof description === "string",
          "a string error_description",
          `${summary(exchange)} with ${shown(description)}`,
          exchange,
        );
      }
    },
  }),
);
