import { check, type Need } from "../support/judging/check.ts";
import { type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectThat } from "../support/judging/expect.ts";
import { foreignInbox, twoInboxes } from "../support/material/inboxes.ts";
import { accountHeader } from "../support/actors/jmap.ts";
import { observation, Violation } from "../support/verdict.ts";
import { markIn, seen, selecting, servedSelection } from "./selection.ts";

/** Several values for one header. `foreign` is another person's inbox, `other` a second one of the same person. */
const repeated: readonly {
  slug: string;
  words: string;
  needs: readonly Need[];
  usesSecondInbox?: true;
  values: (inboxes: { own: string; other: string; foreign: string }) => readonly string[];
}[] = [
  {
    slug: "own-foreign",
    words: "two lines with an owned and a foreign accountId",
    needs: ["second-human"],
    values: ({ own, foreign }) => [own, foreign],
  },
  {
    slug: "foreign-own",
    words: "two lines with a foreign and an owned accountId",
    needs: ["second-human"],
    values: ({ own, foreign }) => [foreign, own],
  },
  {
    slug: "two-owned",
    words: "two lines with two owned accountIds",
    needs: [],
    usesSecondInbox: true,
    values: ({ own, other }) => [own, other],
  },
  {
    slug: "list-own-foreign",
    words: "one line with an owned and a foreign accountId after a comma",
    needs: ["second-human"],
    values: ({ own, foreign }) => [`${own}, ${foreign}`],
  },
  {
    slug: "list-own-own",
    words: "one line with the same owned accountId twice, a comma between",
    needs: [],
    values: ({ own }) => [`${own},${own}`],
  },
];

const duplicates = repeated.map(({ slug, words, needs, usesSecondInbox, values }) =>
  check({
    id: `HDR-21/${slug}`,
    claim: `An account header in ${words} is answered 400, or 403.`,
    needs: ["human", ...needs],
    async act(target) {
      const { token, accountId: own } = await servedSelection(target);
      const other = usesSecondInbox ? (await twoInboxes(target))[1] : own;
      const foreign = needs.includes("second-human") ? await foreignInbox(target) : own;
      const lines: HeaderLines = values({ own, other, foreign }).map((value) => accountHeader(target, value));
      return selecting(target, token, lines);
    },
    assert(exchange) {
      expectNotServed(exchange);
      if (![400, 403].includes(exchange.response.status)) throw new Violation("400 or 403", seen(exchange));
    },
  }),
);

const identical = check({
  id: "HDR-21/identical",
  claim: "What two identical lines of the account header get: that inbox or a refusal.",
  needs: ["human"],
  async act(target) {
    const { token, accountId, mark } = await servedSelection(target);
    const line = accountHeader(target, accountId);
    return { mark, exchange: await selecting(target, token, [line, line]) };
  },
  assert({ mark, exchange }) {
    const from = markIn(exchange);
    expectThat(from === undefined || from === mark, `nothing but ${mark}`, seen(exchange));
    return observation(summary(exchange));
  },
});

export const repeatedHeaderChecks = [...duplicates, identical];
