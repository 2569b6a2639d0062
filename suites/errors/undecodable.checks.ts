import {
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  postRevoke,
  postToken,
  refreshExchange,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { authorizingClient, redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { sharedClient } from "../support/material/clients.ts";
import { undecodableText, withUndecodable } from "../support/material/undecodable.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";

interface Place {
  readonly slug: string;
  /** Reads after "A byte that is no UTF-8 in". */
  readonly words: string;
  readonly needs?: readonly Need[];
  /** Sends a request that was accepted in this run, but for the byte. */
  readonly send: (target: Target) => Promise<Exchange>;
}

async function exchangeWith(target: Target, field: string): Promise<Exchange> {
  const fields = codeExchange(await redeemableCode(target));
  return postToken(withUndecodable(target), replacing(fields, field, undecodableText));
}

async function authorizeWith(target: Target, parameter: string): Promise<Exchange> {
  const { parameters } = authorizationRequest(target, await authorizingClient(target));
  return withUndecodable(target).send({
    method: "GET",
    url: authorizationUrl(target, replacing(parameters, parameter, undecodableText)),
  });
}

const places: readonly Place[] = [
  {
    slug: "redirect-uri",
    words: "the `redirect_uri` of an authorization request",
    send: (target) => authorizeWith(target, "redirect_uri"),
  },
  {
    slug: "state",
    words: "the `state` of an authorization request",
    send: (target) => authorizeWith(target, "state"),
  },
  {
    slug: "client-id",
    words: "the `client_id` of an authorization request",
    send: (target) => authorizeWith(target, "client_id"),
  },
  {
    slug: "code",
    words: "the `code` of a code exchange",
    needs: ["human"],
    send: (target) => exchangeWith(target, "code"),
  },
  {
    slug: "token-redirect-uri",
    words: "the `redirect_uri` of a code exchange",
    needs: ["human"],
    send: (target) => exchangeWith(target, "redirect_uri"),
  },
  {
    slug: "refresh-token",
    words: "the `refresh_token` of a refresh",
    needs: ["human"],
    async send(target) {
      const { client } = await refreshableGrant(target);
      return postToken(withUndecodable(target), refreshExchange(client, undecodableText));
    },
  },
  {
    slug: "revoked-token",
    words: "the `token` of a revocation",
    async send(target) {
      const { client_id: clientId } = await sharedClient(target, "public");
      const fields = [
        ["client_id", clientId],
        ["token", undecodableText],
      ] as const;
      const control = await postRevoke(target.control, replacing(fields, "token", unguessable()));
      if (!isSuccess(control)) throw controlRefused("a revocation", "200", control, "REVOKE-06/random");
      return postRevoke(withUndecodable(target), fields);
    },
  },
];

/** A byte that is no UTF-8 is a client's mistake, not the service's. */
export const undecodableChecks = places.map(({ slug, words, needs = [], send }) =>
  check({
    id: `ERR-11/undecodable-${slug}`,
    claim: `A byte that is no UTF-8 (%FF) in ${words} is not answered with 5xx.`,
    needs,
    act: send,
    assert: (exchange) =>
      expectThat(exchange.response.status < 500, "an answer below 500", summary(exchange), exchange),
  }),
);
