import { check, observe } from "../support/judging/check.ts";
import { expectNoTokens, isRefusalStatus } from "../support/judging/expect.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { sharedGrant } from "../support/material/grants.ts";
import {
  inOtherCase,
  withCharacterAdded,
  withCharacterOfKindChanged,
  withoutLastCharacter,
} from "../support/material/mutations.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectMalformedOrUnusable, expectUnusable, redeem } from "./redeemed-codes.ts";

interface UnknownCode {
  readonly slug: string;
  /** Reads after "A code exchange with". */
  readonly words: string;
  /** @param issued - a code that can be redeemed */
  readonly value: (issued: string, target: Target) => string | Promise<string>;
  /** What an accepted exchange means, where that is tolerated with a warning. */
  readonly tolerated?: string;
  /** A target may look at the form before it looks for the code, and call the request malformed. */
  readonly isOfOtherForm?: true;
}

const unknownCodes: readonly UnknownCode[] = [
  {
    slug: "random",
    words: "a code of the same form that was not issued",
    value: (issued) => withCharacterOfKindChanged(issued, "authorization codes"),
  },
  {
    slug: "character-added",
    words: "a character appended to its code",
    value: (issued) => withCharacterAdded(issued, "authorization codes"),
    isOfOtherForm: true,
  },
  {
    slug: "character-dropped",
    words: "its code without the last character",
    value: (issued) => withoutLastCharacter(issued, "authorization codes"),
    isOfOtherForm: true,
  },
  {
    slug: "trailing-space",
    words: "a trailing space in its code",
    value: (issued) => `${issued} `,
    isOfOtherForm: true,
    tolerated: "a code with a trailing space is accepted",
  },
  {
    slug: "refresh-token",
    words: "a refresh token as code",
    value: async (_issued, target) => (await sharedGrant(target)).tokens.refresh_token,
    isOfOtherForm: true,
  },
  {
    slug: "access-token",
    words: "an access token as code",
    value: async (_issued, target) => (await sharedGrant(target)).tokens.access_token,
    isOfOtherForm: true,
  },
];

async function redeemInstead(target: Target, value: UnknownCode["value"]): Promise<Exchange> {
  const code = await redeemableCode(target);
  return redeem(target, { ...code, code: await value(code.code, target) });
}

const unknown = unknownCodes.map(({ slug, words, value, tolerated, isOfOtherForm }) =>
  check({
    id: `CODE-07/${slug}`,
    claim: `A code exchange with ${words} is refused with \`invalid_grant\`${isOfOtherForm ? ", or with `invalid_request` and a warning" : ""}.`,
    needs: ["human"],
    act: (target) => redeemInstead(target, value),
    assert(exchange): Warning | undefined {
      if (isSuccess(exchange) && tolerated !== undefined) return warning(tolerated);
      if (isOfOtherForm) return expectMalformedOrUnusable(exchange);
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
