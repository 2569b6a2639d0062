import { codeExchange, newVerifier } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoTokens } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";

interface Flaw {
  readonly id: string;
  /** Reads after "A code exchange as JSON". */
  readonly words: string;
  readonly client: ClientKind;
  readonly apply: (fields: Parameters) => Parameters;
  /** The same in a form. */
  readonly likewise: string;
}

const flaws: readonly Flaw[] = [
  {
    id: "TOKEN-18/json",
    words: "of a confidential client without its `client_secret`",
    client: "confidential",
    apply: (fields) => without(fields, "client_secret"),
    likewise: "TOKEN-18/code",
  },
  {
    id: "PKCE-13/json",
    words: "with another random `code_verifier`",
    client: "public",
    apply: (fields) => replacing(fields, "code_verifier", newVerifier()),
    likewise: "PKCE-13",
  },
];

/** Who takes a body of another form checks it no less. Document, "Endpoints", `POST /oauth/token`. */
export const jsonRequestChecks = flaws.map(({ id, words, client, apply, likewise }) =>
  check({
    id,
    claim: `A code exchange as JSON ${words} gives no tokens.`,
    needs: ["human"],
    async act(target) {
      const fields = apply(codeExchange(await redeemableCode(target, { client })));
      return target.send({
        method: "POST",
        url: `${target.authUrl}/oauth/token`,
        headers: [["Content-Type", "application/json"]],
        body: JSON.stringify(Object.fromEntries(fields)),
      });
    },
    assert: (exchange) => explained(likewise, () => expectNoTokens(exchange)),
  }),
);
