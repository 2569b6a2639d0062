import { unguessable } from "../support/actors/oauth-client.ts";
import { type Exchange, showsText, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { draftAddresses } from "../support/material/draft-addresses.ts";
import { draftMailboxIn, mailboxCalls } from "../support/actors/draft-mailbox.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import {
  createdId,
  jmapAs,
  jmapBody,
  type MethodCall,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Target } from "../support/target/target.ts";
import { askMailbox, draft, mailboxOf, type Marker, markerOf } from "./mailbox.ts";

const properties = ["id", "subject"];

/** Method calls that show the newest mails of an account, or some of them; they name none when it is undefined. */
function newestCalls(accountId: string | undefined): readonly MethodCall[] {
  const account = accountId === undefined ? {} : { accountId };
  return [
    [
      "Email/query",
      { ...account, sort: [{ property: "receivedAt", isAscending: false }], limit: 100 },
      "newest",
    ],
    [
      "Email/get",
      {
        ...account,
        "#ids": { resultOf: "newest", name: "Email/query", path: "/ids" },
        properties,
      },
      "newest-mails",
    ],
  ];
}

/** Those and one mail by its id. */
export function readingCalls(accountId: string | undefined, emailId: string): readonly MethodCall[] {
  const account = accountId === undefined ? {} : { accountId };
  return [...newestCalls(accountId), ["Email/get", { ...account, ids: [emailId], properties }, "one"]];
}

export function expectUnseen(exchange: Exchange, marker: Marker): void {
  expectThat(
    !showsText(exchange, marker.subject),
    "nothing of the other inbox",
    `a mail of the other inbox, ${summary(exchange)}`,
    exchange,
  );
}

/** @throws {InconclusiveError} control-refused, when not even its owner is shown the marker */
export function requireSeen(exchange: Exchange, marker: Marker): void {
  requireServed(exchange, "reading one's own inbox");
  if (showsText(exchange, marker.subject)) return;
  throw controlRefused(
    "the owner of an inbox reading a mail in it",
    "its subject",
    exchange,
    "POW-61/email-get",
  );
}

/** An inbox that the agent under test does not own. */
export interface OtherInbox {
  readonly accountId: string;
  readonly marker: Marker;
}

/** The second agent's inbox, whose marker its owner sees. */
export async function otherAgentsInbox(target: Target): Promise<OtherInbox> {
  const marker = await markerOf(target, "second");
  const owner = await mailboxOf(target, "second");
  const { accountId } = owner;
  requireSeen(await askMailbox(target.control, owner, readingCalls(accountId, marker.emailId)), marker);
  return { accountId, marker };
}

/** The first human's inbox, with a marker that its owner sees, and the mailbox that it is in. */
export function humansInbox(target: Target): Promise<OtherInbox & { readonly mailboxId: string }> {
  return target.once("sessions:human-marker", async (recording) => {
    const token = await sharedAccessToken(recording);
    const inbox = await inboxOf(recording);
    const mailboxes = await jmapAs(recording.setup, token, inbox, jmapBody(mailboxCalls()));
    requireServed(mailboxes, "Mailbox/query of a human's inbox");
    const accountId = responseTo(mailboxes, "0")?.args["accountId"];
    const mailboxId = draftMailboxIn(mailboxes);
    if (typeof accountId !== "string" || mailboxId === undefined)
      throw controlRefused(
        "finding the mail account of a human's inbox",
        "accountId and a mailbox",
        mailboxes,
        "JMAP-01",
      );
    const subject = unguessable();
    const addresses = await draftAddresses(recording, { accountId: inbox, human: "first", mailboxId });
    const call: MethodCall = ["Email/set", draft({ accountId, mailboxId, addresses }, subject), "0"];
    const written = await jmapAs(recording.setup, token, inbox, jmapBody([call]));
    const emailId = createdId(written, "0", "draft");
    if (emailId === undefined)
      throw controlRefused("creating a draft in a human's inbox", "its id in created", written, "JMAP-01");
    const marker = { subject, emailId };
    const seen = await jmapAs(recording.control, token, inbox, jmapBody(readingCalls(accountId, emailId)));
    requireSeen(seen, marker);
    return { accountId, marker, mailboxId };
  });
}
