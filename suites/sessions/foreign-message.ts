import { bearer } from "../support/actors/jmap.ts";
import {
  blobAddresses,
  downloadMessage,
  requireDownloaded,
  servesNo,
} from "../support/material/blob-addresses.ts";
import { blobIdOf } from "../support/material/foreign-blobs.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { type Mailbox, mailboxOf, type Marker, postMailbox } from "./mailbox.ts";
import { otherAgentsInbox } from "./other-inboxes.ts";

/** A message of the second agent's inbox, which its owner downloads. */
export interface ForeignMessage {
  readonly marker: Marker;
  readonly own: Mailbox;
  readonly owner: Mailbox;
  readonly blobId: string;
  /** `downloadUrl`. */
  readonly template: string;
}

/** @throws {NotApplicableError} when not even its owner downloads it */
export async function foreignMessage(target: Target): Promise<ForeignMessage> {
  const { accountId, marker } = await otherAgentsInbox(target);
  const [own, owner] = [await mailboxOf(target.setup), await mailboxOf(target.setup, "second")];
  const { download: template } = await blobAddresses(target.setup, own.capability);
  const askOwner = (body: string): Promise<Exchange> => postMailbox(target.setup, owner, body);
  const blobId = await blobIdOf(askOwner, accountId, marker.emailId);
  if (template === undefined || blobId === undefined) throw servesNo("download");
  const there = { accountId, blobId };
  const served = await downloadMessage(target.control, template, there, [bearer(owner.capability)]);
  requireDownloaded(served, marker.subject);
  return { marker, own, owner, blobId, template };
}
