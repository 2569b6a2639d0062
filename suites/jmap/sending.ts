import type { WhichHuman } from "../support/actors/human.ts";
import { createdId, jmapAs, jmapBody, type MethodCall, methodResponses } from "../support/actors/jmap.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxesOf, senderOf } from "../support/material/inboxes.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange, JsonObject } from "../support/wire/exchange.ts";
import { draft, ownInbox } from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

/** Addresses in the header fields of a message, and in its envelope. */
export interface Letter {
  readonly to: readonly string[];
  /** Who sends it; the first person unless given. */
  readonly sender?: WhichHuman;
  /** In both Cc and Bcc. */
  readonly copyTo?: readonly string[];
  readonly rcptTo: readonly string[];
  /** The rest of its subject, after what tells it from every other message. */
  readonly title?: string;
  /** Beside the address in its `from`; none unless given. */
  readonly senderName?: string;
  /** Beside each address in its `to`; none unless given. */
  readonly recipientName?: string;
  /** Instead of a subject that no other message has. */
  readonly subject?: string;
  /** Of its body; a short one unless given. */
  readonly text?: string;
  /** Of the draft, beside `$draft`. */
  readonly keyword?: string;
  /** The request creates a draft before it and one after it, which are not sent. */
  readonly isAmongDrafts?: true;
  /** Each address of its envelope has `parameters` of null. */
  readonly hasNullParameters?: true;
  /** A query stands between the draft and what sends it. */
  readonly isSentLater?: true;
}

export interface SentLetter {
  /** Its whole subject but for a title; in no other message, unless one was given. */
  readonly subject: string;
  /** The address in its `from`. */
  readonly from: string;
  /** Of the drafts beside it. */
  readonly otherSubjects: readonly string[];
  readonly exchange: Exchange;
  /** It was created only with an identityId, which RFC 8621 §7 requires and the document's request lacks (C-21). */
  readonly isRetried: boolean;
}

const mailboxQuery: MethodCall = ["Mailbox/query", { filter: { role: "inbox" } }, "between"];

/**
 * Creates a draft and sends it in one request, as the document shows it, from an inbox of its sender.
 *
 * @param more - further arguments of `EmailSubmission/set`
 */
export async function sendFrom(
  target: Target,
  accountId: string,
  letter: Letter,
  more: JsonObject = {},
): Promise<SentLetter> {
  const { sender: human = "first" } = letter;
  const { mailboxId } = await ownInbox(target, accountId, human);
  const { email, identityId } = await senderOf(target, accountId, human);
  const from = { email };
  const subject = letter.subject ?? newSubject();
  const recipient = letter.recipientName === undefined ? {} : { name: letter.recipientName };
  const to = emails(letter.to).map((address) => ({ ...recipient, ...address }));
  const copies = letter.copyTo && { cc: emails(letter.copyTo), bcc: emails(letter.copyTo) };
  const content = {
    ...(letter.text !== undefined && { bodyValues: { body: { value: letter.text } } }),
    ...(letter.keyword !== undefined && { keywords: { $draft: true, [letter.keyword]: true } }),
  };
  const named = letter.senderName === undefined ? from : { name: letter.senderName, ...from };
  const place = { mailboxId, addresses: { from: [named], to, ...copies } };
  const otherSubjects = letter.isAmongDrafts === undefined ? [] : [newSubject(), newSubject()];
  const [before, after] = otherSubjects.map((other) => draft(place, other, content));
  const create = {
    ...(before !== undefined && { d0: before }),
    d1: draft(place, letter.title === undefined ? subject : `${subject} ${letter.title}`, content),
    ...(after !== undefined && { d2: after }),
  };
  const parameters = letter.hasNullParameters === undefined ? {} : { parameters: null };
  const envelope = {
    mailFrom: { ...from, ...parameters },
    rcptTo: emails(letter.rcptTo).map((address) => ({ ...address, ...parameters })),
  };
  const token = await sharedAccessToken(target, { human });
  const post = (identity: JsonObject): Promise<Exchange> => {
    const calls: MethodCall[] = [
      ["Email/set", { create }, "create"],
      ...(letter.isSentLater === undefined ? [] : [mailboxQuery]),
      ["EmailSubmission/set", { create: { s1: { emailId: "#d1", envelope, ...identity } }, ...more }, "send"],
    ];
    return jmapAs(target, token, accountId, jmapBody(calls));
  };
  return { subject, from: email, otherSubjects, ...(await withIdentity(identityId, post)) };
}

/** A message of the first person that waits to be sent. */
export interface Unsent {
  readonly emailId: string;
  readonly subject: string;
  readonly envelope: JsonObject;
  /** Of the inbox; a target may refuse a submission without it for that alone (C-21). */
  readonly identityId: string | undefined;
}

/** Creates a draft to an address, in an inbox of the first person. @throws {InconclusiveError} control-refused */
export async function unsentTo(
  target: Target,
  accountId: string,
  address: string,
  creationId = "d1",
): Promise<Unsent> {
  const { mailboxId } = await ownInbox(target, accountId);
  const { email, identityId } = await senderOf(target, accountId);
  const [mailFrom, rcptTo] = [{ email }, [{ email: address }]];
  const subject = newSubject();
  const create = { [creationId]: draft({ mailboxId, addresses: { from: [mailFrom], to: rcptTo } }, subject) };
  const body = jmapBody([["Email/set", { create }, "0"]]);
  const made = await jmapAs(target.setup, await sharedAccessToken(target), accountId, body);
  const emailId = createdId(made, "0", creationId);
  if (emailId === undefined)
    throw controlRefused("creating a draft", "200 with it in created", made, "JMAP-07");
  return { emailId, subject, envelope: { mailFrom, rcptTo }, identityId };
}

/** Sends a message that is there already. @returns the answer, with what was created as `s1` under the call id `send` */
export async function sendAgain(
  target: Target,
  accountId: string,
  emailId: string,
  rcptTo: readonly string[],
): Promise<Exchange> {
  const { email, identityId } = await senderOf(target, accountId);
  const token = await sharedAccessToken(target);
  const envelope = { mailFrom: { email }, rcptTo: emails(rcptTo) };
  const post = (identity: JsonObject): Promise<Exchange> =>
    jmapAs(
      target,
      token,
      accountId,
      jmapBody([["EmailSubmission/set", { create: { s1: { emailId, envelope, ...identity } } }, "send"]]),
    );
  return (await withIdentity(identityId, post)).exchange;
}

/** As the document shows it, and where that creates no submission, with an `identityId` (C-21). */
async function withIdentity(
  identityId: string | undefined,
  post: (identity: JsonObject) => Promise<Exchange>,
): Promise<Pick<SentLetter, "exchange" | "isRetried">> {
  const first = await post({});
  // An invalidProperties error need not name the property (RFC 8620 §5.3), and a method may refuse all its arguments.
  if (methodResponses(first) === undefined || isSent({ exchange: first }) || identityId === undefined)
    return { exchange: first, isRetried: false };
  return { exchange: await post({ identityId }), isRetried: true };
}

/** Tries one inbox after the other: one may be active and read only (C-86). @returns the first try, where none sends */
export async function sendFromAny(
  target: Target,
  send: (accountId: string) => Promise<SentLetter>,
): Promise<SentLetter & { readonly accountId: string }> {
  const [first, ...others] = await inboxesOf(target);
  const firstTry = { ...(await send(first.accountId)), accountId: first.accountId };
  if (isSent(firstTry)) return firstTry;
  for (const { accountId } of others) {
    const next = await send(accountId);
    if (isSent(next)) return { ...next, accountId };
  }
  return firstTry;
}

export function isSent({ exchange }: Pick<SentLetter, "exchange">): boolean {
  return createdId(exchange, "send", "s1") !== undefined;
}

function emails(addresses: readonly string[]): { email: string }[] {
  return addresses.map((email) => ({ email }));
}
