import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { mcpResource, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCapability } from "../support/material/agents.ts";
import {
  blobAddresses,
  downloadMessage,
  isUploaded,
  requireDownloaded,
  requireUploaded,
  servesNo,
  uploadText,
} from "../support/material/blob-addresses.ts";
import { type BlobUses, blobUses } from "../support/material/foreign-blobs.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { withOtherSignature } from "../support/material/jwt-forgery.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, type HeaderLines, jsonMembers, showsText } from "../support/wire/exchange.ts";
import { messageOf } from "./blob-place.ts";
import { writable } from "./every-write.checks.ts";
import { type MarkedInbox, markedInbox } from "./marked-inboxes.ts";

/** `downloadUrl` of the session document of an agent: only the values in it differ. */
async function downloadTemplate(target: Target): Promise<string | undefined> {
  const capability = await freshCapability(target.setup, "second");
  return (await blobAddresses(target.setup, capability)).download;
}

interface Uploaded {
  readonly text: string;
  readonly exchange: Exchange;
}

function expectNotShown({ exchanges, marker }: BlobUses, explainedBy: string): void {
  for (const exchange of exchanges)
    explained(explainedBy, () =>
      expectThat(!showsText(exchange, marker), "nothing of the message", "the message", exchange),
    );
}

const foreignDownload = check({
  id: "HDR-11/download",
  claim:
    "A message of another person's inbox is not downloaded at `downloadUrl`, whichever inbox the account header and the address name.",
  needs: ["human", "second-human"],
  async act(target): Promise<BlobUses> {
    const template = await downloadTemplate(target);
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "foreign")];
    const [message, foreign] = [await messageOf(target, own), await messageOf(target, other)];
    const { marker } = other;
    if (template === undefined || message === undefined || foreign === undefined) throw servesNo("download");
    const token = await sharedAccessToken(target);
    const selecting = ({ accountId }: MarkedInbox): HeaderLines => [
      bearer(token),
      accountHeader(target, accountId),
    ];
    const served = await downloadMessage(target.control, template, message, selecting(own));
    requireDownloaded(served, own.marker);
    const here = { ...foreign, accountId: message.accountId };
    const exchanges = [
      await downloadMessage(target, template, foreign, selecting(own)),
      await downloadMessage(target, template, foreign, selecting(other)),
      await downloadMessage(target, template, foreign, [bearer(token)]),
      await downloadMessage(target, template, here, selecting(own)),
    ];
    return { exchanges, marker };
  },
  assert: (evidence) => expectNotShown(evidence, "HDR-16/get"),
});

const foreignUpload = check({
  id: "HDR-11/upload",
  claim:
    "What is uploaded at `uploadUrl` for another person's inbox, under its account header or that of an owned one, is not put into it.",
  needs: ["human", "second-human"],
  async act(target) {
    const capability = await freshCapability(target.setup, "second");
    const { upload, download } = await blobAddresses(target.setup, capability);
    if (upload === undefined) throw servesNo("upload");
    if (download === undefined) throw servesNo("download");
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "foreign")];
    const selecting = async (by: MarkedInbox, header: MarkedInbox): Promise<HeaderLines> => [
      bearer(await sharedAccessToken(target, { human: by.human })),
      accountHeader(target, header.accountId),
    ];
    const put = async (asking: Target, place: MarkedInbox, header: MarkedInbox): Promise<Uploaded> => {
      const text = unguessable();
      const headers = await selecting(own, header);
      return { text, exchange: await uploadText(asking, upload, place.jmapAccountId, headers, text) };
    };
    const found = async (asking: Target, place: MarkedInbox, uploaded: Exchange): Promise<Exchange> => {
      const blob = { accountId: place.jmapAccountId, blobId: String(jsonMembers(uploaded)["blobId"]) };
      return downloadMessage(asking, download, blob, await selecting(place, place));
    };
    const { text, exchange } = await put(target.control, own, own);
    requireUploaded(exchange);
    // Only where an owner finds what was uploaded does it mean something that another owner does not.
    requireDownloaded(await found(target.control, own, exchange), text);
    const uploads: (Uploaded & { there?: Exchange })[] = [];
    for (const header of [other, own]) {
      const uploaded = await put(target, other, header);
      uploads.push(
        isUploaded(uploaded.exchange)
          ? { ...uploaded, there: await found(target.setup, other, uploaded.exchange) }
          : uploaded,
      );
    }
    return uploads;
  },
  assert(uploads) {
    for (const { text, there } of uploads) {
      if (there === undefined) continue;
      explained("HDR-11/email-set-effect", () =>
        expectThat(!showsText(there, text), "nothing of it in the other inbox", "what was uploaded", there),
      );
    }
  },
});

const credentials = [
  {
    id: "RES-29/download",
    words: "a token for the MCP resource",
    token: (target: Target) => sharedAccessToken(target, { resource: mcpResource(target) }),
    judgedBy: "RES-29/mailbox-query",
  },
  {
    id: "BEARER-04/download",
    words: "a token whose signature was changed",
    token: async (target: Target) => withOtherSignature(await sharedAccessToken(target)),
    judgedBy: "BEARER-04/jmap-flipped-bit",
  },
].map(({ id, words, token, judgedBy }) =>
  check({
    id,
    claim: `A message is not downloaded at \`downloadUrl\` with ${words}.`,
    needs: ["human"],
    async act(target): Promise<BlobUses> {
      const template = await downloadTemplate(target);
      const own = await markedInbox(target, "own");
      const message = await messageOf(target, own);
      if (template === undefined || message === undefined) throw servesNo("download");
      const selecting = (credential: string): HeaderLines => [
        bearer(credential),
        accountHeader(target, own.accountId),
      ];
      const valid = selecting(await sharedAccessToken(target));
      requireDownloaded(await downloadMessage(target.control, template, message, valid), own.marker);
      const invalid = selecting(await token(target));
      return {
        exchanges: [await downloadMessage(target, template, message, invalid)],
        marker: own.marker,
      };
    },
    assert: (evidence) => expectNotShown(evidence, judgedBy),
  }),
);

const uses = check({
  id: "HDR-17/blobs",
  claim:
    "Under the header of one inbox, a message of another owned inbox is neither parsed, imported, attached, copied nor read by the id of its blob.",
  needs: ["human"],
  async act(target): Promise<BlobUses> {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
    return blobUses(writable(target, own), writable(target.setup, other), async (blobId) => {
      const template = await downloadTemplate(target);
      if (template === undefined) return undefined;
      const selecting = [bearer(await sharedAccessToken(target)), accountHeader(target, own.accountId)];
      return downloadMessage(target, template, { accountId: own.jmapAccountId, blobId }, selecting);
    });
  },
  assert: (evidence) => expectNotShown(evidence, "HDR-15/get"),
});

/** Messages are blobs too (RFC 8620 §6), and as much the selected inbox's alone. Document, "Authentication", OAuth 2.0 path 8 and 9. */
export const blobChecks = [foreignDownload, foreignUpload, ...credentials, uses];
