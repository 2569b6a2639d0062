import { jmapResource } from "../support/actors/oauth-client.ts";
import { callHook, firstUsername } from "../support/actors/operator.ts";
import {
  expectAccessTokenRejected,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { isJsonObject } from "../support/wire/exchange.ts";

const refused = check({
  id: "BEARER-08",
  claim:
    "An access token of another issuer, whose keys the target can read, is refused by JMAP and by the inbox list.",
  needs: ["human"],
  unlockedBy: "foreign_token_hook",
  async act(target) {
    await requireAccepted(target, await sharedAccessToken(target));
    const details = { username: firstUsername(target), resource: jmapResource(target) };
    return useAccessToken(target, tokenIn(await callHook(target, "foreign_token", details)));
  },
  assert: (use) => expectAccessTokenRejected(use),
});

/** @throws {InconclusiveError} precondition-missing, when the hook answered no token */
function tokenIn(answer: string): string {
  const parsed = parsedJson(answer);
  const token = isJsonObject(parsed) ? parsed["access_token"] : undefined;
  if (typeof token === "string" && token !== "") return token;
  throw new InconclusiveError(
    "precondition-missing",
    "hooks.foreign_token: expected a JSON object with access_token",
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told like JSON without a token.
    return undefined;
  }
}

export const foreignIssuerChecks = [refused];
