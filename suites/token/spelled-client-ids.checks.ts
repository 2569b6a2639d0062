import { codeExchange, postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { type Parameters, replacing } from "../support/wire/parameters.ts";

// Another client's id, or an id that nobody has: a target may look at either first.
const refusals = ["invalid_client", "invalid_grant", "invalid_request"];

function withTrailingSpace(fields: Parameters, clientId: string): Parameters {
  return replacing(fields, "client_id", `${clientId} `);
}

/** The token endpoint looks the client up by exactly what was sent. */
export const spelledClientIdChecks = [
  check({
    id: "TOKEN-16/trailing-space",
    claim: "A code exchange with a trailing space in its `client_id` is refused.",
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target);
      return postToken(target, withTrailingSpace(codeExchange(code), code.client.client_id));
    },
    assert: (exchange) => expectTokenRefused(exchange, refusals),
  }),
  check({
    id: "TOKEN-16/refresh-trailing-space",
    claim: "A refresh with a trailing space in its `client_id` is refused.",
    needs: ["human"],
    async act(target) {
      const { client, tokens } = await refreshableGrant(target);
      const fields = refreshExchange(client, tokens.refresh_token);
      return postToken(target, withTrailingSpace(fields, client.client_id));
    },
    assert: (exchange) => expectTokenRefused(exchange, refusals),
  }),
];
