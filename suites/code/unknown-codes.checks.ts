import { unguessable } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectNoTokens, isRefusalStatus } from "../support/judging/expect.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { sharedGrant } from "../support/material/grants.ts";
import { inOtherCase, withCharacterAdded, withoutLastCharacter } from "../support/material/mutations.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectUnusable, redeem } from "./redeemed-codes.ts";

interface UnknownCode {
  readonly slug: string;
  /** Reads after "A code exchange with". */
  readonly words: string;
  /** @param issued - a code that can be redeemed */
  readonly value: (issued: string, target: Target) => string | Promise<string>;
  /** What an accepted exchange means, where that is tolerated with a warning. */
  readonly tolerated?: string;
}

const unknownCodes: readonly UnknownCode[] = [
  { slug: "random", words: "a random value as code", value: () => unguessable() + unguessable() },
  {
    slug: "character-added",
    words: "a character appended to its code",
    value: (issued) => withCharacterAdded(issued, "authorization codes"),
  },
  {
    slug: "character-dropped",
    words: "its code without the last character",
    value: (issued) => withoutLastCharacter(issued, "authorization codes"),
  },
  {
    slug: "trailing-space",
    words: "a trailing space in its code",
    value: (issued) => `${issued} `,
    tolerated: "a code with a trailing space is accepted",
  },
  {
    slug: "refresh-token",
    words: "a refresh token as code",
    value: async (_issued, target) => (await sharedGrant(target)).tokens.refresh_token,
  },
  {
    slug: "access-token",
    words: "an access token as code",
    value: async (_issued, target) => (await sharedGrant(target)).tokens.access_token,
  },
];

async function redeemInstead(target: Target, value: UnknownCode["value"]): Promise<Exchange> {
  const code = await redeemableCode(target);
  return redeem(target, { ...code, code: await value(code.code, target) });
}

const unknown = unknownCodes.map(({ slug, words, value, tolerated }) =>
  check({
    id: `CODE-07/${slug}`,
    claim: `A code exchange with ${words} is refused with \`invalid_grant\`.`,
    needs: ["human"],
    act: (target) => redeemInstead(target, value),
    assert(exchange): Warning | undefined {
      if (isSuccess(exchange) && tolerated !== undefined) return warning(tolerated);
      expectUnusable(exchange);
      return undefined;
    },
  }),
);

const tooLargeStatuses = [413, 414, 431];

const tooLong = check({
  id: "CODE-07/10-kilobytes",
  claim: "A code exchange with a code of 10 kB is refused and gives no tokens.",
  needs: ["human"],
  act: (target) => redeemInstead(target, () => "a".repeat(10_000)),
  assert(exchange): Warning | undefined {
    expectNoTokens(exchange);
    const { status } = exchange.response;
    if (!isRefusalStatus(status))
      throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), { exchange });
    // A server may well refuse the length before it looks for the code.
    const isExpected =
      tooLargeStatuses.includes(status) || jsonMembers(exchange)["error"] === "invalid_grant";
    return isExpected ? undefined : warning(`refused with ${summary(exchange)}, not invalid_grant`);
  },
});

const otherCase = observe({
  id: "CODE-07/other-case",
  question: "Is a code redeemed with the case of its letters swapped?",
  needs: ["human"],
  act: (target) => redeemInstead(target, (issued) => inOtherCase(issued, "authorization codes")),
  answer: (exchange) => (isSuccess(exchange) ? "yes" : `no: ${summary(exchange)}`),
});

export const unknownCodeChecks = [...unknown, tooLong, otherCase];
