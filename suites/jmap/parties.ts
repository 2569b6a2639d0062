import type { WhichHuman } from "../support/actors/human.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { deliveryWithinMs, provingDelivery } from "../support/material/delivery.ts";
import { addressOf, foreignInbox, twoInboxes } from "../support/material/inboxes.ts";
import { arrivalMs as waitedFor, arrivedMails as mailsOf } from "../support/actors/arrivals.ts";
import { type MailReader, readerOf } from "../support/actors/delivered-mails.ts";
import type { Target } from "../support/target/target.ts";
import { jmapAs, jmapBody, responseTo } from "../support/actors/jmap.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, type JsonObject } from "../support/wire/exchange.ts";
import { refusesCopies, requireWithinLimits } from "./own-inbox.ts";
import { isSent, type Letter, sendFrom, sendFromAny, type SentLetter } from "./sending.ts";

/** An inbox that mail is sent to, as its owner reads it. */
export interface Recipient {
  readonly human: WhichHuman;
  readonly accountId: string;
  readonly address: string;
}

/** Where mail goes from and to: two inboxes of one person, and one of another. */
export interface Parties {
  readonly senderId: string;
  readonly own: Recipient;
  readonly foreign: Recipient;
  /** The longest that mail took to either, in milliseconds. */
  readonly deliveryMs: number;
}

/** Messages that an inbox sent to each of two others. */
export interface SentToBoth extends Omit<Parties, "deliveryMs"> {
  readonly toForeign: SentLetter;
  readonly toOwn: SentLetter;
}

/**
 * An inbox that sends, and a message of it to each of two others, whose header fields and envelope name that one alone.
 *
 * @throws {InconclusiveError} control-refused, when nothing is sent
 */
export function sentToBoth(target: Target): Promise<SentToBoth> {
  return target.control.once("jmap:sent-to-both", async (recording) => {
    const owned = await twoInboxes(recording);
    const foreignId = await foreignInbox(recording);
    const foreign: Recipient = {
      human: "second",
      accountId: foreignId,
      address: await addressOf(recording, foreignId, "second"),
    };
    const toForeign = await sendFromAny(recording, (accountId) =>
      sendFrom(recording, accountId, letterTo(foreign)),
    );
    requireSent(toForeign);
    const senderId = toForeign.accountId;
    const ownId = owned.find((accountId) => accountId !== senderId) ?? owned[1];
    const own: Recipient = {
      human: "first",
      accountId: ownId,
      address: await addressOf(recording, ownId),
    };
    const toOwn = requireSent(await sendFrom(recording, senderId, letterTo(own)));
    return { senderId, own, foreign, toForeign, toOwn };
  });
}

export function letterTo({ address }: Recipient): Letter {
  return { to: [address], rcptTo: [address] };
}

/**
 * An inbox that sends, and two that its mail reaches when header fields and envelope name that one alone.
 *
 * @throws {InconclusiveError} control-refused, when nothing is sent; precondition-missing, when a message does not arrive:
 *   the document promises no delivery
 */
export function provenParties(target: Target): Promise<Parties> {
  return target.control.once("jmap:parties", async (recording) => {
    const { senderId, own, foreign, toForeign, toOwn } = await sentToBoth(recording);
    const took = await Promise.all([
      requireArrival(recording, foreign, toForeign),
      requireArrival(recording, own, toOwn),
    ]);
    return { senderId, own, foreign, deliveryMs: Math.max(...took) };
  });
}

export async function requireArrival(
  target: Target,
  recipient: Recipient,
  letter: SentLetter,
): Promise<number> {
  let waitedMs = 0;
  const ms = await provingDelivery(target, (withinMs) => {
    waitedMs = withinMs;
    return arrivalMs(target, recipient, letter.subject, withinMs);
  });
  if (ms !== undefined) return ms;
  throw new InconclusiveError(
    "precondition-missing",
    `needs mail that arrives: a message to an inbox of the ${recipient.human} human was not there after ${Math.round(waitedMs / 1000)} s`,
    {
      exchange: letter.exchange,
      ...(recipient.human === "first" && { explainedBy: "JMAP-08/own-inbox" }),
    },
  );
}

/**
 * @throws {NotApplicableError} when the target sends to fewer recipients at once (RFC 8621 §7.5), or takes no copies
 * @throws {InconclusiveError} precondition-missing, when the inbox sends no more for now; control-refused, when no submission was created for another reason
 */
export function requireSent(letter: SentLetter): SentLetter {
  if (isSent(letter)) return letter;
  requireWithinLimits(letter.exchange);
  const { notCreated } = responseTo(letter.exchange, "send")?.args ?? {};
  const error = isJsonObject(notCreated) ? notCreated["s1"] : undefined;
  if (isJsonObject(error) && error["type"] === "tooManyRecipients")
    throw new NotApplicableError("the target sends to fewer recipients at once");
  if (refusesCopies(letter.exchange, "create"))
    throw new NotApplicableError("the target creates no draft with `cc` and `bcc`");
  throw controlRefused("sending a message", "200 with created", letter.exchange, "JMAP-08");
}

/** Whether the newest messages that a recipient got have that subject among them. */
export async function hasArrived(target: Target, recipient: Recipient, subject: string): Promise<boolean> {
  return (await arrivedMail(target, recipient, subject)) !== undefined;
}

/** What the list of a recipient's newest messages shows of the one with that subject. */
export async function arrivedMail(
  target: Target,
  recipient: Recipient,
  subject: string,
): Promise<JsonObject | undefined> {
  return (await arrivedMails(target, recipient, subject))[0];
}

/** What the list of a recipient's newest messages shows of those with that subject. */
export async function arrivedMails(
  target: Target,
  recipient: Recipient,
  subject: string,
): Promise<readonly JsonObject[]> {
  return mailsOf(target, await readerFor(target, recipient), subject);
}

/** Waits for a message. @returns milliseconds until it was seen; undefined when it was not */
export async function arrivalMs(
  target: Target,
  recipient: Recipient,
  subject: string,
  withinMs: number,
): Promise<number | undefined> {
  return waitedFor(target, await readerFor(target, recipient), subject, withinMs);
}

async function readerFor(target: Target, { human, accountId }: Recipient): Promise<MailReader> {
  return readerOf(await sharedAccessToken(target, { human }), accountId);
}

/**
 * Waits for a message, and reads it for its recipient.
 *
 * @param properties - of the `Email/get`, under the call id `0`
 * @throws {InconclusiveError} precondition-missing, when it does not arrive
 */
export async function readArrived(
  target: Target,
  parties: Parties,
  recipient: Recipient,
  { subject, exchange }: Pick<SentLetter, "subject" | "exchange">,
  properties: readonly string[],
): Promise<Exchange> {
  await arrivalMs(target, recipient, subject, patienceMs(parties));
  const mail = await arrivedMail(target, recipient, subject);
  if (mail === undefined) throw arrivedNowhere(exchange);
  const asked = { ids: [mail["id"]], properties, fetchTextBodyValues: true };
  const token = await sharedAccessToken(target, { human: recipient.human });
  return jmapAs(target, token, recipient.accountId, jmapBody([["Email/get", asked, "0"]]));
}

export function patienceMs({ deliveryMs }: Parties): number {
  return deliveryWithinMs(deliveryMs);
}

export function arrivedNowhere(exchange: Exchange): InconclusiveError {
  return new InconclusiveError("precondition-missing", "the message arrived nowhere", { exchange });
}

/** Where a message was found that several were to get. */
export interface Arrivals {
  readonly exchange: Exchange;
  /** At each of those that were looked at, in their order. */
  readonly areThere: readonly boolean[];
  /** It was nowhere, and one that was sent later arrived at its only recipient. */
  readonly isOvertaken: boolean;
}

/** Waits for a message at some of its recipients. Where it is nowhere, mail to one recipient shows that mail still arrives. */
export async function arrivalsOf(
  target: Target,
  parties: Parties,
  { subject, exchange }: SentLetter,
  recipients: readonly Recipient[],
): Promise<Arrivals> {
  const isAt = async (recipient: Recipient): Promise<boolean> =>
    (await arrivalMs(target, recipient, subject, patienceMs(parties))) !== undefined;
  const areThere = await Promise.all(recipients.map(isAt));
  if (areThere.includes(true)) return { exchange, areThere, isOvertaken: false };
  const to = [parties.own.address];
  const later = await sendFrom(target.control, parties.senderId, { to, rcptTo: to });
  const took =
    isSent(later) && (await arrivalMs(target, parties.own, later.subject, patienceMs(parties))) !== undefined;
  const areThereByNow = await Promise.all(
    recipients.map((recipient) => hasArrived(target, recipient, subject)),
  );
  return { exchange, areThere: areThereByNow, isOvertaken: took && !areThereByNow.includes(true) };
}

/**
 * What was acknowledged is not lost.
 *
 * @throws {InconclusiveError} when no mail arrives any longer: the document promises no delivery
 */
export function expectSomewhere({ exchange, areThere, isOvertaken }: Arrivals): void {
  if (areThere.includes(true)) return;
  if (!isOvertaken) throw arrivedNowhere(exchange);
  throw new Violation(
    "the message at its recipients",
    "it at none of them, and a later one at its only recipient",
    { exchange },
  );
}
