import {
  codeExchange,
  newVerifier,
  postToken,
  registeredRedirectUri,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, jsonMembers, mediaType } from "../support/wire/exchange.ts";
import { expectEqual, expectThat, shown } from "../support/judging/expect.ts";
import { sharedGrant } from "../support/material/grants.ts";
import { replacing } from "../support/wire/parameters.ts";
import type { Finding } from "../support/verdict.ts";

const names = ["grant_type", "code", "redirect_uri", "client_id", "code_verifier"] as const;

// Characters that end a JSON string, a header line or ASCII, in case a value comes back in the error.
const injected = 'mailproof" \\ \r\nX-Injected: 1\t\u{00E9}';

/** %x20-21 / %x23-5B / %x5D-7E, RFC 6749 §5.2. */
const allowed = /^[\x20\x21\x23-\x5B\x5D-\x7E]*$/u;

function expectPlainText(exchange: Exchange): void {
  const { error, error_description: description = "" } = jsonMembers(exchange);
  for (const [name, value] of Object.entries({ error, error_description: description })) {
    const isAllowed = typeof value === "string" && allowed.test(value);
    expectThat(isAllowed, `${name} of the characters that RFC 6749 §5.2 allows`, shown(value));
  }
  const injectedLine = exchange.response.headers.some(([name]) => name.toLowerCase() === "x-injected");
  expectThat(!injectedLine, "no header line from a parameter", "X-Injected");
}

export const errorTextChecks = names.map((name) =>
  check({
    id: `B-TOK-04/${name.replaceAll("_", "-")}`,
    claim: `The error for a ${name} with quotes, line ends and letters beyond ASCII is JSON of allowed characters.`,
    needs: ["human"],
    async act(target) {
      const { client } = await sharedGrant(target);
      const code = {
        client,
        code: unguessable(),
        redirect_uri: registeredRedirectUri(client),
        verifier: newVerifier(),
      };
      return postToken(target, replacing(codeExchange(code), name, injected));
    },
    assert: (exchange): Finding | undefined =>
      advise(() => {
        expectEqual(mediaType(exchange), "application/json", "the media type");
        expectPlainText(exchange);
      }),
  }),
);
