import {
  authorizationRequest,
  codeExchange,
  newVerifier,
  postToken,
  s256,
} from "../support/actors/oauth-client.ts";
import { attempt } from "../support/actors/authorization.ts";
import { recommend } from "../support/judging/check.ts";
import { expectNoTokens, expectThat, isRefusal } from "../support/judging/expect.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { authorizingClient, requireRedeemable } from "../support/material/controls.ts";
import { freshCode } from "../support/material/grants.ts";
import { summary } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";

/** A verifier that RFC 7636 §4.1 does not allow, sent for a code whose challenge is its hash. */
const verifiers = [
  {
    id: "B-PKCE-04/42-characters",
    words: "of 42 characters",
    verifier: () => newVerifier().slice(0, 42),
  },
  { id: "B-PKCE-04/1-character", words: "of one character", verifier: () => newVerifier().slice(0, 1) },
  {
    id: "B-PKCE-05/129-characters",
    words: "of 129 characters",
    verifier: () => newVerifier().repeat(3),
  },
  {
    id: "B-PKCE-05/10000-characters",
    words: "of 10,000 characters",
    verifier: () => newVerifier().repeat(233).slice(0, 10_000),
  },
  {
    id: "B-PKCE-06/base64",
    words: "with `+`, `/` and `=`",
    verifier: () => `+/=${newVerifier()}`,
  },
  {
    id: "B-PKCE-06/other-characters",
    words: "with a space, `%` and a letter beyond ASCII",
    // The space stands inside: many frameworks trim white space around a value.
    verifier: () => `%é ${newVerifier()}`,
  },
];

const malformedVerifiers = verifiers.map(({ id, words, verifier }) =>
  recommend({
    id,
    claim: `A \`code_verifier\` ${words} is refused, and does not redeem the code whose \`code_challenge\` is its hash.`,
    needs: ["human"],
    async act(target) {
      await requireRedeemable(target);
      return postToken(target, codeExchange(await freshCode(target, { verifier: verifier() })));
    },
    assert(exchange) {
      expectNoTokens(exchange);
      // What all refusals share, their codes included, other checks judge.
      expectThat(isRefusal(exchange), "a refusal with 4xx", summary(exchange), exchange);
    },
  }),
);

/** A challenge of 43 characters, of which some are replaced or left out, or to which some are added. */
const challenges = [
  { slug: "42-characters", words: "of 42 characters", change: (right: string) => right.slice(0, 42) },
  { slug: "padded", words: "of 43 characters and a `=`", change: (right: string) => `${right}=` },
  { slug: "129-characters", words: "of 129 characters", change: (right: string) => right.repeat(3) },
  { slug: "plus", words: "with a `+`", change: (right: string) => `+${right.slice(1)}` },
  { slug: "slash", words: "with a `/`", change: (right: string) => `/${right.slice(1)}` },
  { slug: "semicolon", words: "with a `;`", change: (right: string) => `;${right.slice(1)}` },
];

const malformedChallenges = challenges.map(({ slug, words, change }) =>
  recommend({
    id: `B-PKCE-07/${slug}`,
    claim: `An authorization request with a \`code_challenge\` ${words} is refused with \`invalid_request\`.`,
    async act(target) {
      const request = authorizationRequest(target, await authorizingClient(target));
      const parameters = replacing(request.parameters, "code_challenge", change(s256(request.verifier)));
      return attempt(target, { client: request.client, parameters });
    },
    assert: (seen) => expectAuthorizationRefused(seen, ["invalid_request"]),
  }),
);

/** Verifiers and challenges that RFC 7636 rules out by their form alone. */
export const syntaxChecks = [...malformedVerifiers, ...malformedChallenges];
