import { obtainCode } from "../support/actors/authorization.ts";
import {
  type AuthorizationCode,
  authorizationRequest,
  codeExchange,
  newVerifier,
  postToken,
  refreshExchange,
  requireTokens,
  type Tokens,
  unguessable,
} from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenAccepted,
  isAccepted,
  pollUntilRejected,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check, observe } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectStatus, isRefusal } from "../support/judging/expect.ts";
import { presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { bystanders } from "../support/material/bystanders.ts";
import { clientFor } from "../support/material/clients.ts";
import { freshGrant, type GrantSpec, grantTo, twoFreshCodes } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { rotatedGrant } from "./rotated-grants.ts";

/**
 * Has a grant ended by reuse, then uses the tokens of another one.
 *
 * @throws {InconclusiveError} precondition-missing, when the reuse ends nothing
 */
async function afterReuseBeside(target: Target, spec: GrantSpec) {
  const bystander = await freshGrant(target, spec);
  await requireAccepted(target, bystander.tokens.access_token, spec.human);
  const { grant, oldest, newest } = await rotatedGrant(target, 1);
  await requireAccepted(target, newest.access_token);
  await presentRefreshToken(target, grant, oldest);
  const { jmap } = await pollUntilRejected(target, newest.access_token);
  if (jmap.response.status !== 401) {
    throw new InconclusiveError(
      "precondition-missing",
      `needs a reuse that ends its grant; JMAP answered an access token of the grant with ${summary(jmap)}`,
      { exchange: jmap, explainedBy: "REFRESH-05" },
    );
  }
  return {
    use: await useAccessToken(target, bystander.tokens.access_token, spec.human),
    refresh: await presentRefreshToken(target, bystander, bystander.tokens),
  };
}

const unharmed = bystanders.map(({ slug, words, spec, needs }) =>
  check({
    id: `REFRESH-10/${slug}`,
    claim: `After the reuse of a refresh token, access token and refresh token of ${words} keep working.`,
    needs: ["human", ...needs],
    act: (target) => afterReuseBeside(target, spec),
    assert({ use, refresh }) {
      expectAccessTokenAccepted(use);
      expectStatus(refresh, 200);
    },
  }),
);

const besideRefresh = check({
  id: "REFRESH-01/beside-other-refresh",
  claim: "A grant is refreshed after an older one of the same person and client was.",
  needs: ["human"],
  async act(target) {
    const [older, newer] = await twoFreshCodes(target);
    const tokens = [await redeemed(target, older), await redeemed(target, newer)] as const;
    const refresh = await postToken(target.control, refreshExchange(older.client, tokens[0].refresh_token));
    // A newer grant may replace an older one (C-34), but not the other way round.
    if (isRefusal(refresh))
      throw new NotApplicableError("a newer grant to the same client ends the older one");
    requireTokens(refresh, "a refresh of the older grant", "REFRESH-01");
    return postToken(target, refreshExchange(newer.client, tokens[1].refresh_token));
  },
  assert: (exchange) => explained("REFRESH-01", () => expectStatus(exchange, 200)),
});

async function redeemed(target: Target, code: AuthorizationCode): Promise<Tokens> {
  const exchange = await postToken(target.setup, codeExchange(code));
  // CODE-12 judges whether each of two codes is redeemed.
  if (isRefusal(exchange))
    throw new NotApplicableError("of two codes for the same client, one is not redeemed");
  return requireTokens(exchange, "a valid code exchange", "CODE-12");
}

const afterRefusals = check({
  id: "REFRESH-01/after-refusals",
  claim:
    "A grant is still refreshed after its client was refused an unknown refresh token, an unknown code and a wrong `code_verifier`.",
  needs: ["human"],
  async act(target) {
    const client = await clientFor(target, "public", "refusals");
    // A newer grant may replace an older one (C-34).
    const code = await obtainCode(target.setup, authorizationRequest(target, client));
    const grant = await grantTo(target.setup, client);
    const unknown = { ...code, code: unguessable() };
    const refusals = [
      await postToken(target.control, refreshExchange(client, unguessable() + unguessable())),
      await postToken(target.control, codeExchange(unknown)),
      await postToken(target.control, codeExchange({ ...code, verifier: newVerifier() })),
    ];
    const accepted = refusals.find(isSuccess);
    if (accepted !== undefined)
      throw new InconclusiveError("precondition-missing", "needs requests that the target refuses", {
        exchange: accepted,
        explainedBy: "REFRESH-14/random",
      });
    return presentRefreshToken(target, grant, grant.tokens);
  },
  assert: (exchange) => explained("REFRESH-01", () => expectStatus(exchange, 200)),
});

const sameClient = observe({
  id: "REFRESH-10/same-client",
  question: "Does a person's other grant to the same client survive the reuse of a refresh token?",
  needs: ["human"],
  act: (target) => afterReuseBeside(target, {}),
  answer: ({ use, refresh }) =>
    isAccepted(use) && isSuccess(refresh)
      ? "yes"
      : `no: its access token got ${summary(use.jmap)}, its refresh token ${summary(refresh)}`,
});

export const isolationChecks = [...unharmed, besideRefresh, afterRefusals, sameClient];
