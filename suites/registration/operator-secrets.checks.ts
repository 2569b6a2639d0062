import { codeExchange, postToken, refreshExchange, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { explained } from "../support/judging/explained.ts";
import { expectTokenRefused, missingSecretErrors } from "../support/judging/expect.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";

interface SecretFlaw {
  /** Reads after "client". */
  readonly words: string;
  readonly apply: (fields: Parameters) => Parameters;
  readonly errors: readonly string[];
}

const wrong: SecretFlaw = {
  words: "with a random `client_secret`",
  apply: (fields) => replacing(fields, "client_secret", unguessable()),
  errors: ["invalid_client"],
};

const omitted: SecretFlaw = {
  words: "without its `client_secret`",
  apply: (fields) => without(fields, "client_secret"),
  errors: missingSecretErrors,
};

const needs = ["human"] as const;
const unlockedBy = "operator_secret";

const exchanges = [
  { id: "TOKEN-15/operator", ...wrong, likewise: "TOKEN-15/wrong" },
  { id: "TOKEN-18/operator", ...omitted, likewise: "TOKEN-18/code" },
].map(({ id, words, apply, errors, likewise }) =>
  check({
    id,
    claim: `The code exchange of an operator's confidential client ${words} is refused with ${codeSpans(errors)}.`,
    needs,
    unlockedBy,
    async act(target) {
      const code = await redeemableCode(target, { client: "operator" });
      return postToken(target, apply(codeExchange(code)));
    },
    assert: (exchange) => explained(likewise, () => expectTokenRefused(exchange, errors)),
  }),
);

const refreshes = [
  { id: "REFRESH-12/operator-wrong", ...wrong, likewise: "REFRESH-12/wrong" },
  { id: "REFRESH-12/operator-omitted", ...omitted, likewise: "REFRESH-12/omitted" },
].map(({ id, words, apply, errors, likewise }) =>
  check({
    id,
    claim: `The refresh of an operator's confidential client ${words} is refused with ${codeSpans(errors)}.`,
    needs,
    unlockedBy,
    async act(target) {
      const { client, tokens } = await refreshableGrant(target, { client: "operator" });
      return postToken(target, apply(refreshExchange(client, tokens.refresh_token)));
    },
    assert: (exchange) => explained(likewise, () => expectTokenRefused(exchange, errors)),
  }),
);

/** How a client came to its secret does not matter. Document, "POST /oauth/token", client_secret. */
export const operatorSecretChecks = [...exchanges, ...refreshes];
