import { obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  refreshExchange,
} from "../support/actors/oauth-client.ts";
import { observe } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";

const flow = observe({
  id: "DCR-09",
  question: "What do a code and a refresh token get a client that the operator registered?",
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

export const operatorClientChecks = [flow];
