import { obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  refreshExchange,
} from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectRefreshRefused, presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { sharedClient } from "../support/material/clients.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { refreshed } from "../support/material/grants.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";

const flow = observe({
  id: "DCR-09",
  question: "What can an operator-registered client get with a code and a refresh token?",
  needs: ["human"],
  unlockedBy: "operator_client",
  async act(target) {
    const client = await sharedClient(target, "operator");
    const code = await obtainCode(target.setup, authorizationRequest(target, client));
    const redeemed = await postToken(target, codeExchange(code));
    const { refresh_token: token } = jsonMembers(redeemed);
    const refreshed =
      typeof token === "string" ? [await postToken(target, refreshExchange(client, token))] : [];
    return [redeemed, ...refreshed];
  },
  answer: (exchanges) => exchanges.map(summary).join(", then "),
});

const superseded = check({
  id: "REFRESH-03/operator",
  claim: "A superseded refresh token of an operator-registered client is refused.",
  needs: ["human"],
  unlockedBy: "operator_client",
  async act(target) {
    const first = await refreshableGrant(target, { client: "operator" });
    await refreshed(target, first);
    return presentRefreshToken(target, first, first.tokens);
  },
  assert: (refresh) => expectRefreshRefused(refresh, "REFRESH-03/public"),
});

/** A published connector gets its tokens, and they rotate. Document, "Authentication", OAuth 2.0 path 2 and 5 (c). */
export const operatorClientChecks = [flow, superseded];
