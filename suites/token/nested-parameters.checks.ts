import { obtainCode } from "../support/actors/authorization.ts";
import {
  type AuthorizationCode,
  authorizationRequest,
  codeExchange,
  postToken,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoTokens, isRefusal } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { clientFor } from "../support/material/clients.ts";
import { redeemableCode, refreshableGrant, requireRedeemable } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { summary } from "../support/wire/exchange.ts";
import type { Parameters } from "../support/wire/parameters.ts";

interface Nested {
  readonly id: string;
  /** Reads after "with `…` in place of `…`". */
  readonly words: string;
  readonly name: string;
  readonly value: string;
  readonly operator: "$ne" | "$gt";
  /** A request that is accepted with nothing changed. */
  readonly request: (target: Target) => Promise<Parameters>;
  /** Judges by itself that the parameter is needed. */
  readonly explainedBy: string;
}

const confidential = { client: "confidential" } as const;

/** The only one of its client, so that what is found among the client's codes and tokens can be no other. */
async function onlyCode(target: Target, purpose: string): Promise<AuthorizationCode> {
  const client = await clientFor(target, "public", purpose);
  target.spend("grants");
  return obtainCode(target.setup, authorizationRequest(target, client));
}

const nested: readonly Nested[] = [
  {
    id: "TOKEN-18/nested-secret",
    words: "a confidential client's code exchange",
    name: "client_secret",
    value: "none",
    operator: "$ne",
    request: async (target) => codeExchange(await redeemableCode(target, confidential)),
    explainedBy: "TOKEN-18/code",
  },
  {
    id: "REFRESH-12/nested-secret",
    words: "a confidential client's refresh",
    name: "client_secret",
    value: "none",
    operator: "$ne",
    async request(target) {
      const { client, tokens } = await refreshableGrant(target, confidential);
      return refreshExchange(client, tokens.refresh_token);
    },
    explainedBy: "REFRESH-12/omitted",
  },
  {
    id: "REFRESH-14/nested-token",
    words: "a refresh",
    name: "refresh_token",
    value: "none",
    operator: "$ne",
    async request(target) {
      await refreshableGrant(target);
      const code = await onlyCode(target, "nested-token");
      const tokens = requireTokens(
        await postToken(target.setup, codeExchange(code)),
        "a valid code exchange",
      );
      return refreshExchange(code.client, tokens.refresh_token);
    },
    explainedBy: "REFRESH-14/missing",
  },
  {
    id: "CODE-07/nested-code",
    words: "a code exchange",
    name: "code",
    value: "",
    operator: "$gt",
    async request(target) {
      await requireRedeemable(target);
      return codeExchange(await onlyCode(target, "nested-code"));
    },
    explainedBy: "TOKEN-12/missing",
  },
  {
    id: "PKCE-11/nested-verifier",
    words: "a code exchange",
    name: "code_verifier",
    value: "none",
    operator: "$ne",
    request: async (target) => codeExchange(await redeemableCode(target)),
    explainedBy: "PKCE-11",
  },
];

/**
 * Decoders that read brackets in names make an object of such a parameter, and a database may read that as a condition
 * which every value meets. No field of the document has such a name: what it stands for is missing.
 */
export const nestedParameterChecks = nested.map(
  ({ id, words, name, value, operator, request, explainedBy }) =>
    check({
      id,
      claim: `With \`${name}[${operator}]\` in place of \`${name}\`, ${words} is refused and gets no tokens.`,
      needs: ["human"],
      async act(target) {
        const fields = await request(target);
        return postToken(
          target,
          fields.map(([key, old]) => (key === name ? [`${name}[${operator}]`, value] : [key, old])),
        );
      },
      assert(exchange) {
        explained(explainedBy, () => expectNoTokens(exchange));
        if (isRefusal(exchange)) return;
        const isError = exchange.response.status >= 500;
        throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), {
          exchange,
          ...(isError && { explainedBy: "ERR-11" }),
        });
      },
    }),
);
