import { newestMails } from "../actors/newest-mails.ts";
import { senderAmong } from "../actors/identities.ts";
import { jmapBody, type MethodCall, responseTo } from "../actors/jmap.ts";
import { unguessable } from "../actors/oauth-client.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { type Exchange, isJsonObject, type JsonObject, showsText } from "../wire/exchange.ts";
import type { DraftAddresses } from "./draft-addresses.ts";
import type { Ask } from "./reading-methods.ts";
import { newSubject, plainTextDraft } from "./plain-text-draft.ts";

/** Somebody's inbox, and how to ask for it with its own credential. */
export interface Writable {
  readonly ask: Ask;
  /** As JMAP answers name the account. */
  readonly account: string;
  /** Of a mailbox that takes drafts. */
  readonly mailboxId: string;
  /** Of every draft that is put into it. */
  readonly addresses: DraftAddresses;
}

/** What came of one method that was called for another account. */
export interface Written {
  readonly method: string;
  readonly exchange: Exchange;
  /** What is left of it in the other inbox. */
  readonly trace: string | undefined;
}

export interface Message {
  readonly id: string;
  readonly blobId: unknown;
}

interface Attempt {
  readonly method: string;
  readonly args: JsonObject;
  /** What it left, by its answer and by what the owner reads afterwards. */
  readonly trace: (answer: Exchange, afterwards: Contents) => string | undefined;
}

/**
 * Calls methods that write for another account, with the credential of an inbox that is not it.
 *
 * @param own - the inbox that the credential is for
 * @throws {InconclusiveError} control-refused, when the owner of the other inbox is not shown a message in it
 */
export async function writtenElsewhere(own: Writable, other: Writable): Promise<readonly Written[]> {
  const ownMessage = await newMessage(own, {});
  const sender = await senderOf(other);
  const self = sender === undefined ? {} : { from: [{ email: sender.email }], to: [{ email: sender.email }] };
  const message = await newMessage(other, self);
  const attempts = [
    ...attemptsBy(own, other, { ownMessage, message }),
    // Accounts may count their messages alike: such an id names one of the own inbox.
    ...((await hasMessage(own, message.id)) ? [] : attemptsAt(message, sender)),
  ];
  const answers = new Map<Attempt, Exchange>();
  for (const attempt of attempts) {
    const { method, args } = attempt;
    answers.set(attempt, await own.ask(jmapBody([[method, { accountId: other.account, ...args }, "0"]])));
  }
  const afterwards = await contentsOf(other, message.id);
  await removeMailboxes(own, [...answers.values()]);
  return [...answers].map(([{ method, trace }, exchange]) => ({
    method,
    exchange,
    trace: trace(exchange, afterwards),
  }));
}

/** What adds something to the other inbox. */
function attemptsBy(
  own: Writable,
  other: Writable,
  { ownMessage, message }: { ownMessage: Message; message: Message },
): readonly Attempt[] {
  const mailboxIds = { [other.mailboxId]: true };
  const adding = (method: string, argsOf: (marker: string) => JsonObject): Attempt => {
    const marker = `mailproof-${unguessable().toLowerCase()}`;
    return {
      method,
      args: argsOf(marker),
      trace: (_answer, afterwards) =>
        afterwards.some((exchange) => showsText(exchange, marker)) ? marker : undefined,
    };
  };
  const imported = (marker: string): JsonObject =>
    Object.fromEntries(
      [ownMessage, message].map(({ blobId }, at) => [
        `i${at}`,
        { blobId, mailboxIds, keywords: { [marker]: true } },
      ]),
    );
  return [
    adding("Mailbox/set", (marker) => ({ create: { m1: { name: marker } } })),
    adding("Email/import", (marker) => ({ emails: imported(marker) })),
    adding("Email/copy", (marker) => ({
      fromAccountId: own.account,
      create: { c1: { id: ownMessage.id, mailboxIds, keywords: { [marker]: true } } },
    })),
  ];
}

/** What is done with a message of the other inbox. */
function attemptsAt(
  { id }: Message,
  sender: { email: string; identityId: string | undefined } | undefined,
): readonly Attempt[] {
  const destroyed: Attempt = {
    method: "Email/set",
    args: { destroy: [id] },
    trace(_answer, afterwards) {
      const read = afterwards.map((exchange) => responseTo(exchange, "message")).find(Boolean);
      const missing = read?.args["notFound"];
      return Array.isArray(missing) && missing.includes(id) ? "a message that is gone" : undefined;
    },
  };
  if (sender === undefined) return [destroyed];
  const { email, identityId } = sender;
  const envelope = { mailFrom: { email }, rcptTo: [{ email }] };
  const identity = identityId === undefined ? {} : { identityId };
  return [
    destroyed,
    {
      method: "EmailSubmission/set",
      args: { create: { s1: { emailId: id, envelope, ...identity } } },
      trace: (answer) =>
        createdIn(answer, "0") === undefined ? undefined : "a submission of one of its messages",
    },
  ];
}

/** The first object that a call says it has created; undefined without one that has an id. */
export function createdIn(exchange: Exchange, callId: string): JsonObject | undefined {
  const created = responseTo(exchange, callId)?.args["created"];
  const made = isJsonObject(created) ? Object.values(created)[0] : undefined;
  return isJsonObject(made) && typeof made["id"] === "string" ? made : undefined;
}

/**
 * A draft whose text is its subject.
 *
 * @param addresses - beside those that the target wants in its drafts
 * @throws {InconclusiveError} control-refused, when it cannot be created
 */
export async function newMessage(
  { ask, account, mailboxId, addresses: own }: Writable,
  addresses: JsonObject,
  subject = newSubject(),
): Promise<Message> {
  const draft = plainTextDraft({ mailboxId, addresses: { ...own, ...addresses }, subject, text: subject });
  const made = await ask(jmapBody([["Email/set", { accountId: account, create: { d1: draft } }, "0"]]));
  const { id, blobId } = createdIn(made, "0") ?? {};
  if (typeof id === "string") return { id, blobId };
  throw controlRefused("creating a draft in an inbox", "200 with created", made, "JMAP-07");
}

/** Where accountId is ignored, a mailbox was made in the own inbox. */
export async function removeMailboxes(
  { ask, account }: Writable,
  answers: readonly Exchange[],
): Promise<void> {
  const made = answers.filter((exchange) => responseTo(exchange, "0")?.name === "Mailbox/set");
  const destroy = made.flatMap((exchange) => createdIn(exchange, "0")?.["id"] ?? []);
  if (destroy.length > 0) await ask(jmapBody([["Mailbox/set", { accountId: account, destroy }, "0"]]));
}

/** Whom the inbox may send as; undefined where it shows no identity, or none with an address of its own. */
export async function senderOf({
  ask,
  account,
  addresses,
}: Writable): Promise<{ email: string; identityId: string | undefined } | undefined> {
  const identities = await ask(jmapBody([["Identity/get", { accountId: account, ids: null }, "0"]]));
  return senderAmong(responseTo(identities, "0")?.args["list"], addresses.from?.[0]?.email ?? "");
}

/** Whether Email/get finds a message of that id with the credential of the inbox. */
export async function hasMessage({ ask }: Writable, id: string): Promise<boolean> {
  const found = await ask(jmapBody([["Email/get", { ids: [id], properties: ["id"] }, "0"]]));
  const list = responseTo(found, "0")?.args["list"];
  return Array.isArray(list) && list.length > 0;
}

/** Answers to the owner of an inbox. */
type Contents = readonly Exchange[];

/**
 * What the owner reads: the keywords of the newest messages, the mailboxes, and one message. In several requests, since a
 * target may take few calls in one (C-93).
 */
export async function contentsOf({ ask, account, mailboxId }: Writable, emailId: string): Promise<Contents> {
  const accountId = account;
  const others: MethodCall[] = [
    ["Email/get", { accountId, ids: [emailId], properties: ["id", "keywords"] }, "message"],
    ["Mailbox/get", { accountId, ids: null }, "mailboxes"],
  ];
  const listing = { accountId, mailboxId, properties: ["keywords"] };
  const { pages } = await newestMails((calls) => ask(jmapBody(calls)), listing);
  const rest = await ask(jmapBody(others));
  if (responseTo(rest, "message")?.name === "Email/get") return [...pages, rest];
  throw controlRefused("reading an inbox for its owner", "200 with its message", rest, "JMAP-06");
}
