import { claimsOf } from "../support/actors/agent.ts";
import { codeExchange, postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { freshGrant, type Grant, refreshed } from "../support/material/grants.ts";
import { replacing } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { misusedGrant, tokenKinds } from "./tokens.ts";

const refusalCodes = ["invalid_grant", "invalid_request"];
const refusalWords = refusalCodes.map((code) => `\`${code}\``).join(" or ");

/** A grant whose refresh was accepted in this run: the control of every refused refresh. */
function refreshedGrant(target: Target): Promise<Grant> {
  return target.once("confusion:refreshed-grant", async (recording) => {
    const grant = await refreshed(recording, await freshGrant(recording));
    recording.control.cite(grant.response);
    return grant;
  });
}

const misusedAccessToken = async (target: Target): Promise<string> =>
  (await misusedGrant(target)).tokens.access_token;

interface Row {
  readonly slug: string;
  readonly words: string;
  readonly needs: readonly Need[];
  readonly obtain: (target: Target) => Promise<string>;
}

const otherKinds = (["CA", "SE", "CH", "KEY"] as const).map((kind): Row => tokenKinds[kind]);

const accessToken: Row = {
  slug: "access-token",
  words: "an access token",
  needs: [],
  obtain: misusedAccessToken,
};

const asRefreshToken = [accessToken, ...otherKinds].map(({ slug, words, needs, obtain }) =>
  check({
    id: `CONF-TOKEN-XT/${slug}-as-refresh-token`,
    claim: `A refresh with ${words} as \`refresh_token\` is refused with ${refusalWords}.`,
    needs: ["human", ...needs],
    async act(target) {
      const { client } = await refreshedGrant(target);
      return postToken(target, refreshExchange(client, await obtain(target.setup)));
    },
    assert: (exchange) => expectTokenRefused(exchange, refusalCodes),
  }),
);

const accessTokenId: Row = {
  slug: "access-token-jti",
  words: "the `jti` of an access token",
  needs: [],
  async obtain(target) {
    const { jti } = claimsOf(await misusedAccessToken(target)) ?? {};
    if (typeof jti === "string") return jti;
    throw new NotApplicableError("the access token shows no jti, which the document does not name");
  },
};

const asCode = [tokenKinds.RT, accessToken, accessTokenId].map(({ slug, words, obtain }) =>
  check({
    id: `CONF-TOKEN-XT/${slug}-as-code`,
    claim: `A code exchange with ${words} as \`code\` is refused with ${refusalWords}.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target);
      return postToken(target, replacing(codeExchange(code), "code", await obtain(target.setup)));
    },
    assert: (exchange) => expectTokenRefused(exchange, refusalCodes),
  }),
);

export const tokenEndpointChecks = [...asRefreshToken, ...asCode];
