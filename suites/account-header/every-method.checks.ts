import { jmapAs } from "../support/actors/jmap.ts";
import { type Check, check, type Need } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { forEachConcurrently } from "../support/judging/for-each-concurrently.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import {
  type Ask,
  type Reading,
  readings,
  type Tried,
  triedElsewhere,
} from "../support/material/reading-methods.ts";
import type { Target } from "../support/target/target.ts";
import type { JsonObject } from "../support/wire/exchange.ts";
import { type MarkedInbox, markedInbox, type WhichInbox } from "./marked-inboxes.ts";

export function asking(target: Target, { human, accountId }: MarkedInbox): Ask {
  return async (body) => jmapAs(target, await sharedAccessToken(target, { human }), accountId, body);
}

/** What the target's methods show of an inbox under its own header. */
export function readingsOf(target: Target, inbox: MarkedInbox): Promise<readonly Reading[]> {
  return target.control.once(`account-header:readings:${inbox.accountId}`, (recording) =>
    readings(asking(recording, inbox), inbox, {}),
  );
}

const callsAtOnce = 4;

/** Calls methods that show something of one inbox under the header of another. */
async function triedUnder(
  target: Target,
  { selected, other }: { selected: MarkedInbox; other: MarkedInbox },
  named: JsonObject,
  isTried: (method: string) => boolean = () => true,
): Promise<Tried[]> {
  const accounts: { other: JsonObject; own: JsonObject } = {
    other: named,
    own: { accountId: selected.jmapAccountId },
  };
  const tried: Tried[] = [];
  const methods = (await readingsOf(target, other)).filter(({ method }) => isTried(method));
  await forEachConcurrently(methods, callsAtOnce, async (reading) => {
    tried.push(await triedElsewhere(asking(target, selected), reading, accounts));
  });
  return tried;
}

/** @param explainedBy - by method, the check that judges the same alone; where one is named for all others, under `""` */
function expectNothingLeaked(tried: readonly Tried[], explainedBy: Readonly<Record<string, string>>): void {
  for (const { method, exchange, leaked } of tried)
    explained(explainedBy[method] ?? explainedBy[""], () =>
      expectThat(
        leaked === undefined,
        `nothing of the other inbox from ${method}`,
        `its ${shown(leaked)}`,
        exchange,
      ),
    );
}

/** Inboxes that are not the selected one, by the requirement that keeps them apart. */
export const notSelected = [
  { requirement: "HDR-15", which: "second", words: "another owned inbox", needs: ["human"] },
  {
    requirement: "HDR-16",
    which: "foreign",
    words: "another person's inbox",
    needs: ["human", "second-human"],
  },
] satisfies { requirement: string; which: WhichInbox; words: string; needs: Need[] }[];

const everyMethod = notSelected.map(({ requirement, which, words, needs }) =>
  check({
    id: `${requirement}/every-method`,
    claim: `Under the header of one inbox, no method that reads shows anything of ${words} whose \`accountId\` it is called with.`,
    needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, which)];
      return triedUnder(target, { selected: own, other }, { accountId: other.jmapAccountId });
    },
    assert: (tried) =>
      expectNothingLeaked(tried, { "Email/query": `${requirement}/query`, "": `${requirement}/get` }),
  }),
);

const documented = ["Mailbox/query", "Email/query", "Email/get"];

function isDocumented(method: string): boolean {
  return documented.includes(method);
}

/** Arguments that name no account. */
const nameless = [
  { slug: "null-account", words: "with `accountId` null", named: { accountId: null } },
  { slug: "empty-account", words: "with an empty `accountId`", named: { accountId: "" } },
  { slug: "no-account", words: "without `accountId`", named: {} },
].map(({ slug, words, named }) =>
  check({
    id: `HDR-17/${slug}`,
    claim: `Under the header of one of two owned inboxes, no reading method of the document ${words} shows anything of the other one.`,
    needs: ["human"],
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
      return [
        ...(await triedUnder(target, { selected: own, other }, named, isDocumented)),
        ...(await triedUnder(target, { selected: other, other: own }, named, isDocumented)),
      ];
    },
    assert: (tried) => expectNothingLeaked(tried, { "": "HDR-19" }),
  }),
);

/** Methods beside those of the document select no inbox either. Document, "Authentication", OAuth 2.0 path 9. */
export const everyMethodChecks: readonly Check[] = [...everyMethod, ...nameless];
