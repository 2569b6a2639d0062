import { postRevoke } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectNoServerError, expectThat } from "../support/judging/expect.ts";
import { sharedClient } from "../support/material/clients.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { isStoppedByGateway } from "../support/wire/stopped-by-gateway.ts";
import { authorizeWith, exchangeWith, refreshWith, sessionWith } from "./requests-with.ts";

// PostgreSQL, for one, takes no NUL in a text: a service that passes it on breaks.
const withNul = "mailproof\0";

interface Place {
  readonly slug: string;
  /** Reads after "A NUL in". */
  readonly words: string;
  readonly needs?: readonly Need[];
  /** Sends a request that was accepted in this run, but for the NUL. */
  readonly send: (target: Target) => Promise<Exchange>;
}

const places: readonly Place[] = [
  {
    slug: "code",
    words: "the `code` of a code exchange",
    needs: ["human"],
    send: (target) => exchangeWith(target, "code", withNul),
  },
  {
    slug: "token-client-id",
    words: "the `client_id` of a code exchange",
    needs: ["human"],
    send: (target) => exchangeWith(target, "client_id", withNul),
  },
  {
    slug: "refresh-token",
    words: "the `refresh_token` of a refresh",
    needs: ["human"],
    send: (target) => refreshWith(target, withNul),
  },
  {
    slug: "state",
    words: "the `state` of an authorization request",
    send: (target) => authorizeWith(target, "state", withNul),
  },
  {
    slug: "redirect-uri",
    words: "the `redirect_uri` of an authorization request",
    send: (target) => authorizeWith(target, "redirect_uri", withNul),
  },
  {
    slug: "username",
    words: "the `username` of a signup",
    send: (target) => sessionWith(target, { username: withNul }),
  },
  {
    slug: "api-key",
    words: "the `apiKey` of a login",
    send: (target) => sessionWith(target, { apiKey: withNul }),
  },
];

const unbroken = places.map(({ slug, words, needs = [], send }) =>
  check({
    id: `ERR-11/nul-in-${slug}`,
    claim: `A NUL in ${words} is not answered with 5xx.`,
    needs,
    act: send,
    assert: expectNoServerError,
  }),
);

const revoked = check({
  id: "REVOKE-06/nul",
  claim: "The revocation of a text with a NUL is answered 200, or refused with 400 as malformed.",
  async act(target) {
    const { client_id: clientId } = await sharedClient(target, "public");
    return postRevoke(target, [
      ["client_id", clientId],
      ["token", withNul],
    ]);
  },
  assert(exchange) {
    // RFC 6749 Appendix A allows no NUL in a token, so that a target may call the request malformed.
    const isAllowed = [200, 400].includes(exchange.response.status) || isStoppedByGateway(exchange);
    expectThat(isAllowed, "200 or 400", summary(exchange), exchange);
  },
});

/** A NUL in a parameter is a client's mistake, not the service's. */
export const nulCharacterChecks = [...unbroken, revoked];
