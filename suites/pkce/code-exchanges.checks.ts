import {
  type AuthorizationCode,
  codeExchange,
  formContentType,
  newVerifier,
  postToken,
  requireTokens,
  s256,
} from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, expectTokenRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCode } from "../support/material/grants.ts";
import { adding, encodeParameters, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { type Warning, warning } from "../support/verdict.ts";

function longVerifier(): string {
  return (newVerifier() + newVerifier() + newVerifier()).slice(0, 128);
}

const goodVerifiers = [
  { slug: "43-characters", verifier: () => newVerifier(), words: "of 43 random characters" },
  {
    slug: "128-characters",
    verifier: longVerifier,
    words: "of 128 characters",
  },
  {
    slug: "all-punctuation",
    verifier: () => `-._~${newVerifier()}~_.-`,
    words: "that has every unreserved punctuation character",
  },
  {
    slug: "challenge-of-hyphen",
    verifier: () => verifierFor("-"),
    words: "whose challenge begins with a hyphen",
  },
  {
    slug: "challenge-of-underscore",
    verifier: () => verifierFor("_"),
    words: "whose challenge begins with an underscore",
  },
  {
    slug: "rfc-7636-appendix-b",
    verifier: () => "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    words: "from the example in RFC 7636 Appendix B",
  },
];

/** A verifier whose challenge begins with a character. */
function verifierFor(firstOfChallenge: string): string {
  for (;;) {
    const verifier = newVerifier();
    if (s256(verifier).startsWith(firstOfChallenge)) return verifier;
  }
}

const rightVerifier = goodVerifiers.map(({ slug, verifier, words }) =>
  check({
    id: `PKCE-10/${slug}`,
    claim: `A code is redeemed with a \`code_verifier\` ${words}.`,
    needs: ["human"],
    act: async (target) => postToken(target, codeExchange(await freshCode(target, { verifier: verifier() }))),
    assert(exchange) {
      const { access_token: token } = jsonMembers(exchange);
      expectThat(
        exchange.response.status === 200 && typeof token === "string",
        "200 with access_token",
        summary(exchange),
        exchange,
      );
    },
  }),
);

/** One flaw in the verifier of an otherwise valid code exchange. */
interface Flaw {
  readonly id: string;
  /** Reads before "is refused". */
  readonly words: string;
  readonly apply: (fields: Parameters, code: AuthorizationCode) => Parameters;
  /** Which codes the refusal may carry. */
  readonly errors?: readonly string[];
  readonly client?: ClientKind;
  /** The check of the same flaw in its usual form. */
  readonly explainedBy?: string;
  /** Accepting it is a tolerated leniency: many frameworks trim white space. */
  readonly mayTrim?: boolean;
}

const missingOrWrong = ["invalid_grant", "invalid_request"];

const withVerifier =
  (spelling: (verifier: string) => string): Flaw["apply"] =>
  (fields, { verifier }) =>
    replacing(fields, "code_verifier", spelling(verifier));

const flaws: readonly Flaw[] = [
  {
    id: "PKCE-11",
    words: "A code exchange without `code_verifier`",
    apply: (fields) => without(fields, "code_verifier"),
    errors: missingOrWrong,
  },
  {
    id: "PKCE-12",
    words: "A code exchange with an empty `code_verifier`",
    apply: withVerifier(() => ""),
    errors: missingOrWrong,
  },
  {
    id: "PKCE-13",
    words: "A code exchange with another random `code_verifier`",
    apply: withVerifier(() => newVerifier()),
  },
  {
    id: "PKCE-13/long",
    words: "A code exchange with another random `code_verifier`, of 128 characters,",
    apply: withVerifier(longVerifier),
    explainedBy: "PKCE-13",
  },
  {
    id: "PKCE-14/challenge-as-verifier",
    words: "A code exchange with the `code_challenge` as `code_verifier`",
    apply: withVerifier(s256),
  },
  {
    id: "PKCE-14/challenge-as-plain-verifier",
    words:
      "A code exchange with the `code_challenge` as `code_verifier` and with `code_challenge_method=plain`",
    apply: (fields, { verifier }) =>
      adding(replacing(fields, "code_verifier", s256(verifier)), ["code_challenge_method", "plain"]),
  },
  {
    id: "PKCE-17",
    words: "A code exchange with another `code_verifier` and the `code_challenge` that fits it",
    apply(fields) {
      const other = newVerifier();
      return adding(
        replacing(fields, "code_verifier", other),
        ["code_challenge", s256(other)],
        ["code_challenge_method", "S256"],
      );
    },
  },
  ...nearMisses().map(({ slug, words, spelling, mayTrim = false }) => ({
    id: `PKCE-15/${slug}`,
    words: `A code exchange ${words}`,
    apply: withVerifier(spelling),
    errors: missingOrWrong,
    mayTrim,
  })),
  {
    id: "PKCE-19/no-verifier",
    words: "A confidential client's code exchange with its secret and without `code_verifier`",
    apply: (fields) => without(fields, "code_verifier"),
    errors: missingOrWrong,
    client: "confidential",
  },
  {
    id: "PKCE-19/wrong-verifier",
    words: "A confidential client's code exchange with its secret and another `code_verifier`",
    apply: withVerifier(() => newVerifier()),
    client: "confidential",
  },
];

interface VerifierNearMiss {
  readonly slug: string;
  /** Reads after "A code exchange". */
  readonly words: string;
  readonly spelling: (verifier: string) => string;
  readonly mayTrim?: boolean;
}

function nearMisses(): readonly VerifierNearMiss[] {
  return [
    {
      slug: "case-flipped",
      words: "with one letter of its `code_verifier` in the other case",
      spelling: flipFirstLetter,
    },
    {
      slug: "last-dropped",
      words: "without the last character of its `code_verifier`",
      spelling: (verifier) => verifier.slice(0, -1),
    },
    {
      slug: "padded",
      words: "with a trailing `=` added to its `code_verifier`",
      spelling: (verifier) => `${verifier}=`,
    },
    {
      slug: "characters-behind",
      words: "with twenty letters appended to its `code_verifier`",
      spelling: (verifier) => verifier + "x".repeat(20),
    },
    {
      slug: "trailing-space",
      words: "with a trailing space added to its `code_verifier`",
      spelling: (verifier) => `${verifier} `,
      mayTrim: true,
    },
    {
      slug: "trailing-newline",
      words: "with a trailing line feed added to its `code_verifier`",
      spelling: (verifier) => `${verifier}\n`,
      mayTrim: true,
    },
    {
      slug: "trailing-nul",
      words: "with a trailing NUL added to its `code_verifier`",
      spelling: (verifier) => `${verifier}\0`,
    },
    {
      slug: "leading-space",
      words: "with a leading space added to its `code_verifier`",
      spelling: (verifier) => ` ${verifier}`,
      mayTrim: true,
    },
    {
      slug: "reversed",
      words: "with its `code_verifier` reversed",
      spelling: (verifier) => [...verifier].toReversed().join(""),
    },
  ];
}

function flipFirstLetter(verifier: string): string {
  return verifier.replace(/[a-z]/iu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const wrongVerifier = flaws.map(
  ({ id, words, apply, errors = ["invalid_grant"], client = "public", mayTrim = false, explainedBy }) =>
    check({
      id,
      claim: `${words} is refused with ${codeSpans(errors)}.`,
      needs: ["human"],
      async act(target) {
        const code = await redeemableCode(target, { client });
        return postToken(target, apply(codeExchange(code), code));
      },
      assert(exchange): Warning | undefined {
        if (mayTrim && isSuccess(exchange))
          return warning("the code_verifier is accepted after its white space was trimmed");
        explained(explainedBy, () => expectTokenRefused(exchange, errors));
        return undefined;
      },
    }),
);

// A digest of SHA-256 has 64 hexadecimal digits; 128 is the longest of RFC 7636 §4.1.
const lengthened = [64, 128].map((length) =>
  check({
    id: `PKCE-15/beyond-${length}`,
    claim: `A code exchange with a \`code_verifier\` of ${length} characters and one more after it is refused with \`invalid_grant\` or \`invalid_request\`.`,
    needs: ["human"],
    async act(target) {
      const verifier = longVerifier().slice(0, length);
      const right = await freshCode(target.setup, { verifier });
      const control = await postToken(target.control, codeExchange(right));
      const what = `an exchange with a verifier of ${length} characters`;
      requireTokens(control, what, "PKCE-10/128-characters");
      const code = await freshCode(target.setup, { verifier });
      return postToken(target, codeExchange({ ...code, verifier: `${verifier}x` }));
    },
    assert: (exchange) => expectTokenRefused(exchange, missingOrWrong),
  }),
);

const boundToCode = check({
  id: "PKCE-16",
  claim: "Of two codes of one client and person, neither is redeemed with the `code_verifier` of the other.",
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

const verifierInQuery = observe({
  id: "PKCE-20",
  question: "How is a code exchange with its `code_verifier` in the query of the URL alone answered?",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target);
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token?${encodeParameters([["code_verifier", code.verifier]])}`,
      headers: [formContentType],
      body: encodeParameters(without(codeExchange(code), "code_verifier")),
    });
  },
  answer: summary,
});

export const codeExchangeChecks = [
  ...rightVerifier,
  ...wrongVerifier,
  ...lengthened,
  boundToCode,
  verifierInQuery,
];
