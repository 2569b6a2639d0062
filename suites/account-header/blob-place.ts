import { freshCapability } from "../support/material/agents.ts";
import {
  type BlobAddresses,
  blobAddresses,
  downloadMessage,
  isUploaded,
  uploadText,
} from "../support/material/blob-addresses.ts";
import { blobIdOf } from "../support/material/foreign-blobs.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, type HeaderLines, showsText } from "../support/wire/exchange.ts";
import { asking } from "./every-method.checks.ts";
import { type MarkedInbox, markedInbox, type WhichInbox } from "./marked-inboxes.ts";

/** A message that is a blob, and a text that nobody but its owner knows. */
interface Message {
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

/** A person's inbox with a message, and where its blobs are. */
export interface BlobPlace {
  readonly inbox: MarkedInbox;
  readonly message: Message | undefined;
  readonly addresses: BlobAddresses;
}

export async function blobPlace(target: Target, which: WhichInbox = "own"): Promise<BlobPlace> {
  const inbox = await markedInbox(target, which);
  const capability = await freshCapability(target.setup, "second");
  return {
    inbox,
    message: await messageOf(target, inbox),
    addresses: await blobAddresses(target.setup, capability),
  };
}

/** One way to use a credential at the addresses of blobs; undefined where the target has no such address. */
export interface BlobUse {
  readonly slug: "download" | "upload";
  /** Reads before "with" and the credential, or "for" and the inbox. */
  readonly words: string;
  readonly send: (target: Target, place: BlobPlace, headers: HeaderLines) => Promise<Exchange> | undefined;
  readonly isServed: (exchange: Exchange, place: BlobPlace) => boolean;
}

export const download: BlobUse = {
  slug: "download",
  words: "A message is not downloaded at `downloadUrl`",
  send: (target, { message, addresses }, headers) =>
    addresses.download === undefined || message === undefined
      ? undefined
      : downloadMessage(target, addresses.download, message, headers),
  isServed: (exchange, { inbox }) => showsText(exchange, inbox.marker),
};

export const upload: BlobUse = {
  slug: "upload",
  words: "Nothing is uploaded at `uploadUrl`",
  send: (target, { inbox, addresses }, headers) =>
    addresses.upload === undefined
      ? undefined
      : uploadText(target, addresses.upload, inbox.jmapAccountId, headers),
  isServed: isUploaded,
};

/** Whether the document's words on "every `/jmap` request" are about an address of blobs, too. */
export function isBelowJmap({ apiUrl }: Target, address: string): boolean {
  const [jmap, at] = [new URL(`${apiUrl}/jmap/`), URL.parse(address)];
  return at?.origin === jmap.origin && at.pathname.startsWith(jmap.pathname);
}
