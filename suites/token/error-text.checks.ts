import { codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { recommend } from "../support/judging/check.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { replacing } from "../support/wire/parameters.ts";

const names = ["grant_type", "code", "redirect_uri", "client_id", "code_verifier"] as const;

// Characters that end a JSON string, a header line or ASCII, in case a value comes back in the error.
const injected = 'mailproof" \\ \r\nX-Injected: 1\t\u{00E9}';

/** %x20-21 / %x23-5B / %x5D-7E, RFC 6749 §5.2. */
const allowed = /^[\x20\x21\x23-\x5B\x5D-\x7E]*$/u;

/** @throws {InconclusiveError} precondition-missing, when the exchange is not a refusal: then there is no error to judge */
function expectPlainText(exchange: Exchange): void {
  if (!isRefusal(exchange)) {
    throw new InconclusiveError(
      "precondition-missing",
      `expected a refusal whose error can be judged, got ${summary(exchange)}`,
      { exchange },
    );
  }
  const { error, error_description: description } = jsonMembers(exchange);
  for (const [name, value] of Object.entries({ error, error_description: description })) {
    // That there is an error at all is judged by ERR-01.
    if (value === undefined) continue;
    const isAllowed = typeof value === "string" && allowed.test(value);
    expectThat(isAllowed, `${name} of the characters that RFC 6749 §5.2 allows`, shown(value), exchange);
  }
  const injectedLine = exchange.response.headers.some(([name]) => name.toLowerCase() === "x-injected");
  expectThat(!injectedLine, "no header line from a parameter", "X-Injected", exchange);
}

export const errorTextChecks = names.map((name) =>
  recommend({
    id: `B-TOK-04/${name.replaceAll("_", "-")}`,
    claim: `The error for a \`${name}\` with quotes, line breaks and non-ASCII letters contains only characters that RFC 6749 allows.`,
    needs: ["human"],
    act: async (target) =>
      postToken(target, replacing(codeExchange(await redeemableCode(target)), name, injected)),
    assert: expectPlainText,
  }),
);
