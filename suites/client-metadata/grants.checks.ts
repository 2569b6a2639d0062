import { codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat, expectTokenRefused, shown } from "../support/judging/expect.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { freshGrant, refreshed } from "../support/material/grants.ts";
import { jsonMembers } from "../support/wire/exchange.ts";
import { without } from "../support/wire/parameters.ts";

const needs = ["human"] as const;
const unlockedBy = "client_metadata";

const noVerifier = check({
  id: "PKCE-09/document-no-verifier",
  claim: "A code of a client with a URL as `client_id` is refused without `code_verifier`.",
  needs,
  unlockedBy,
  async act(target) {
    const code = await redeemableCode(target, { client: "document" });
    return postToken(target, without(codeExchange(code), "code_verifier"));
  },
  assert: (exchange) =>
    explained("PKCE-11", () => expectTokenRefused(exchange, ["invalid_grant", "invalid_request"])),
});

const reuse = check({
  id: "REFRESH-04/document",
  claim: "The reuse of a superseded refresh token ends a grant of a client with a URL as `client_id`.",
  needs,
  unlockedBy,
  async act(target) {
    const first = await refreshableGrant(target, { client: "document" });
    const second = await refreshed(target, first);
    await presentRefreshToken(target.setup, first, first.tokens);
    return pollUntilRefreshRefused(target, first, second.tokens);
  },
  assert: (refresh) => expectRefreshRefused(refresh, "REFRESH-04/public"),
});

const narrowing = check({
  id: "SCOPE-06/document",
  claim:
    "When the person narrows a request of a client with a URL as `client_id` to read-only, the token responses say `mail.read`.",
  needs,
  unlockedBy,
  async act(target) {
    const grant = await freshGrant(target, { client: "document", decision: "approve read-only" });
    return [grant.response, (await refreshed(target, grant)).response];
  },
  assert(responses) {
    for (const exchange of responses) {
      const { scope } = jsonMembers(exchange);
      explained("SCOPE-06/response", () =>
        expectThat(scope === "mail.read", "scope mail.read", shown(scope), exchange),
      );
    }
  },
});

/** Grants of such clients are as protected as others. Document, "Authentication", OAuth 2.0 path 1, 2 and 7. */
export const documentGrantChecks = [noVerifier, reuse, narrowing];
