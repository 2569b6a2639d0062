import { codeExchange, postToken, secretOf, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type ClientKind, requireRegistered, sharedClient } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { summary } from "../support/wire/exchange.ts";
import { expectEqual, expectThat } from "../support/judging/expect.ts";
import { freshCode } from "../support/material/grants.ts";
import { adding, replacing } from "../support/wire/parameters.ts";
import { expectForeign, redeem } from "./redeemed-codes.ts";

const others: readonly { id: string; words: string; client: ClientKind }[] = [
  { id: "CODE-05", words: "another public client", client: "other" },
  {
    id: "CODE-06",
    words: "another, confidential client that authenticates with its own secret",
    client: "confidential",
  },
];

const ofAnotherClient = others.map(({ id, words, client: kind }) =>
  check({
    id,
    claim: `A code is refused to ${words} with the same redirect_uri, with 400 invalid_grant or invalid_client.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target);
      const other = await sharedClient(target, kind);
      requireRegistered(other, code.redirect_uri);
      // The control of the other client: it redeems codes of its own.
      await redeemableCode(target, { client: kind });
      const fields = replacing(codeExchange(code), "client_id", other.client_id);
      return postToken(target, adding(fields, ...secretOf(other)));
    },
    assert: expectForeign,
  }),
);

const distinct = check({
  id: "CODE-12",
  claim:
    "Two authorizations of one person and client with the same state give different codes, and each redeems.",
  needs: ["human"],
  async act(target) {
    const state = unguessable();
    const codes = [await freshCode(target, { state }), await freshCode(target, { state })];
    const exchanges = [];
    for (const code of codes) exchanges.push(await redeem(target, code));
    return { different: new Set(codes.map(({ code }) => code)).size, exchanges };
  },
  assert({ different, exchanges }) {
    expectEqual(different, 2, "the number of different codes");
    for (const exchange of exchanges)
      expectThat(exchange.response.status === 200, "200 for each", summary(exchange));
  },
});

export const bindingChecks = [...ofAnotherClient, distinct];
