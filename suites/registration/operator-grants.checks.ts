import { check } from "../support/judging/check.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
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

/** Rotation is the same for published connectors. Document, "Authentication", OAuth 2.0 path 2 and 5. */
export const operatorGrantChecks = [superseded, reuse];
