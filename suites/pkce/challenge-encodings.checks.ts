import { createHash } from "node:crypto";
import {
  authorizationRequest,
  codeExchange,
  newVerifier,
  postToken,
  registeredRedirectUri,
  s256,
} from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { authorizingClient, requireRedeemable } from "../support/material/controls.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { replacing } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Warning } from "../support/verdict.ts";
import { base64url } from "../support/material/jwt-forgery.ts";

const encodings = [
  {
    slug: "hex",
    words: "the hexadecimal SHA-256 of the verifier",
    challenge: (verifier: string) => hash("sha256", verifier).toString("hex"),
  },
  {
    slug: "base64",
    words: "the base64 SHA-256 of the verifier",
    challenge: (verifier: string) => hash("sha256", verifier).toString("base64").replace(/=+$/u, ""),
  },
  {
    slug: "padded",
    words: "the padded base64url SHA-256 of the verifier",
    challenge: (verifier: string) => `${s256(verifier)}=`,
  },
  {
    slug: "sha512",
    words: "a truncated SHA-512 of the verifier",
    challenge: (verifier: string) => hash("sha512", verifier).subarray(0, 32).toString("base64url"),
  },
  {
    slug: "sha1",
    words: "the SHA-1 of the verifier",
    challenge: (verifier: string) => hash("sha1", verifier).toString("base64url"),
  },
  {
    slug: "letter-case",
    words: "the right one with one letter in the other case",
    challenge: (verifier: string) =>
      s256(verifier).replace(/[a-z]/iu, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      ),
  },
  {
    slug: "last-character",
    words: "the right one with another last character",
    challenge: (verifier: string) => withOtherEnd(s256(verifier), 4),
  },
  {
    slug: "middle-character",
    words: "the right one with another character in its middle",
    challenge: (verifier: string) => withOtherMiddle(s256(verifier)),
  },
  {
    slug: "other-punctuation",
    words: "the right one with `-` and `_` swapped",
    challenge: (verifier: string) =>
      s256(verifier).replaceAll(/[-_]/gu, (character) => (character === "-" ? "_" : "-")),
  },
  {
    slug: "unused-bits",
    words: "the right one with other values of the two unused base64url bits",
    challenge: (verifier: string) => withOtherEnd(s256(verifier), 1),
  },
];

/** Replaces the last character by the one `places` later in the base64url alphabet. Of its six bits, 32 bytes use the first four. */
function withOtherEnd(challenge: string, places: number): string {
  const at = base64url.indexOf(challenge.slice(-1));
  return `${challenge.slice(0, -1)}${base64url.charAt((at + places) % base64url.length)}`;
}

function withOtherMiddle(challenge: string): string {
  const middle = challenge.length >> 1;
  const at = base64url.indexOf(challenge.charAt(middle));
  return `${challenge.slice(0, middle)}${base64url.charAt((at + 1) % base64url.length)}${challenge.slice(middle + 1)}`;
}

function hash(algorithm: string, verifier: string): Buffer {
  return createHash(algorithm).update(verifier, "ascii").digest();
}

/** A verifier whose challenge contains `-` or `_`, so that base64 and base64url differ. */
function tellingVerifier(): string {
  let verifier = newVerifier();
  while (!/[-_]/u.test(s256(verifier))) verifier = newVerifier();
  return verifier;
}

/** A challenge other than the base64url of the SHA-256 of the verifier. */
export const challengeEncodingChecks = encodings.map(({ slug, words, challenge }) =>
  check({
    id: `PKCE-18/${slug}`,
    claim: `A \`code_challenge\` that is ${words} is refused, or its code is not redeemed.`,
    needs: ["human"],
    async act(target): Promise<{ seen: Attempt; exchange?: Exchange }> {
      const client = await authorizingClient(target);
      // A later consent may end the code of an earlier one (C-34), so the control of the exchange comes first.
      await requireRedeemable(target);
      const request = authorizationRequest(target, client, { verifier: tellingVerifier() });
      const seen = await attempt(target, {
        client,
        parameters: replacing(request.parameters, "code_challenge", challenge(request.verifier)),
      });
      const code = codeIn(seen.end);
      if (code === undefined) return { seen };
      const { verifier } = request;
      const redirectUri = registeredRedirectUri(client);
      return {
        seen,
        exchange: await postToken(
          target,
          codeExchange({ code, client, verifier, redirect_uri: redirectUri }),
        ),
      };
    },
    assert({ seen, exchange }): Warning | undefined {
      if (exchange === undefined) return expectAuthorizationRefused(seen, ["invalid_request"]);
      expectTokenRefused(exchange, ["invalid_grant", "invalid_request"]);
      return undefined;
    },
  }),
);
