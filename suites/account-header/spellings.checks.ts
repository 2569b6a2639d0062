import { type Check, check, observe } from "../support/judging/check.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { accountHeader, methodResponses } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { warning } from "../support/verdict.ts";
import {
  expectRefusedWith,
  markIn,
  seen,
  selecting,
  selectingValue,
  type Selection,
  servedSelection,
} from "./selection.ts";
import { uuidForms } from "./uuid-forms.ts";

const owned = check({
  id: "HDR-01",
  claim: "A request with an owned `accountId` in the account header is answered 200 with `methodResponses`.",
  needs: ["human"],
  act: async (target) => selectingValue(target, await sharedAccessToken(target), await inboxOf(target)),
  assert: (exchange) =>
    explained("JMAP-01", () =>
      expectThat(
        methodResponses(exchange) !== undefined,
        "200 with methodResponses",
        summary(exchange),
        exchange,
      ),
    ),
});

/** A spelling of an owned `accountId`, with the answer to it. */
interface Spelling {
  readonly selection: Selection;
  readonly exchange: Exchange;
}

async function spelling(target: Target, spell: (accountId: string) => string): Promise<Spelling> {
  const selection = await servedSelection(target);
  const exchange = await selectingValue(target, selection.token, spell(selection.accountId));
  return { selection, exchange };
}

// A parser may know the form, and find nothing that the person owns.
const toleratedForOtherForms = [403];

const lenient = uuidForms.map(({ slug, words, spell }) =>
  check({
    id: `HDR-08/${slug}`,
    claim: `An owned \`accountId\` ${words} in the account header is refused with 400.`,
    needs: ["human"],
    act: (target) => spelling(target, spell),
    assert({ selection, exchange }) {
      if (markIn(exchange) === selection.mark) return warning("read as the owned UUID and served");
      if (toleratedForOtherForms.includes(exchange.response.status))
        return warning(`read as a UUID and refused: ${summary(exchange)}`);
      expectRefusedWith(exchange, [400], { status: "HDR-04/letter" });
      return undefined;
    },
  }),
);

/** Spellings that may be read as the owned UUID or refused. What a target does with them is its own affair. */
const equalForms: readonly {
  observed: string;
  rule: string;
  words: string;
  refusals: readonly number[];
  spell: (accountId: string) => string;
}[] = [
  {
    observed: "HDR-07",
    rule: "HDR-01/upper-case",
    words: "in upper case",
    refusals: [400, 403],
    spell: (id) => id.toUpperCase(),
  },
  {
    observed: "HDR-09/spaces",
    rule: "HDR-01/surrounding-spaces",
    words: "between spaces",
    refusals: [400],
    spell: (id) => `  ${id}  `,
  },
  {
    observed: "HDR-09/tabs",
    rule: "HDR-01/surrounding-tabs",
    words: "between tabs",
    refusals: [400],
    spell: (id) => `\t${id}\t`,
  },
];

const sameInboxOrRefused = equalForms.flatMap(({ observed, rule, words, refusals, spell }): Check[] => [
  observe({
    id: observed,
    question: `How is an owned \`accountId\` ${words} in the account header answered?`,
    needs: ["human"],
    act: (target) => spelling(target, spell),
    answer: ({ exchange }) => summary(exchange),
  }),
  check({
    id: rule,
    claim: `An owned \`accountId\` ${words} selects that inbox or is refused with ${refusals.join(" or ")}.`,
    needs: ["human"],
    act: (target) => spelling(target, spell),
    assert({ selection, exchange }) {
      if (markIn(exchange) !== selection.mark)
        expectRefusedWith(exchange, refusals, { status: "HDR-04/letter" });
    },
  }),
]);

const headerNames = [
  { slug: "lower-case", words: "lower case", spell: (name: string) => name.toLowerCase() },
  { slug: "upper-case", words: "upper case", spell: (name: string) => name.toUpperCase() },
].map(({ slug, words, spell }) =>
  check({
    id: `HDR-26/${slug}`,
    claim: `An account header whose name is in ${words} selects the inbox.`,
    needs: ["human"],
    async act(target) {
      const selection = await servedSelection(target);
      const [name, value] = accountHeader(target, selection.accountId);
      return { selection, exchange: await selecting(target, selection.token, [[spell(name), value]]) };
    },
    assert({ selection, exchange }) {
      const isSelected = markIn(exchange) === selection.mark;
      expectThat(isSelected, `200 from ${selection.mark}`, seen(exchange), exchange);
    },
  }),
);

export const spellingChecks: readonly Check[] = [owned, ...lenient, ...sameInboxOrRefused, ...headerNames];
