import { codeExchange, newVerifier, postToken } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";

const anotherVerifier = (fields: Parameters): Parameters => replacing(fields, "code_verifier", newVerifier());

const errors = ["invalid_grant", "invalid_request"];

const attempts: readonly {
  id: string;
  words: string;
  apply: (fields: Parameters) => Parameters;
  /** The same flaw in a first attempt. */
  explainedBy: string;
}[] = [
  {
    id: "PKCE-13/second-attempt",
    words: "another random `code_verifier`",
    apply: anotherVerifier,
    explainedBy: "PKCE-13",
  },
  {
    id: "PKCE-11/second-attempt",
    words: "no `code_verifier`",
    apply: (fields) => without(fields, "code_verifier"),
    explainedBy: "PKCE-11",
  },
];

/** A failed attempt leaves a code as protected as it was. Document, "Authentication", OAuth 2.0 path 1. */
export const secondAttemptChecks = attempts.map(({ id, words, apply, explainedBy }) =>
  check({
    id,
    claim: `After a wrong \`code_verifier\`, a second exchange of the code with ${words} is refused with ${codeSpans(errors)}.`,
    needs: ["human"],
    async act(target) {
      const fields = codeExchange(await redeemableCode(target));
      await postToken(target.setup, anotherVerifier(fields));
      return postToken(target, apply(fields));
    },
    assert: (exchange) => explained(explainedBy, () => expectTokenRefused(exchange, errors)),
  }),
);
