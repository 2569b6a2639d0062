import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { agentResource } from "../support/actors/oauth-client.ts";
import { type Check, check, type Need } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { servesNo } from "../support/material/blob-addresses.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { type BlobPlace, blobPlace, type BlobUse, download, upload } from "./blob-place.ts";
import type { WhichInbox } from "./marked-inboxes.ts";

const uses: readonly {
  use: BlobUse;
  /** @param inbox - in words */
  claim: (inbox: string) => string;
  /** What the account header says, by accountId; undefined for none. */
  selected: (named: string, other: string) => readonly (string | undefined)[];
}[] = [
  {
    use: download,
    claim: (inbox) =>
      `A message of ${inbox} is not downloaded at \`downloadUrl\` with a token for a single inbox, whichever the account header selects.`,
    selected: (named, other) => [other, named, undefined],
  },
  {
    use: upload,
    claim: (inbox) =>
      `Nothing is uploaded at \`uploadUrl\` with a token for a single inbox when ${inbox} is selected.`,
    // Under another header it may be put into the inbox of the token, whatever the address names.
    selected: (_named, other) => [other],
  },
];

const inboxes: readonly {
  which: WhichInbox;
  slug: string;
  words: string;
  needs: readonly Need[];
  /** The check of the same inbox at JMAP. */
  judgedBy: string;
}[] = [
  {
    which: "second",
    slug: "",
    words: "the person's second inbox",
    needs: ["human"],
    judgedBy: "RES-30/second-inbox",
  },
  {
    which: "foreign",
    slug: "other-person-",
    words: "an inbox of another person",
    needs: ["human", "second-human"],
    judgedBy: "RES-30/other-person",
  },
];

/** Attempts with a token for the first inbox of the first person, beside one by the owner of the other inbox for JMAP. */
async function attempts(
  target: Target,
  which: WhichInbox,
  { use, selected }: Pick<(typeof uses)[number], "use" | "selected">,
): Promise<{ place: BlobPlace; exchanges: readonly Exchange[] }> {
  const place = await blobPlace(target, which);
  const { accountId, human } = place.inbox;
  const named = await inboxOf(target);
  const token = await sharedAccessToken(target, { resource: agentResource(target, named) });
  const owner = [bearer(await sharedAccessToken(target, { human })), accountHeader(target, accountId)];
  const served = await use.send(target.control, place, owner);
  if (served === undefined || !use.isServed(served, place)) throw servesNo(use.slug);
  const exchanges: Exchange[] = [];
  for (const value of selected(named, accountId)) {
    const lines = [bearer(token), ...(value === undefined ? [] : [accountHeader(target, value)])];
    const exchange = await use.send(target, place, lines);
    if (exchange !== undefined) exchanges.push(exchange);
  }
  return { place, exchanges };
}

/** A token for a single inbox reaches no other one where blobs are, either. Document, OAuth 2.0 path 6. */
export const singleInboxBlobChecks: readonly Check[] = inboxes.flatMap(
  ({ which, slug, words, needs, judgedBy }) =>
    uses.map(({ use, claim, selected }) =>
      check({
        id: `RES-30/${slug}${use.slug}`,
        claim: claim(words),
        needs,
        act: (target) => attempts(target, which, { use, selected }),
        assert({ place, exchanges }) {
          for (const exchange of exchanges)
            explained(judgedBy, () =>
              expectThat(!use.isServed(exchange, place), "a refusal", summary(exchange), exchange),
            );
        },
      }),
    ),
);
