import { codeExchange, newVerifier, refreshExchange } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoTokens } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";

interface Flaw {
  readonly id: string;
  /** Reads before "gives no tokens". */
  readonly words: string;
  /** A request with nothing wrong in it. */
  readonly request: (target: Target) => Promise<Parameters>;
  readonly apply: (fields: Parameters) => Parameters;
  /** The same in a form. */
  readonly likewise: string;
}

const exchangeBy =
  (client: ClientKind) =>
  async (target: Target): Promise<Parameters> =>
    codeExchange(await redeemableCode(target, { client }));

async function refreshByConfidential(target: Target): Promise<Parameters> {
  const { client, tokens } = await refreshableGrant(target, { client: "confidential" });
  return refreshExchange(client, tokens.refresh_token);
}

const flaws: readonly Flaw[] = [
  {
    id: "TOKEN-18/json",
    words: "A code exchange as JSON of a confidential client without its `client_secret`",
    request: exchangeBy("confidential"),
    apply: (fields) => without(fields, "client_secret"),
    likewise: "TOKEN-18/code",
  },
  {
    id: "TOKEN-18/json-refresh",
    words: "A refresh as JSON of a confidential client without its `client_secret`",
    request: refreshByConfidential,
    apply: (fields) => without(fields, "client_secret"),
    likewise: "REFRESH-12/omitted",
  },
  {
    id: "PKCE-13/json",
    words: "A code exchange as JSON with another random `code_verifier`",
    request: exchangeBy("public"),
    apply: (fields) => replacing(fields, "code_verifier", newVerifier()),
    likewise: "PKCE-13",
  },
];

/** Who takes a body of another form checks it no less. Document, "Endpoints", `POST /oauth/token`. */
export const jsonRequestChecks = flaws.map(({ id, words, request, apply, likewise }) =>
  check({
    id,
    claim: `${words} gives no tokens.`,
    needs: ["human"],
    async act(target) {
      const fields = apply(await request(target));
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
