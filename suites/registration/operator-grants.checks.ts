import { codeExchange, postToken, requireTokens } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { refreshed } from "../support/material/grants.ts";

const needs = ["human"] as const;
const unlockedBy = "operator_client";

const superseded = check({
  id: "REFRESH-03/operator",
  claim: "A superseded refresh token of a client that the operator registered is refused.",
  needs,
  unlockedBy,
  async act(target) {
    const first = await refreshableGrant(target, { client: "operator" });
    await refreshed(target, first);
    return presentRefreshToken(target, first, first.tokens);
  },
  assert: (refresh) => expectRefreshRefused(refresh, "REFRESH-03/public"),
});

const reuse = check({
  id: "REFRESH-04/operator",
  claim: "The reuse of a superseded refresh token ends a grant of a client that the operator registered.",
  needs,
  unlockedBy,
  async act(target) {
    const first = await refreshableGrant(target, { client: "operator" });
    const second = await refreshed(target, first);
    // Whether it is refused is judged by REFRESH-03/operator.
    await presentRefreshToken(target.setup, first, first.tokens);
    return pollUntilRefreshRefused(target, first, second.tokens);
  },
  assert: (refresh) => expectRefreshRefused(refresh, "REFRESH-04/public"),
});

const usedCode = check({
  id: "CODE-01/operator",
  claim:
    "The second exchange of a code of a client that the operator registered is refused with `invalid_grant`.",
  needs,
  unlockedBy,
  async act(target) {
    const fields = codeExchange(await redeemableCode(target, { client: "operator" }));
    requireTokens(await postToken(target.control, fields), "a valid code exchange");
    return postToken(target, fields);
  },
  assert: (exchange) => explained("CODE-01/public", () => expectTokenRefused(exchange, ["invalid_grant"])),
});

/** Codes and rotation are the same for published connectors. Document, "States", and "Authentication", OAuth 2.0 path 2 and 5. */
export const operatorGrantChecks = [superseded, reuse, usedCode];
