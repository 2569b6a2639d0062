import { refreshExchange, postToken, unguessable } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { sharedAgent, sharedSession } from "../support/material/agents.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { freshCode, type Grant } from "../support/material/grants.ts";
import { inOtherCase, withCharacterAdded, withoutLastCharacter } from "../support/material/mutations.ts";
import type { Target } from "../support/target/target.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { without } from "../support/wire/parameters.ts";

interface UnknownToken {
  readonly slug: string;
  /** Reads after "A refresh with". */
  readonly words: string;
  readonly value: (target: Target, grant: Grant) => string | Promise<string>;
}

const unknownTokens: readonly UnknownToken[] = [
  {
    slug: "random",
    words: "a random value as refresh token",
    value: () => unguessable() + unguessable(),
  },
  { slug: "empty", words: "an empty `refresh_token`", value: () => "" },
  {
    slug: "character-added",
    words: "a character appended to its refresh token",
    value: (_target, { tokens }) => withCharacterAdded(tokens.refresh_token, "refresh tokens"),
  },
  {
    slug: "character-dropped",
    words: "its refresh token without the last character",
    value: (_target, { tokens }) => withoutLastCharacter(tokens.refresh_token, "refresh tokens"),
  },
  {
    slug: "access-token",
    words: "an access token as refresh token",
    value: (_target, { tokens }) => tokens.access_token,
  },
  {
    slug: "code",
    words: "an authorization code as refresh token",
    value: async (target) => (await freshCode(target)).code,
  },
  {
    slug: "api-key",
    words: "an agent's `apiKey` as refresh token",
    value: async (target) => (await sharedAgent(target)).apiKey,
  },
  {
    slug: "session",
    words: "an agent's session JWT as refresh token",
    value: (target) => sharedSession(target),
  },
];

const unknown = unknownTokens.map(({ slug, words, value }) =>
  check({
    id: `REFRESH-14/${slug}`,
    claim: `A refresh with ${words} is refused with \`invalid_grant\` or \`invalid_request\`.`,
    needs: ["human"],
    async act(target) {
      // Of its own: a target that takes the value for the token would rotate it.
      const grant = await refreshableGrant(target);
      return presentRefreshToken(target, grant, { refresh_token: await value(target, grant) });
    },
    assert: (exchange) => expectTokenRefused(exchange, ["invalid_grant", "invalid_request"]),
  }),
);

const confidentialCode = check({
  id: "REFRESH-14/confidential-code",
  claim:
    "A refresh of a confidential client with an authorization code of its own as refresh token is refused with `invalid_grant` or `invalid_request`.",
  needs: ["human"],
  async act(target) {
    const { client } = await refreshableGrant(target, { client: "confidential" });
    const { code } = await redeemableCode(target, { client: "confidential" });
    return postToken(target, refreshExchange(client, code));
  },
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_grant", "invalid_request"]),
});

const missing = check({
  id: "REFRESH-14/missing",
  claim: "A refresh without `refresh_token` is refused with `invalid_grant` or `invalid_request`.",
  needs: ["human"],
  async act(target) {
    const { client } = await refreshableGrant(target);
    return postToken(target, without(refreshExchange(client, ""), "refresh_token"));
  },
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_grant", "invalid_request"]),
});

const otherCase = observe({
  id: "REFRESH-14/other-case",
  question: "Is a refresh token accepted with the case of its letters swapped?",
  needs: ["human"],
  async act(target) {
    const grant = await refreshableGrant(target);
    const swapped = inOtherCase(grant.tokens.refresh_token, "refresh tokens");
    return presentRefreshToken(target, grant, { refresh_token: swapped });
  },
  answer: (exchange) => (isSuccess(exchange) ? "yes" : `no: ${summary(exchange)}`),
});

export const unknownTokenChecks = [...unknown, confidentialCode, missing, otherCase];
