import { codeExchange, postToken, refreshExchange, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError } from "../support/verdict.ts";
import { type Parameters, replacing } from "../support/wire/parameters.ts";

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

/** @throws {BlockedError} when the client has no secret */
function withWrongSecret({ profile }: Target, fields: Parameters): Parameters {
  if (profile.clients.operator?.client_secret === undefined)
    throw new BlockedError("needs a confidential client; give clients.operator.client_secret in the profile");
  return replacing(fields, "client_secret", unguessable());
}

const wrongSecret = check({
  id: "TOKEN-15/operator",
  claim:
    "A code exchange of a client that the operator registered, with a random `client_secret`, is refused with `invalid_client`.",
  needs,
  unlockedBy,
  async act(target) {
    const code = await redeemableCode(target, { client: "operator" });
    return postToken(target, withWrongSecret(target, codeExchange(code)));
  },
  assert: (exchange) => explained("TOKEN-15/wrong", () => expectTokenRefused(exchange, ["invalid_client"])),
});

const wrongSecretAtRefresh = check({
  id: "REFRESH-12/operator",
  claim:
    "A refresh of a client that the operator registered, with a random `client_secret`, is refused with `invalid_client`.",
  needs,
  unlockedBy,
  async act(target) {
    const { client, tokens } = await refreshableGrant(target, { client: "operator" });
    return postToken(target, withWrongSecret(target, refreshExchange(client, tokens.refresh_token)));
  },
  assert: (exchange) => explained("REFRESH-12/wrong", () => expectTokenRefused(exchange, ["invalid_client"])),
});

/** Rotation and secrets are the same for published connectors. Document, "Authentication", OAuth 2.0 path 2, 4 and 5. */
export const operatorGrantChecks = [superseded, reuse, wrongSecret, wrongSecretAtRefresh];
