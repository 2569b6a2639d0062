import { claimsOf } from "../support/actors/agent.ts";
import { codeExchange, postToken, refreshExchange, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { freshGrant, type Grant, refreshed } from "../support/material/grants.ts";
import { replacing } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { strayGrant, type TokenCode, tokenKinds } from "./tokens.ts";

const refusalCodes = ["invalid_grant", "invalid_request"];

/** A client for which a refresh was accepted in this run. */
function refreshingGrant(target: Target): Promise<Grant> {
  return target.once("control:confusion:refresh", async (recording) =>
    refreshed(recording, await freshGrant(recording)),
  );
}

const refreshTokens: readonly TokenCode[] = ["AJ", "CA", "SE", "CH", "KEY"];

const asRefreshToken = refreshTokens.map((kind) =>
  check({
    id: `CONF-TOKEN-XT/refresh-token-${kind}`,
    claim: `A refresh with ${tokenKinds[kind].words} as refresh_token is refused with 400 ${refusalCodes.join(" or ")}.`,
    needs: ["human", ...tokenKinds[kind].needs],
    async act(target) {
      const { client } = await refreshingGrant(target);
      const token =
        kind === "AJ"
          ? (await strayGrant(target)).tokens.access_token
          : await tokenKinds[kind].obtain(target);
      return postToken(target, refreshExchange(client, token));
    },
    assert: (exchange) => expectTokenRefused(exchange, refusalCodes),
  }),
);

const codes: readonly { slug: string; words: string; obtain: (target: Target) => Promise<string> }[] = [
  { slug: "RT", words: "a refresh token", obtain: tokenKinds.RT.obtain },
  {
    slug: "AJ",
    words: "an access token",
    obtain: async (target) => (await strayGrant(target)).tokens.access_token,
  },
  {
    slug: "jti",
    words: "the jti of an access token",
    async obtain(target) {
      const { jti } = claimsOf((await strayGrant(target)).tokens.access_token) ?? {};
      return typeof jti === "string" ? jti : unguessable();
    },
  },
];

const asCode = codes.map(({ slug, words, obtain }) =>
  check({
    id: `CONF-TOKEN-XT/code-${slug}`,
    claim: `A code exchange with ${words} as code is refused with 400 ${refusalCodes.join(" or ")}.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target);
      return postToken(target, replacing(codeExchange(code), "code", await obtain(target)));
    },
    assert: (exchange) => expectTokenRefused(exchange, refusalCodes),
  }),
);

export const tokenEndpointChecks = [...asRefreshToken, ...asCode];
