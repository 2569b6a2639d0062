import { type Check, check, type Need, observe } from "../support/judging/check.ts";
import { type Exchange, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { foreignInbox, twoInboxes } from "../support/material/inboxes.ts";
import { accountHeader } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { expectRefusedWith, markIn, requireSelected, seen, selecting, servedSelection } from "./selection.ts";

/** Several values for one header. `foreign` is another person's inbox, `other` a second one of the same person. */
const repeated: readonly {
  slug: string;
  words: string;
  needs: readonly Need[];
  usesSecondInbox?: true;
  /** The check that fails too where this is read as one value. */
  sameAs?: string;
  values: (inboxes: { own: string; other: string; foreign: string }) => readonly string[];
}[] = [
  {
    slug: "own-foreign",
    // Lines of one name are a list (RFC 9110 §5.3).
    sameAs: "HDR-21/list-own-foreign",
    words: "two lines, the first with an owned and the second with a foreign `accountId`,",
    needs: ["second-human"],
    values: ({ own, foreign }) => [own, foreign],
  },
  {
    slug: "foreign-own",
    words: "two lines, the first with a foreign and the second with an owned `accountId`,",
    needs: ["second-human"],
    values: ({ own, foreign }) => [foreign, own],
  },
  {
    slug: "two-owned",
    words: "two lines with two owned `accountId` values",
    needs: [],
    sameAs: "HDR-21/own-foreign",
    usesSecondInbox: true,
    values: ({ own, other }) => [own, other],
  },
  {
    slug: "list-own-foreign",
    words: "one line with an owned and a foreign `accountId`, separated by a comma,",
    // A pattern without an end takes the first for the whole.
    sameAs: "HDR-04/letter-behind",
    needs: ["second-human"],
    values: ({ own, foreign }) => [`${own}, ${foreign}`],
  },
  {
    slug: "list-own-own",
    words: "one line with an owned `accountId` twice, separated by a comma,",
    needs: [],
    sameAs: "HDR-21/list-own-foreign",
    values: ({ own }) => [`${own},${own}`],
  },
];

const several = repeated.map(({ slug, words, needs, usesSecondInbox, sameAs, values }) =>
  check({
    id: `HDR-21/${slug}`,
    claim: `An account header in ${words} is refused, and opens no other person's inbox.`,
    needs: ["human", ...needs],
    async act(target) {
      const { token, accountId: own, mark } = await servedSelection(target);
      const other = usesSecondInbox ? (await twoInboxes(target))[1] : own;
      const foreign = needs.includes("second-human") ? await foreignInbox(target) : own;
      const sent = values({ own, other, foreign });
      const lines: HeaderLines = sent.map((value) => accountHeader(target, value));
      const owned = usesSecondInbox ? [mark, await requireSelected(target.control, token, other)] : [mark];
      return { exchange: await selecting(target, token, lines), owned: sent.length > 1 ? owned : [] };
    },
    assert({ exchange, owned }): Warning | undefined {
      // Many a framework reads one of several lines. What that one names was checked, so nothing is opened by it.
      if (owned.includes(markIn(exchange) ?? ""))
        return warning("one of two lines is read, and its owned inbox served");
      expectRefusedWith(exchange, [400, 403], { status: "HDR-04/letter", served: sameAs });
      return undefined;
    },
  }),
);

/** Two identical lines, and what the selected inbox shows. */
async function identicalLines(target: Target): Promise<{ mark: string; exchange: Exchange }> {
  const { token, accountId, mark } = await servedSelection(target);
  const line = accountHeader(target, accountId);
  return { mark, exchange: await selecting(target, token, [line, line]) };
}

const identical: readonly Check[] = [
  observe({
    id: "HDR-21/identical",
    question: "How are two identical lines of the account header answered?",
    needs: ["human"],
    act: identicalLines,
    answer: ({ exchange }) => summary(exchange),
  }),
  check({
    id: "HDR-21/identical-same-inbox",
    claim: "Two identical lines of the account header open no inbox but the one that they name.",
    needs: ["human"],
    act: identicalLines,
    assert({ mark, exchange }) {
      const from = markIn(exchange);
      expectThat(from === undefined || from === mark, `nothing but ${mark}`, seen(exchange), exchange);
    },
  }),
];

export const repeatedHeaderChecks: readonly Check[] = [...several, ...identical];
