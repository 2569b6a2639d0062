import { codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectNoServerError } from "../support/judging/expect.ts";
import { redeemableCode } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";
import { sessionWith } from "./requests-with.ts";

interface Place {
  readonly slug: string;
  /** Reads after "A euro sign in". */
  readonly words: string;
  readonly needs?: readonly Need[];
  readonly send: (target: Target) => Promise<Exchange>;
}

const places: readonly Place[] = [
  {
    slug: "client-secret",
    words: "the `client_secret` of a code exchange",
    needs: ["human"],
    // As many characters as the secret has, and more bytes: a comparison in constant time wants equally many.
    async send(target) {
      const code = await redeemableCode(target, { client: "confidential" });
      const secret = code.client.client_secret ?? "";
      return postToken(target, replacing(codeExchange(code), "client_secret", `${secret.slice(0, -1)}€`));
    },
  },
  {
    slug: "api-key",
    words: "the `apiKey` of a login",
    send: (target) => sessionWith(target, { apiKey: "mailproof€" }),
  },
];

/** Where forms and JSON carry secrets; the other parameters are judged beside bytes that cannot be decoded. */
export const euroSignChecks = places.map(({ slug, words, needs = [], send }) =>
  check({
    id: `ERR-11/euro-sign-${slug}`,
    claim: `A euro sign in ${words} is not answered with 5xx.`,
    needs,
    act: send,
    assert: expectNoServerError,
  }),
);
