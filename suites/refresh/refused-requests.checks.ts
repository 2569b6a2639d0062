import { postToken, refreshExchange, requireTokens } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { adding } from "../support/wire/parameters.ts";

const flaws = [
  {
    slug: "unknown-scope",
    words: "an unknown `scope`",
    parameter: ["scope", "mail.read mailproof.unknown"],
  },
  {
    slug: "wrong-resource",
    words: "a `resource` that was not granted",
    parameter: ["resource", "https://evil.test/jmap"],
  },
] as const;

/**
 * A refresh token is superseded when a new one is issued, and a refused request issues none. Document, "States", refresh
 * token. Of requests that are refused for their content it says no more, and libraries rotate before they look at it (C-102).
 */
export const refusedRequestChecks = flaws.map(({ slug, words, parameter }) =>
  check({
    id: `REFRESH-13/${slug}`,
    claim: `After a refresh with ${words}, the refresh token that the client has still refreshes, or is refused with \`invalid_grant\`.`,
    needs: ["human"],
    async act(target) {
      const grant = await refreshableGrant(target);
      const fields = adding(refreshExchange(grant.client, grant.tokens.refresh_token), parameter);
      const flawed = await postToken(target, fields);
      // A target may ignore what it does not know: then the client has a new refresh token.
      const current = isSuccess(flawed) ? requireTokens(flawed, `a refresh with ${words}`) : grant.tokens;
      return presentRefreshToken(target, grant, current);
    },
    assert(exchange): Warning | undefined {
      if (isSuccess(exchange)) return undefined;
      expectTokenRefused(exchange, ["invalid_grant"]);
      return warning("a refused refresh used the refresh token up, which costs the client its grant");
    },
  }),
);
