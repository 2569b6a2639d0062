import { type JsonObject, showsText } from "../support/wire/exchange.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { foreignInbox, inboxOf, twoInboxes } from "../support/material/inboxes.ts";
import { type DraftAddresses, draftAddresses } from "../support/material/draft-addresses.ts";
import { draftMailboxIn, mailboxCalls } from "../support/actors/draft-mailbox.ts";
import { createdId, jmapAs, jmapBody, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { type NewestMails, newestMails } from "../support/actors/newest-mails.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { newSubject, plainTextDraft } from "../support/material/plain-text-draft.ts";

/** An inbox with a message that is in no other. No check changes the message. */
export interface MarkedInbox {
  readonly human: WhichHuman;
  /** For the account header. */
  readonly accountId: string;
  /** As JMAP answers name the account; not assumed to be the accountId. */
  readonly jmapAccountId: string;
  /** Of the mailbox that the message is in. */
  readonly mailboxId: string;
  /** Of every draft that is put into it. */
  readonly addresses: DraftAddresses;
  readonly emailId: string;
  /** The message's subject. */
  readonly marker: string;
}

/** `own` and `second` belong to the first human, `foreign` to the second. */
export type WhichInbox = "own" | "second" | "foreign";

/**
 * @throws {BlockedError} when the profile has no such inbox
 * @throws {InconclusiveError} control-refused, when the message cannot be created or found again
 */
export async function markedInbox(target: Target, which: WhichInbox): Promise<MarkedInbox> {
  const human = which === "foreign" ? "second" : "first";
  const accountId = await accountIdOf(target, which);
  return target.setup.once(`marked:${accountId}`, (recording) => mark(recording, human, accountId));
}

async function accountIdOf(target: Target, which: WhichInbox): Promise<string> {
  if (which === "foreign") return foreignInbox(target);
  return which === "second" ? (await twoInboxes(target))[1] : inboxOf(target);
}

async function mark(target: Target, human: WhichHuman, accountId: string): Promise<MarkedInbox> {
  const token = await sharedAccessToken(target, { human });
  const found = await jmapAs(target, token, accountId, jmapBody(mailboxCalls()));
  const { accountId: jmapAccountId } = responseTo(found, "0")?.args ?? {};
  const mailboxId = draftMailboxIn(found);
  if (typeof jmapAccountId !== "string" || mailboxId === undefined) {
    throw controlRefused("looking for the mailbox of an inbox", "200 with one id", found, "JMAP-04");
  }
  const marker = newSubject();
  const addresses = await draftAddresses(target, { accountId, human, mailboxId });
  const create = { d1: plainTextDraft({ mailboxId, addresses, subject: marker }) };
  const calls: MethodCall[] = [["Email/set", { create }, "0"]];
  const made = await jmapAs(target, token, accountId, jmapBody(calls));
  const emailId = createdId(made, "0", "d1");
  if (emailId === undefined)
    throw controlRefused("creating a draft in an inbox", "200 with created", made, "JMAP-07");
  const inbox = { human, accountId, jmapAccountId, mailboxId, addresses, emailId, marker };
  // The control of every request for it under another inbox: under its own inbox it is readable.
  const read = await jmapAs(target.control, token, accountId, jmapBody([subjectOf([emailId])]));
  if (showsText(read, marker)) return inbox;
  throw controlRefused("reading a draft that was just created", "200 with its subject", read, "JMAP-06");
}

/** Email/get of the subjects of these messages. */
export function subjectOf(ids: readonly string[], more: JsonObject = {}): MethodCall {
  return ["Email/get", { ...more, ids: [...new Set(ids)], properties: ["subject"] }, "1"];
}

/** The subjects of what came last into a mailbox, as two calls: `0` finds, `1` reads. */
export function listing(mailboxId: string, more: JsonObject = {}): MethodCall[] {
  const newestFirst = [{ property: "receivedAt", isAscending: false }];
  return [
    ["Email/query", { ...more, filter: { inMailbox: mailboxId }, sort: newestFirst, limit: 50 }, "0"],
    [
      "Email/get",
      { ...more, "#ids": { resultOf: "0", name: "Email/query", path: "/ids" }, properties: ["subject"] },
      "1",
    ],
  ];
}

// A query may lag behind (C-93).
const pollMs = 250;
const mostPolls = 20;

/**
 * The newest messages of an inbox, listed for its owner.
 *
 * @throws {InconclusiveError} control-refused, when the inbox's own message is not listed
 */
export async function newestOf(target: Target, inbox: MarkedInbox): Promise<NewestMails> {
  const token = await sharedAccessToken(target, { human: inbox.human });
  for (let polls = 1; ; polls += 1) {
    const newest = await newestMails((calls) => jmapAs(target, token, inbox.accountId, jmapBody(calls)), {
      mailboxId: inbox.mailboxId,
    });
    if (hasSubject(newest, inbox.marker)) return newest;
    if (polls === mostPolls)
      throw controlRefused("listing an inbox for its owner", "its messages", newest.exchange, "JMAP-05");
    await target.pause(pollMs);
  }
}

export function hasSubject({ mails }: NewestMails, subject: string): boolean {
  return mails.some((mail) => mail["subject"] === subject);
}
