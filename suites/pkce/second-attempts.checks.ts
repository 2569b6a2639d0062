import { codeExchange, newVerifier, postToken } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { redeemableCode } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
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
const secondAttempts = attempts.map(({ id, words, apply, explainedBy }) =>
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

const laterAttempts = 4;

const laterAttempt = check({
  id: "PKCE-13/later-attempts",
  claim: `After two wrong \`code_verifier\`s, each of ${laterAttempts} further exchanges with a wrong one is refused with ${codeSpans(errors)}.`,
  needs: ["human"],
  async act(target) {
    const fields = codeExchange(await redeemableCode(target));
    const sendWrong = (recording: Target): Promise<Exchange> => postToken(recording, anotherVerifier(fields));
    for (const explainedBy of ["PKCE-13", "PKCE-13/second-attempt"]) {
      const early = await sendWrong(target.setup);
      if (isSuccess(early))
        throw new InconclusiveError("precondition-missing", "an early wrong code_verifier was accepted", {
          exchange: early,
          explainedBy,
        });
    }
    const exchanges: Exchange[] = [];
    for (let count = 0; count < laterAttempts; count += 1) exchanges.push(await sendWrong(target));
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges) expectTokenRefused(exchange, errors);
  },
});

export const secondAttemptChecks = [...secondAttempts, laterAttempt];
