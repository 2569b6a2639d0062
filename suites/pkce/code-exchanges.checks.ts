import { createHash } from "node:crypto";
import {
  type AuthorizationCode,
  authorizationRequest,
  codeExchange,
  formContentType,
  newVerifier,
  postToken,
  s256,
} from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { authorizingClient, redeemableCode } from "../support/material/controls.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectNoTokens, expectThat, expectTokenRefused } from "../support/judging/expect.ts";
import { freshCode } from "../support/material/grants.ts";
import { adding, encodeParameters, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation } from "../support/verdict.ts";

const goodVerifiers = [
  { slug: "43-characters", verifier: () => newVerifier(), words: "43 random characters" },
  {
    slug: "128-characters",
    verifier: () => (newVerifier() + newVerifier() + newVerifier()).slice(0, 128),
    words: "128 characters",
  },
  {
    slug: "all-punctuation",
    verifier: () => `-._~${newVerifier()}~_.-`,
    words: "every unreserved punctuation character",
  },
  {
    slug: "rfc-7636-appendix-b",
    verifier: () => "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    words: "the example of RFC 7636 Appendix B",
  },
];

const rightVerifier = goodVerifiers.map(({ slug, verifier, words }) =>
  check({
    id: `PKCE-10/${slug}`,
    claim: `A code is redeemed with its verifier of ${words}.`,
    needs: ["human"],
    act: async (target) => postToken(target, codeExchange(await freshCode(target, { verifier: verifier() }))),
    assert(exchange) {
      const { access_token: token } = jsonMembers(exchange);
      expectThat(
        exchange.response.status === 200 && typeof token === "string",
        "200 with access_token",
        summary(exchange),
      );
    },
  }),
);

/** One flaw in the verifier of an otherwise valid code exchange. */
interface Flaw {
  readonly id: string;
  /** Reads after "A code exchange". */
  readonly words: string;
  readonly apply: (fields: Parameters, code: AuthorizationCode) => Parameters;
  /** Which codes the refusal may carry. */
  readonly errors?: readonly string[];
  readonly client?: ClientKind;
}

const missingOrWrong = ["invalid_grant", "invalid_request"];

const withVerifier =
  (spelling: (verifier: string) => string): Flaw["apply"] =>
  (fields, { verifier }) =>
    replacing(fields, "code_verifier", spelling(verifier));

const flaws: readonly Flaw[] = [
  {
    id: "PKCE-11",
    words: "without code_verifier",
    apply: (fields) => without(fields, "code_verifier"),
    errors: missingOrWrong,
  },
  {
    id: "PKCE-12",
    words: "with an empty code_verifier",
    apply: withVerifier(() => ""),
    errors: missingOrWrong,
  },
  { id: "PKCE-13", words: "with another verifier", apply: withVerifier(() => newVerifier()) },
  {
    id: "PKCE-14/challenge-as-verifier",
    words: "with the code_challenge as verifier",
    apply: withVerifier(s256),
  },
  {
    id: "PKCE-14/challenge-as-plain-verifier",
    words: "with the code_challenge as verifier and code_challenge_method plain",
    apply: (fields, { verifier }) =>
      adding(replacing(fields, "code_verifier", s256(verifier)), ["code_challenge_method", "plain"]),
  },
  {
    id: "PKCE-17",
    words: "with another verifier and the code_challenge that fits it",
    apply(fields) {
      const other = newVerifier();
      return adding(
        replacing(fields, "code_verifier", other),
        ["code_challenge", s256(other)],
        ["code_challenge_method", "S256"],
      );
    },
  },
  ...nearMisses().map(({ slug, words, spelling }) => ({
    id: `PKCE-15/${slug}`,
    words: `with the verifier ${words}`,
    apply: withVerifier(spelling),
    errors: missingOrWrong,
  })),
  {
    id: "PKCE-19/no-verifier",
    words: "of a confidential client with its secret but without code_verifier",
    apply: (fields) => without(fields, "code_verifier"),
    errors: missingOrWrong,
    client: "confidential",
  },
  {
    id: "PKCE-19/wrong-verifier",
    words: "of a confidential client with its secret but with another verifier",
    apply: withVerifier(() => newVerifier()),
    client: "confidential",
  },
];

function nearMisses(): { slug: string; words: string; spelling: (verifier: string) => string }[] {
  return [
    { slug: "case-flipped", words: "with one letter in the other case", spelling: flipFirstLetter },
    { slug: "last-dropped", words: "less its last character", spelling: (verifier) => verifier.slice(0, -1) },
    { slug: "padded", words: "and a = behind it", spelling: (verifier) => `${verifier}=` },
    { slug: "trailing-space", words: "and a space behind it", spelling: (verifier) => `${verifier} ` },
    { slug: "trailing-newline", words: "and a line feed behind it", spelling: (verifier) => `${verifier}\n` },
    { slug: "trailing-nul", words: "and a NUL behind it", spelling: (verifier) => `${verifier}\0` },
    { slug: "leading-space", words: "and a space before it", spelling: (verifier) => ` ${verifier}` },
    { slug: "reversed", words: "reversed", spelling: (verifier) => [...verifier].toReversed().join("") },
  ];
}

function flipFirstLetter(verifier: string): string {
  return verifier.replace(/[a-z]/iu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const wrongVerifier = flaws.map(({ id, words, apply, errors = ["invalid_grant"], client = "public" }) =>
  check({
    id,
    claim: `A code exchange ${words} is refused with 400 ${errors.join(" or ")} and yields no tokens.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target, { client });
      return postToken(target, apply(codeExchange(code), code));
    },
    assert: (exchange) => expectTokenRefused(exchange, errors),
  }),
);

const boundToCode = check({
  id: "PKCE-16",
  claim: "Of two codes of one client and person, neither is redeemed with the verifier of the other.",
  needs: ["human"],
  async act(target) {
    const [one, two] = [await redeemableCode(target), await redeemableCode(target)];
    return [
      await postToken(target, codeExchange({ ...one, verifier: two.verifier })),
      await postToken(target, codeExchange({ ...two, verifier: one.verifier })),
    ];
  },
  assert(exchanges) {
    for (const exchange of exchanges) expectTokenRefused(exchange, ["invalid_grant"]);
  },
});

const encodings = [
  {
    slug: "hex",
    words: "the hexadecimal SHA-256",
    challenge: (verifier: string) => hash("sha256", verifier).toString("hex"),
  },
  {
    slug: "base64",
    words: "the SHA-256 in plain base64",
    challenge: (verifier: string) => hash("sha256", verifier).toString("base64").replace(/=+$/u, ""),
  },
  {
    slug: "padded",
    words: "the SHA-256 in padded base64url",
    challenge: (verifier: string) => `${s256(verifier)}=`,
  },
  {
    slug: "sha512",
    words: "a truncated SHA-512",
    challenge: (verifier: string) => hash("sha512", verifier).subarray(0, 32).toString("base64url"),
  },
  {
    slug: "sha1",
    words: "the SHA-1",
    challenge: (verifier: string) => hash("sha1", verifier).toString("base64url"),
  },
];

function hash(algorithm: string, verifier: string): Buffer {
  return createHash(algorithm).update(verifier, "ascii").digest();
}

/** A verifier whose hash reads differently in base64 and base64url. */
function tellingVerifier(): string {
  let verifier = newVerifier();
  while (!/[-_]/u.test(s256(verifier))) verifier = newVerifier();
  return verifier;
}

const otherEncodings = encodings.map(({ slug, words, challenge }) =>
  check({
    id: `PKCE-18/${slug}`,
    claim: `A code_challenge that is ${words} of the verifier is refused, or its code is not redeemed.`,
    needs: ["human"],
    async act(target): Promise<{ asked: Attempt; redeemed: Exchange | undefined }> {
      const client = await authorizingClient(target);
      await redeemableCode(target);
      const request = authorizationRequest(target, client, { verifier: tellingVerifier() });
      const asked = await attempt(target, {
        client,
        parameters: replacing(request.parameters, "code_challenge", challenge(request.verifier)),
      });
      const code = codeIn(asked.end);
      if (code === undefined) return { asked, redeemed: undefined };
      const redirectUri = client.redirect_uris[0] ?? "";
      return {
        asked,
        redeemed: await postToken(
          target,
          codeExchange({ code, client, verifier: request.verifier, redirect_uri: redirectUri }),
        ),
      };
    },
    assert({ asked, redeemed }): Finding | undefined {
      if (redeemed === undefined) return expectAuthorizationRefused(asked, ["invalid_request"]);
      expectTokenRefused(redeemed, missingOrWrong);
      return undefined;
    },
  }),
);

const verifierInQuery = check({
  id: "PKCE-20",
  claim: "What a code exchange with the verifier in the query of the URL alone gets.",
  needs: ["human"],
  async act(target: Target) {
    const code = await redeemableCode(target);
    const fields = codeExchange(code);
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token?${encodeParameters([["code_verifier", code.verifier]])}`,
      headers: [formContentType],
      body: encodeParameters(without(fields, "code_verifier")),
    });
  },
  assert(exchange) {
    if (exchange.response.status !== 200) expectNoTokens(exchange);
    return observation(summary(exchange));
  },
});

export const codeExchangeChecks = [
  ...rightVerifier,
  ...wrongVerifier,
  boundToCode,
  ...otherEncodings,
  verifierInQuery,
];
