import { postRevoke, unguessable } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectNoServerError } from "../support/judging/expect.ts";
import { sharedClient } from "../support/material/clients.ts";
import { undecodableText, withUndecodable } from "../support/material/undecodable.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";
import { authorizeWith, exchangeWith, refreshWith } from "./requests-with.ts";

interface Place {
  readonly slug: string;
  /** Where the flaw is, as in "A byte that is not UTF-8 in the `state` of an authorization request". */
  readonly words: string;
  readonly needs?: readonly Need[];
  /** Sends a request that was accepted in this run, but for the escape. */
  readonly send: (target: Target, escape: string) => Promise<Exchange>;
}

/** A client's mistakes, not the service's. */
const undecodable = [
  { slug: "undecodable", words: "A byte that is not UTF-8 (%FF)", escape: "%FF" },
  { slug: "stray-percent", words: "A percent sign without two hexadecimal digits (%zz)", escape: "%zz" },
];

/** RFC 7636 §4.1: at least 43 characters. */
const longEnoughVerifier = "Az09-_.~".repeat(6) + undecodableText;

const places: readonly Place[] = [
  {
    slug: "redirect-uri",
    words: "the `redirect_uri` of an authorization request",
    send: (target, escape) =>
      authorizeWith(target, "redirect_uri", undecodableText, withUndecodable(target, escape)),
  },
  {
    slug: "state",
    words: "the `state` of an authorization request",
    send: (target, escape) =>
      authorizeWith(target, "state", undecodableText, withUndecodable(target, escape)),
  },
  {
    slug: "client-id",
    words: "the `client_id` of an authorization request",
    send: (target, escape) =>
      authorizeWith(target, "client_id", undecodableText, withUndecodable(target, escape)),
  },
  {
    slug: "code",
    words: "the `code` of a code exchange",
    needs: ["human"],
    send: (target, escape) => exchangeWith(target, "code", undecodableText, withUndecodable(target, escape)),
  },
  {
    slug: "token-redirect-uri",
    words: "the `redirect_uri` of a code exchange",
    needs: ["human"],
    send: (target, escape) =>
      exchangeWith(target, "redirect_uri", undecodableText, withUndecodable(target, escape)),
  },
  {
    slug: "refresh-token",
    words: "the `refresh_token` of a refresh",
    needs: ["human"],
    send: (target, escape) => refreshWith(target, undecodableText, withUndecodable(target, escape)),
  },
];

const revokedToken: Place[] = [
  {
    slug: "revoked-token",
    words: "the `token` of a revocation",
    async send(target, escape) {
      const { client_id: clientId } = await sharedClient(target, "public");
      const fields = [
        ["client_id", clientId],
        ["token", undecodableText],
      ] as const;
      const control = await postRevoke(target.control, replacing(fields, "token", unguessable()));
      if (!isSuccess(control)) throw controlRefused("a revocation", "200", control, "REVOKE-06/random");
      return postRevoke(withUndecodable(target, escape), fields);
    },
  },
];

// The others have texts beyond ASCII in REVOKE-06/non-ascii, AUTHZ-10/emoji and REDIR-20/cyrillic-letter.
const placesOfText: readonly Place[] = [
  ...places.filter(({ slug }) => !["state", "redirect-uri"].includes(slug)),
  {
    slug: "token-client-id",
    words: "the `client_id` of a code exchange",
    needs: ["human"],
    send: (target, escape) =>
      exchangeWith(target, "client_id", undecodableText, withUndecodable(target, escape)),
  },
  {
    slug: "code-verifier",
    words: "the `code_verifier` of a code exchange",
    needs: ["human"],
    send: (target, escape) =>
      exchangeWith(target, "code_verifier", longEnoughVerifier, withUndecodable(target, escape)),
  },
];

const flaws = [
  ...undecodable.map((flaw) => ({ ...flaw, at: [...places, ...revokedToken] })),
  // A digest of bytes, a library of ISO 8859-1 and a column of ASCII break at it.
  { slug: "euro-sign", words: "A euro sign", escape: "%E2%82%AC", at: placesOfText },
];

export const undecodableChecks = flaws.flatMap((flaw) =>
  flaw.at.map(({ slug, words, needs = [], send }) =>
    check({
      id: `ERR-11/${flaw.slug}-${slug}`,
      claim: `${flaw.words} in ${words} is not answered with 5xx.`,
      needs,
      act: (target) => send(target, flaw.escape),
      assert: expectNoServerError,
    }),
  ),
);
