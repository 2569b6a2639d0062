import {
  type AuthorizationCode,
  newVerifier,
  registeredRedirectUri,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectNoTokens, isRefusalStatus } from "../support/judging/expect.ts";
import { sharedGrant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, type Finding, Violation, warning } from "../support/verdict.ts";
import { expectUnusable, redeem } from "./redeemed-codes.ts";

const nearMisses: readonly { slug: string; words: string; spelling: (code: string) => string }[] = [
  { slug: "character-added", words: "a code and one more character", spelling: (code) => `${code}A` },
  {
    slug: "character-dropped",
    words: "a code less its last character",
    spelling: (code) => code.slice(0, -1),
  },
  { slug: "trailing-space", words: "a code and a space behind it", spelling: (code) => `${code} ` },
  { slug: "other-case", words: "a code in the other case", spelling: inOtherCase },
];

function inOtherCase(code: string): string {
  const changed = code.replace(/[a-z]/giu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (changed === code) throw new BlockedError("needs codes with letters; the target's have none");
  return changed;
}

const misspelt = nearMisses.map(({ slug, words, spelling }) =>
  check({
    id: `CODE-07/${slug}`,
    claim: `An exchange of ${words} is refused with 400 invalid_grant.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target);
      return redeem(target, { ...code, code: spelling(code.code) });
    },
    assert: expectUnusable,
  }),
);

/** An exchange with everything but a code, by a client whose codes are redeemed. */
async function withoutCode(target: Target, value: string): Promise<AuthorizationCode> {
  await sharedGrant(target);
  const client = await sharedClient(target, "public");
  return { client, code: value, redirect_uri: registeredRedirectUri(client), verifier: newVerifier() };
}

const noCodes: readonly { slug: string; words: string; value: (target: Target) => Promise<string> }[] = [
  { slug: "random", words: "a random value", value: async () => unguessable() + unguessable() },
  {
    slug: "refresh-token",
    words: "a refresh token",
    value: async (target) => (await sharedGrant(target)).tokens.refresh_token,
  },
  {
    slug: "access-token",
    words: "an access token",
    value: async (target) => (await sharedGrant(target)).tokens.access_token,
  },
];

const unknown = noCodes.map(({ slug, words, value }) =>
  check({
    id: `CODE-07/${slug}`,
    claim: `An exchange of ${words} for a code is refused with 400 invalid_grant.`,
    needs: ["human"],
    act: async (target) => redeem(target, await withoutCode(target, await value(target))),
    assert: expectUnusable,
  }),
);

const tooLong = check({
  id: "CODE-07/10-kilobytes",
  claim: "An exchange of a code of 10 kB is refused without tokens.",
  needs: ["human"],
  act: async (target) => redeem(target, await withoutCode(target, "a".repeat(10_000))),
  assert(exchange: Exchange): Finding | undefined {
    expectNoTokens(exchange);
    if (!isRefusalStatus(exchange.response.status))
      throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange));
    // A server may well refuse the length before it looks for the code.
    return jsonMembers(exchange)["error"] === "invalid_grant"
      ? undefined
      : warning(`refused with ${summary(exchange)}, not invalid_grant`);
  },
});

export const unknownCodeChecks = [...misspelt, ...unknown, tooLong];
