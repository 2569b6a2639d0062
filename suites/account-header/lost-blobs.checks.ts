import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { whileUnlinked } from "../support/judging/lost-inbox.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import { servesNo } from "../support/material/blob-addresses.ts";
import { freshGrant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { type Exchange, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { type BlobPlace, blobPlace, type BlobUse, download, isBelowJmap, upload } from "./blob-place.ts";

/** What an access token gets at the addresses of blobs for an inbox that its person owned until a moment ago. */
interface LostBlobs {
  readonly place: BlobPlace;
  /** Of the uses that were served before, until they are refused or the operator's change has had its time. */
  readonly answers: ReadonlyMap<BlobUse, Exchange>;
}

function lostBlobs(target: Target): Promise<LostBlobs> {
  return target.once("account-header:lost-blobs", async (recording) => {
    const place = await blobPlace(recording);
    const { accountId } = place.inbox;
    const { access_token: token } = (await freshGrant(recording)).tokens;
    const selecting: HeaderLines = [bearer(token), accountHeader(recording, accountId)];
    const served: BlobUse[] = [];
    for (const use of [download, upload]) {
      const before = await use.send(recording.control, place, selecting);
      if (before !== undefined && use.isServed(before, place)) served.push(use);
    }
    const answers = new Map<BlobUse, Exchange>();
    if (served.length === 0) return { place, answers };
    await whileUnlinked(recording, { token, accountId }, async () => {
      for (const use of served) {
        const answer = await pollUntil(
          recording,
          async () => use.send(recording, place, selecting),
          (exchange) => exchange === undefined || !use.isServed(exchange, place),
        );
        if (answer !== undefined) answers.set(use, answer);
      }
    });
    return { place, answers };
  });
}

async function answerOf(
  target: Target,
  use: BlobUse,
): Promise<{ exchange: Exchange; isServed: boolean; isBelow: boolean }> {
  const { place, answers } = await lostBlobs(target);
  const exchange = answers.get(use);
  if (exchange === undefined) throw servesNo(use.slug);
  return {
    exchange,
    isServed: use.isServed(exchange, place),
    isBelow: isBelowJmap(target, exchange.request.url),
  };
}

const lostDownload = check({
  id: "HDR-14/download",
  claim: `${download.words} once the person has lost its inbox.`,
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  act: (target) => answerOf(target, download),
  assert: ({ exchange, isServed }) =>
    explained("HDR-14/refused", () => expectThat(!isServed, "a refusal", summary(exchange), exchange)),
});

const lostUpload = check({
  id: "HDR-14/upload",
  claim: `${upload.words} for an inbox that the person has lost; where the address is not below \`/jmap\`, an upload passes with a warning.`,
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  act: (target) => answerOf(target, upload),
  assert({ exchange, isServed, isBelow }): Warning | undefined {
    // Elsewhere the header may mean nothing: uploads may belong to the person.
    if (isServed && !isBelow) return warning(`it was uploaded: ${summary(exchange)}`);
    explained("HDR-14/refused", () => expectThat(!isServed, "a refusal", summary(exchange), exchange));
    return undefined;
  },
});

/** Uploads and downloads verify who owns the inbox on each request. Document, "Authentication", OAuth 2.0 path 8 and 9. */
export const lostBlobChecks = [lostDownload, lostUpload];
