import {
  authorizationRequest,
  type AuthorizationRequest,
  codeExchange,
  jmapResource,
  mcpResource,
  newVerifier,
  postToken,
  registeredRedirectUri,
  s256,
} from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn, obtainCode } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { triedOnLoopback } from "../support/material/loopback-policy.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";

/** One flaw in the PKCE parameters of an otherwise valid authorization request. */
interface Flaw {
  readonly requirement: string;
  readonly slug: string;
  /** Reads after "An authorization request". */
  readonly words: string;
  readonly apply: (request: AuthorizationRequest) => Parameters;
}

const missing: readonly Flaw[] = [
  {
    requirement: "PKCE-01",
    slug: "no-challenge",
    words: "without `code_challenge`",
    apply: ({ parameters }) => without(parameters, "code_challenge"),
  },
  {
    requirement: "PKCE-02",
    slug: "no-pkce",
    words: "without `code_challenge` and `code_challenge_method`",
    apply: ({ parameters }) => without(without(parameters, "code_challenge"), "code_challenge_method"),
  },
  {
    requirement: "PKCE-03",
    slug: "no-method",
    words: "without `code_challenge_method`",
    apply: ({ parameters }) => without(parameters, "code_challenge_method"),
  },
  {
    requirement: "PKCE-03",
    slug: "no-method-verifier-as-challenge",
    words: "with the verifier as `code_challenge` and no `code_challenge_method`",
    apply: ({ parameters, verifier }) =>
      without(replacing(parameters, "code_challenge", verifier), "code_challenge_method"),
  },
  {
    requirement: "PKCE-04",
    slug: "plain",
    words: "with `code_challenge_method=plain`",
    apply: ({ parameters, verifier }) =>
      replacing(replacing(parameters, "code_challenge", verifier), "code_challenge_method", "plain"),
  },
];

const methodSpellings = [
  { slug: "lower-case", method: "s256", words: "`s256`" },
  { slug: "trailing-space", method: "S256 ", words: "`S256` and a trailing space" },
  { slug: "leading-space", method: " S256", words: "`S256` after a leading space" },
  { slug: "trailing-nul", method: "S256\0", words: "`S256` and a trailing NUL" },
  { slug: "hyphen", method: "S-256", words: "`S-256`" },
  { slug: "sha256", method: "SHA256", words: "`SHA256`" },
  { slug: "sha-256", method: "sha-256", words: "`sha-256`" },
  { slug: "rs256", method: "RS256", words: "`RS256`" },
  { slug: "s512", method: "S512", words: "`S512`" },
  { slug: "none", method: "none", words: "`none`" },
  { slug: "null", method: "null", words: "`null`" },
  { slug: "zero", method: "0", words: "`0`" },
];

const misspelt: readonly Flaw[] = methodSpellings.map(({ slug, method, words }) => ({
  requirement: "PKCE-05",
  slug,
  words: `with the \`code_challenge_method\` ${words}`,
  apply: ({ parameters }) => replacing(parameters, "code_challenge_method", method),
}));

const empty: readonly Flaw[] = [
  {
    requirement: "PKCE-06",
    slug: "challenge",
    words: "with an empty `code_challenge`",
    apply: ({ parameters }) => replacing(parameters, "code_challenge", ""),
  },
  {
    requirement: "PKCE-06",
    slug: "method",
    words: "with an empty `code_challenge_method`",
    apply: ({ parameters }) => replacing(parameters, "code_challenge_method", ""),
  },
  {
    requirement: "PKCE-06",
    slug: "both",
    words: "with an empty `code_challenge` and an empty `code_challenge_method`",
    apply: ({ parameters }) =>
      replacing(replacing(parameters, "code_challenge", ""), "code_challenge_method", ""),
  },
];

interface Requester {
  readonly client: "public" | "confidential";
  readonly resource: (target: Target) => string;
  /** The subject of the claim. */
  readonly words: string;
}

function refusal(id: string, flaw: Flaw, { client, resource, words }: Requester) {
  return check({
    id,
    claim: `${words} ${flaw.words} is refused with \`invalid_request\`.`,
    async act(target) {
      const choice = { resource: resource(target) };
      const request = authorizationRequest(target, await authorizingClient(target, client, choice), choice);
      return attempt(target, { client: request.client, parameters: flaw.apply(request) });
    },
    assert: (seen) => expectAuthorizationRefused(seen, ["invalid_request"]),
  });
}

const publicClient: Requester = {
  client: "public",
  resource: jmapResource,
  words: "An authorization request",
};
const mcpConnection: Requester = {
  client: "public",
  resource: mcpResource,
  words: "An authorization request for the MCP resource",
};
const confidentialClient: Requester = {
  client: "confidential",
  resource: jmapResource,
  words: "A confidential client's authorization request",
};

const refusals = [
  ...[...missing, ...misspelt, ...empty].map((flaw) =>
    refusal(`${flaw.requirement}/${flaw.slug}`, flaw, publicClient),
  ),
  ...missing.map((flaw) => refusal(`${flaw.requirement}/${flaw.slug}-mcp`, flaw, mcpConnection)),
  ...missing.map((flaw) => refusal(`PKCE-08/${flaw.slug}`, flaw, confidentialClient)),
];

/** Programs on the person's own machine are those that cannot keep a secret. */
const onLoopback = missing.map(({ requirement, slug, words, apply }) =>
  check({
    id: `${requirement}/${slug}-loopback`,
    claim: `A request ${words} for a \`redirect_uri\` on loopback is refused with \`invalid_request\`.`,
    act: (target) =>
      triedOnLoopback(target, async () => {
        const request = authorizationRequest(target, await authorizingClient(target, "native"));
        return attempt(target, { client: request.client, parameters: apply(request) });
      }),
    assert: (seen) =>
      explained(`${requirement}/${slug}`, () => expectAuthorizationRefused(seen, ["invalid_request"])),
  }),
);

/** A request that names a PKCE parameter twice, and a second verifier that a code of it might be redeemed with. */
interface Repetition {
  readonly slug: string;
  /** Reads after "An authorization request with". */
  readonly words: string;
  readonly apply: (request: AuthorizationRequest, secondChallenge: string) => Parameters;
  /** The verifier that the other of the two values would redeem a code with. */
  readonly otherVerifier: (request: AuthorizationRequest, second: string) => string;
  /** Both pairs are S256, so that either may be the one that counts. */
  readonly otherMayCount?: boolean;
  /** The second parameter has another name, which a server that does not know it ignores. */
  readonly isIgnorable?: boolean;
}

const plainVerifier = ({ verifier }: AuthorizationRequest): string => s256(verifier);

const repetitions: readonly Repetition[] = [
  {
    slug: "method-then-plain",
    words: "`code_challenge_method` `S256` and then `plain`",
    apply: ({ parameters }) => adding(parameters, ["code_challenge_method", "plain"]),
    otherVerifier: plainVerifier,
  },
  {
    slug: "plain-then-method",
    words: "`code_challenge_method` `plain` and then `S256`",
    apply: ({ parameters }) => [["code_challenge_method", "plain"], ...parameters],
    otherVerifier: plainVerifier,
  },
  {
    slug: "array-notation",
    words: "`code_challenge_method=S256` and `code_challenge_method[]=plain`",
    apply: ({ parameters }) => adding(parameters, ["code_challenge_method[]", "plain"]),
    otherVerifier: plainVerifier,
    isIgnorable: true,
  },
  {
    slug: "second-challenge-last",
    words: "a second, different `code_challenge`",
    apply: ({ parameters }, secondChallenge) => adding(parameters, ["code_challenge", secondChallenge]),
    otherVerifier: (_request, second) => second,
    otherMayCount: true,
  },
  {
    slug: "second-challenge-first",
    words: "a different `code_challenge` before its own",
    apply: ({ parameters }, secondChallenge) => [["code_challenge", secondChallenge], ...parameters],
    otherVerifier: (_request, second) => second,
    otherMayCount: true,
  },
];

interface RepetitionOutcome {
  readonly seen: Attempt;
  /** Exchanges of two codes of such requests, one with each verifier; missing when no code was issued. */
  readonly redeemed?: { readonly withOwn: Exchange; readonly withOther: Exchange };
}

async function redeemRepetition(
  target: Target,
  { apply, otherVerifier }: Repetition,
): Promise<RepetitionOutcome> {
  const client = await authorizingClient(target);
  const request = authorizationRequest(target, client);
  const second = newVerifier();
  const parameters = apply(request, s256(second));
  const seen = await attempt(target, { client, parameters });
  const code = codeIn(seen.end);
  if (code === undefined) return { seen };
  const own = { client, redirect_uri: registeredRedirectUri(client), code, verifier: request.verifier };
  // Before the other code is obtained, which takes a while on a slow target.
  const withOwn = await postToken(target, codeExchange(own));
  const other = await obtainCode(target.setup, {
    client,
    parameters,
    verifier: otherVerifier(request, second),
  });
  return {
    seen,
    redeemed: { withOwn, withOther: await postToken(target, codeExchange(other)) },
  };
}

function expectOneVerifier(
  { seen, redeemed }: RepetitionOutcome,
  { otherMayCount = false, isIgnorable = false }: Repetition,
): Warning | undefined {
  if (redeemed === undefined) return expectAuthorizationRefused(seen, ["invalid_request"]);
  const { withOwn, withOther } = redeemed;
  if (isSuccess(withOther) && (isSuccess(withOwn) || !otherMayCount)) {
    throw new Violation(
      otherMayCount ? "one verifier alone to redeem a code" : "no verifier but its own to redeem a code",
      `${summary(withOwn)} with its own and ${summary(withOther)} with the other`,
      { exchange: withOther },
    );
  }
  return isIgnorable && isSuccess(withOwn)
    ? undefined
    : warning("a repeated parameter is accepted; RFC 6749 §3.1 wants it refused");
}

const repeatedParameters = repetitions.map((repetition) =>
  check({
    id: `PKCE-07/${repetition.slug}`,
    claim: `An authorization request with ${repetition.words} is refused, or ${repetition.otherMayCount ? "one" : "its own"} verifier alone redeems its code.`,
    needs: ["human"],
    act: (target) => redeemRepetition(target, repetition),
    assert: (outcome) => expectOneVerifier(outcome, repetition),
  }),
);

export const authorizationRequestChecks = [...refusals, ...onLoopback, ...repeatedParameters];
