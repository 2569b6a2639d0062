import { codeExchange, postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoTokens } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedClient } from "../support/material/clients.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { adding, type Parameters, without } from "../support/wire/parameters.ts";

const requests: readonly {
  id: string;
  words: string;
  /** A request with nothing wrong in it. */
  fields: (target: Target) => Promise<Parameters>;
  /** The same without another `client_id`. */
  likewise: string;
}[] = [
  {
    id: "TOKEN-18/beside-public-client",
    words: "A confidential client's code exchange",
    fields: async (target) => codeExchange(await redeemableCode(target, { client: "confidential" })),
    likewise: "TOKEN-18/code",
  },
  {
    id: "REFRESH-12/beside-public-client",
    words: "A confidential client's refresh",
    async fields(target) {
      const { client, tokens } = await refreshableGrant(target, { client: "confidential" });
      return refreshExchange(client, tokens.refresh_token);
    },
    likewise: "REFRESH-12/omitted",
  },
];

/**
 * Of two values, one step may take the first and another the last: who is asked for a secret is then not who gets the tokens.
 * Document, "POST /oauth/token", `client_secret`.
 */
export const twoClientIdChecks = requests.map(({ id, words, fields, likewise }) =>
  check({
    id,
    claim: `${words} without its \`client_secret\`, with the \`client_id\` of a public client before or after its own, gives no tokens.`,
    needs: ["human"],
    async act(target): Promise<readonly Exchange[]> {
      const other = ["client_id", (await sharedClient(target.setup, "public")).client_id] as const;
      const behind = adding(without(await fields(target), "client_secret"), other);
      const first = await postToken(target, behind);
      // The first request may have used its code up.
      const before: Parameters = [other, ...without(await fields(target), "client_secret")];
      return [first, await postToken(target, before)];
    },
    assert(exchanges) {
      for (const exchange of exchanges) explained(likewise, () => expectNoTokens(exchange));
    },
  }),
);
