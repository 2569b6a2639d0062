import { sharedAgent, sharedSession } from "../support/material/agents.ts";
import { postToken, refreshExchange, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import type { Need } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { freshCode, freshGrant, type Grant } from "../support/material/grants.ts";
import { without } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError } from "../support/verdict.ts";
import { requireRotation } from "./rotated-grants.ts";

interface NoToken {
  readonly slug: string;
  /** Reads after "A refresh with". */
  readonly words: string;
  readonly value: (target: Target, grant: Grant) => string | Promise<string>;
  readonly needs?: readonly Need[];
}

const noTokens: readonly NoToken[] = [
  { slug: "random", words: "a random value", value: () => unguessable() + unguessable() },
  { slug: "empty", words: "an empty refresh_token", value: () => "" },
  {
    slug: "character-added",
    words: "a refresh token and one more character",
    value: (_target, { tokens }) => `${tokens.refresh_token}A`,
  },
  {
    slug: "character-dropped",
    words: "a refresh token less its last character",
    value: (_target, { tokens }) => tokens.refresh_token.slice(0, -1),
  },
  { slug: "other-case", words: "a refresh token in the other case", value: inOtherCase },
  { slug: "access-token", words: "an access token", value: (_target, { tokens }) => tokens.access_token },
  {
    slug: "code",
    words: "an authorization code",
    value: async (target) => (await freshCode(target)).code,
  },
  {
    slug: "api-key",
    words: "an agent's apiKey",
    value: async (target) => (await sharedAgent(target)).apiKey,
    needs: [],
  },
  {
    slug: "session",
    words: "an agent's session JWT",
    value: (target) => sharedSession(target),
    needs: [],
  },
];

function inOtherCase(_target: Target, { tokens }: Grant): string {
  const token = tokens.refresh_token;
  const changed = token.replace(/[a-z]/giu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (changed === token) throw new BlockedError("needs refresh tokens with letters; the target's have none");
  return changed;
}

const unknown = noTokens.map(({ slug, words, value, needs = [] }) =>
  check({
    id: `REFRESH-14/${slug}`,
    claim: `A refresh with ${words} is refused with 400 invalid_grant or invalid_request.`,
    needs: ["human", ...needs],
    async act(target) {
      await requireRotation(target);
      // Of its own: a target that takes the value for the token would rotate it.
      const grant = await freshGrant(target);
      return postToken(target, refreshExchange(grant.client, await value(target, grant)));
    },
    assert: (exchange) => expectTokenRefused(exchange, ["invalid_grant", "invalid_request"]),
  }),
);

const missing = check({
  id: "REFRESH-14/missing",
  claim: "A refresh without refresh_token is refused with 400 invalid_grant or invalid_request.",
  needs: ["human"],
  async act(target) {
    await requireRotation(target);
    const { client } = await freshGrant(target);
    return postToken(target, without(refreshExchange(client, ""), "refresh_token"));
  },
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_grant", "invalid_request"]),
});

export const unknownTokenChecks = [...unknown, missing];
