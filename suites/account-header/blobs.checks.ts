import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCapability } from "../support/material/agents.ts";
import { blobAddresses, downloadMessage } from "../support/material/blob-addresses.ts";
import { blobIdOf, type BlobUses, blobUses } from "../support/material/foreign-blobs.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { withOtherSignature } from "../support/material/jwt-forgery.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type HeaderLines, showsText } from "../support/wire/exchange.ts";
import { asking } from "./every-method.checks.ts";
import { writable } from "./every-write.checks.ts";
import { type MarkedInbox, markedInbox } from "./marked-inboxes.ts";

/** A message that is a blob, and a text that nobody but its owner knows. */
export interface Message {
  /** As JMAP answers name the account. */
  readonly accountId: string;
  readonly blobId: string;
  readonly marker: string;
}

/** The message of a person's inbox; undefined where the target names no blob of it. */
export async function messageOf(target: Target, inbox: MarkedInbox): Promise<Message | undefined> {
  const { jmapAccountId: accountId, emailId, marker } = inbox;
  const blobId = await blobIdOf(asking(target.setup, inbox), accountId, emailId);
  return blobId === undefined ? undefined : { accountId, blobId, marker };
}

/** `downloadUrl` of the session document of an agent: only the values in it differ. */
async function downloadTemplate(target: Target): Promise<string | undefined> {
  const capability = await freshCapability(target.setup, "second");
  return (await blobAddresses(target.setup, capability)).download;
}

function expectNotShown({ exchanges, marker }: BlobUses, explainedBy: string): void {
  for (const exchange of exchanges)
    explained(explainedBy, () =>
      expectThat(!showsText(exchange, marker), "nothing of the message", "the message", exchange),
    );
}

/**
 * How to download the message, which a valid token got so.
 *
 * @throws {NotApplicableError} when it gets nothing: the document promises no downloads
 */
async function downloadable(
  target: Target,
  message: Message | undefined,
  valid: HeaderLines,
): Promise<{ template: string; message: Message }> {
  const template = await downloadTemplate(target);
  if (template === undefined || message === undefined)
    throw new NotApplicableError("the target names no blob of a message, or no downloadUrl");
  const served = await downloadMessage(target.control, template, message, valid);
  if (showsText(served, message.marker)) return { template, message };
  throw new NotApplicableError("the target serves a valid access token no download");
}

const foreignDownload = check({
  id: "HDR-11/download",
  claim:
    "A message of another person's inbox is not downloaded at `downloadUrl`, whichever inbox the account header and the address name.",
  needs: ["human", "second-human"],
  async act(target): Promise<BlobUses> {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "foreign")];
    const foreign = await messageOf(target, other);
    const token = await sharedAccessToken(target);
    const selecting = ({ accountId }: MarkedInbox): HeaderLines => [
      bearer(token),
      accountHeader(target, accountId),
    ];
    const { template, message } = await downloadable(target, await messageOf(target, own), selecting(own));
    if (foreign === undefined)
      throw new NotApplicableError("the target names no blob of the other person's message");
    const here = { ...foreign, accountId: message.accountId };
    const exchanges = [
      await downloadMessage(target, template, foreign, selecting(own)),
      await downloadMessage(target, template, foreign, selecting(other)),
      await downloadMessage(target, template, foreign, [bearer(token)]),
      await downloadMessage(target, template, here, selecting(own)),
    ];
    return { exchanges, marker: other.marker };
  },
  assert: (evidence) => expectNotShown(evidence, "HDR-16/get"),
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
      const own = await markedInbox(target, "own");
      const selecting = (credential: string): HeaderLines => [
        bearer(credential),
        accountHeader(target, own.accountId),
      ];
      const valid = selecting(await sharedAccessToken(target));
      const { template, message } = await downloadable(target, await messageOf(target, own), valid);
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
export const blobChecks = [foreignDownload, ...credentials, uses];
