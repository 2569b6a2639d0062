import {
  authorizationRequest,
  type AuthorizationRequest,
  codeExchange,
  jmapResource,
  mcpResource,
  newVerifier,
  postToken,
  s256,
} from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, warning } from "../support/verdict.ts";

/** One flaw in the PKCE parameters of an otherwise valid authorization request. */
interface Flaw {
  readonly requirement: string;
  readonly slug: string;
  /** Reads after "a request". */
  readonly words: string;
  readonly apply: (request: AuthorizationRequest) => Parameters;
}

const missing: readonly Flaw[] = [
  {
    requirement: "PKCE-01",
    slug: "no-challenge",
    words: "without code_challenge",
    apply: ({ parameters }) => without(parameters, "code_challenge"),
  },
  {
    requirement: "PKCE-02",
    slug: "no-pkce",
    words: "without code_challenge and code_challenge_method",
    apply: ({ parameters }) => without(without(parameters, "code_challenge"), "code_challenge_method"),
  },
  {
    requirement: "PKCE-03",
    slug: "no-method",
    words: "without code_challenge_method",
    apply: ({ parameters }) => without(parameters, "code_challenge_method"),
  },
  {
    requirement: "PKCE-03",
    slug: "no-method-verifier-as-challenge",
    words:
      "without code_challenge_method whose code_challenge is the verifier itself, as plain would have it",
    apply: ({ parameters, verifier }) =>
      without(replacing(parameters, "code_challenge", verifier), "code_challenge_method"),
  },
  {
    requirement: "PKCE-04",
    slug: "plain",
    words: "with code_challenge_method plain",
    apply: ({ parameters, verifier }) =>
      replacing(replacing(parameters, "code_challenge", verifier), "code_challenge_method", "plain"),
  },
];

const methodSpellings = [
  { slug: "lower-case", method: "s256" },
  { slug: "trailing-space", method: "S256 " },
  { slug: "leading-space", method: " S256" },
  { slug: "trailing-nul", method: "S256\0" },
  { slug: "hyphen", method: "S-256" },
  { slug: "sha256", method: "SHA256" },
  { slug: "sha-256", method: "sha-256" },
  { slug: "rs256", method: "RS256" },
  { slug: "s512", method: "S512" },
  { slug: "none", method: "none" },
  { slug: "null", method: "null" },
  { slug: "zero", method: "0" },
];

const misspelt: readonly Flaw[] = methodSpellings.map(({ slug, method }) => ({
  requirement: "PKCE-05",
  slug,
  words: `with code_challenge_method ${JSON.stringify(method)}`,
  apply: ({ parameters }) => replacing(parameters, "code_challenge_method", method),
}));

const empty: readonly Flaw[] = [
  {
    requirement: "PKCE-06",
    slug: "challenge",
    words: "with an empty code_challenge",
    apply: ({ parameters }) => replacing(parameters, "code_challenge", ""),
  },
  {
    requirement: "PKCE-06",
    slug: "method",
    words: "with an empty code_challenge_method",
    apply: ({ parameters }) => replacing(parameters, "code_challenge_method", ""),
  },
  {
    requirement: "PKCE-06",
    slug: "both",
    words: "with code_challenge and code_challenge_method empty",
    apply: ({ parameters }) =>
      replacing(replacing(parameters, "code_challenge", ""), "code_challenge_method", ""),
  },
];

function refusal(
  id: string,
  flaw: Flaw,
  client: "public" | "confidential",
  resource: (target: Target) => string,
  audience: string,
) {
  return check({
    id,
    claim: `A ${client} client's request for ${audience} ${flaw.words} is refused with 400 invalid_request.`,
    async act(target) {
      const choice = { resource: resource(target) };
      const request = authorizationRequest(target, await authorizingClient(target, client, choice), choice);
      return attempt(target, { client: request.client, parameters: flaw.apply(request) });
    },
    assert: (seen) => expectAuthorizationRefused(seen, ["invalid_request"]),
  });
}

const publicClients = [...missing, ...misspelt, ...empty].map((flaw) =>
  refusal(`${flaw.requirement}/${flaw.slug}`, flaw, "public", jmapResource, "JMAP"),
);

const mcpConnections = missing.map((flaw) =>
  refusal(`${flaw.requirement}/${flaw.slug}-mcp`, flaw, "public", mcpResource, "MCP"),
);

const confidentialClients = missing.map((flaw) =>
  refusal(`PKCE-08/${flaw.slug}`, flaw, "confidential", jmapResource, "JMAP"),
);

/** A request that names a PKCE parameter twice, and a verifier that only the pair that was not validated would redeem. */
interface Repetition {
  readonly slug: string;
  readonly words: string;
  /** A verifier of the second pair comes along, for those who repeat the challenge. */
  readonly apply: (request: AuthorizationRequest, secondVerifier: string) => Parameters;
  /** What must not redeem a code, should one be issued, when the request's own verifier does. */
  readonly smuggled: (request: AuthorizationRequest, secondVerifier: string) => string;
}

const repetitions: readonly Repetition[] = [
  {
    slug: "method-then-plain",
    words: "with code_challenge_method S256 and then plain",
    apply: ({ parameters }) => adding(parameters, ["code_challenge_method", "plain"]),
    smuggled: ({ verifier }) => s256(verifier),
  },
  {
    slug: "plain-then-method",
    words: "with code_challenge_method plain and then S256",
    apply: ({ parameters }) => [["code_challenge_method", "plain"], ...parameters],
    smuggled: ({ verifier }) => s256(verifier),
  },
  {
    slug: "array-notation",
    words: "with code_challenge_method S256 and code_challenge_method[] plain",
    apply: ({ parameters }) => adding(parameters, ["code_challenge_method[]", "plain"]),
    smuggled: ({ verifier }) => s256(verifier),
  },
  {
    slug: "second-challenge-last",
    words: "with two different values of code_challenge",
    apply: ({ parameters }, second) => adding(parameters, ["code_challenge", s256(second)]),
    smuggled: (_request, second) => second,
  },
  {
    slug: "second-challenge-first",
    words: "with two different values of code_challenge, the other one first",
    apply: ({ parameters }, second) => [["code_challenge", s256(second)], ...parameters],
    smuggled: (_request, second) => second,
  },
];

interface RepeatedEvidence {
  readonly first: Attempt;
  /** Exchanges of two codes of such requests, one with each verifier; empty when no code was issued. */
  readonly redemptions: readonly Exchange[];
}

const repeatedParameters = repetitions.map(({ slug, words, apply, smuggled }) =>
  check({
    id: `PKCE-07/${slug}`,
    claim: `A request ${words} is refused, or its code is redeemed by one verifier alone.`,
    needs: ["human"],
    async act(target): Promise<RepeatedEvidence> {
      const client = await authorizingClient(target);
      const request = authorizationRequest(target, client);
      const second = newVerifier();
      const parameters = apply(request, second);
      const first = await attempt(target, { client, parameters });
      const code = codeIn(first.end);
      const other =
        code === undefined ? undefined : codeIn((await attempt(target, { client, parameters })).end);
      if (code === undefined || other === undefined) return { first, redemptions: [] };
      const fields = { client, redirect_uri: client.redirect_uris[0] ?? "" };
      return {
        first,
        redemptions: [
          await postToken(target, codeExchange({ ...fields, code, verifier: request.verifier })),
          await postToken(
            target,
            codeExchange({ ...fields, code: other, verifier: smuggled(request, second) }),
          ),
        ],
      };
    },
    assert({ first, redemptions }) {
      if (codeIn(first.end) === undefined) return expectAuthorizationRefused(first, ["invalid_request"]);
      const redeemed = redemptions.filter(isSuccess);
      const own = redemptions[0];
      const isDowngrade = !slug.startsWith("second-challenge") && redemptions.slice(1).some(isSuccess);
      if (redeemed.length > 1 || isDowngrade) {
        throw new Violation(
          "at most the validated pair to redeem the code",
          redemptions.map(summary).join(" and "),
        );
      }
      return slug === "array-notation" && own !== undefined && isSuccess(own)
        ? undefined
        : warning("a repeated parameter is accepted; RFC 6749 §3.1 wants it refused");
    },
  }),
);

export const authorizationRequestChecks = [
  ...publicClients,
  ...mcpConnections,
  ...confidentialClients,
  ...repeatedParameters,
];
