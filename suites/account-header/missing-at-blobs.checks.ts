import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { servesNo } from "../support/material/blob-addresses.ts";
import { freshGrant } from "../support/material/grants.ts";
import { inboxesOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { type Exchange, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { blobPlace, type BlobUse, download, isBelowJmap, upload } from "./blob-place.ts";

/** What a use got for an inbox that the account header did not select. */
interface Unselected {
  readonly exchange: Exchange;
  readonly isServed: boolean;
  readonly isBelow: boolean;
}

/**
 * A use for each of two inboxes, of which a default may be either, with a token that has selected none yet: its control, the
 * same with the header, comes after it.
 *
 * @throws {NotApplicableError} when the owner of an inbox is not served with the header either
 */
async function unselected(target: Target, use: BlobUse, lines: HeaderLines): Promise<readonly Unselected[]> {
  const { access_token: token } = (await freshGrant(target)).tokens;
  const hasTwo = (await inboxesOf(target)).length > 1;
  const places = [await blobPlace(target), ...(hasTwo ? [await blobPlace(target, "second")] : [])];
  const attempts: Unselected[] = [];
  for (const place of places) {
    const exchange = await use.send(target, place, [bearer(token), ...lines]);
    if (exchange === undefined) throw servesNo(use.slug);
    const isServed = use.isServed(exchange, place);
    attempts.push({ exchange, isServed, isBelow: isBelowJmap(target, exchange.request.url) });
  }
  for (const place of places) {
    const selecting = [bearer(token), accountHeader(target, place.inbox.accountId)];
    const selected = await use.send(target.control, place, selecting);
    if (selected === undefined || !use.isServed(selected, place)) throw servesNo(use.slug);
  }
  return attempts;
}

const headers: readonly {
  requirement: string;
  words: string;
  lines: (target: Target) => HeaderLines;
  /** The check of the same request to JMAP. */
  judgedBy: string;
}[] = [
  { requirement: "HDR-02", words: "without the account header", lines: () => [], judgedBy: "HDR-02" },
  {
    requirement: "HDR-03",
    words: "with an empty account header",
    lines: (target) => [accountHeader(target, "")],
    judgedBy: "HDR-03/empty",
  },
];

/** Below `/jmap` the header is due on every request; elsewhere the address may name the inbox. Document, OAuth 2.0 path 9. */
export const missingAtBlobChecks: readonly Check[] = headers.flatMap(
  ({ requirement, words, lines, judgedBy }) =>
    [download, upload].map((use) =>
      check({
        id: `${requirement}/${use.slug}`,
        claim: `${use.words} ${words}; where that is not below \`/jmap\`, one that is served passes with a warning.`,
        needs: ["human"],
        act: (target) => unselected(target, use, lines(target)),
        assert(attempts): Warning | undefined {
          for (const { exchange, isServed, isBelow } of attempts)
            explained(judgedBy, () =>
              expectThat(!isServed || !isBelow, "a refusal", summary(exchange), exchange),
            );
          const elsewhere = attempts.find(({ isServed }) => isServed);
          return elsewhere && warning(`it is served ${words}: ${summary(elsewhere.exchange)}`);
        },
      }),
    ),
);
