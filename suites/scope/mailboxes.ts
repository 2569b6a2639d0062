import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, type JsonObject } from "../support/wire/exchange.ts";
import { draftMailboxIn, mailboxCalls } from "../support/actors/draft-mailbox.ts";
import { jmapAs, jmapBody, responseTo } from "../support/actors/jmap.ts";
import { deliveredMails, readerOf } from "../support/actors/delivered-mails.ts";
import { type NewestMails, newestMails } from "../support/actors/newest-mails.ts";
import type { Target } from "../support/target/target.ts";

/** An inbox as its owner reaches it. */
export interface Mailbox {
  /** For the account header. */
  readonly accountId: string;
  /** As JMAP answers name the account; not assumed to be the accountId. */
  readonly jmapAccountId: string;
  /** Of the mailbox with the role inbox. */
  readonly mailboxId: string;
  /** Of the mailbox that takes drafts. */
  readonly draftsId: string;
}

/** @throws {InconclusiveError} control-refused, when the inbox query is not answered */
export function mailboxOf(target: Target, token: string, accountId: string): Promise<Mailbox> {
  return target.setup.once(`scope:mailbox:${accountId}`, async (recording) => {
    const exchange = await jmapAs(recording, token, accountId, jmapBody(mailboxCalls()));
    const { accountId: jmapAccountId, ids } = responseTo(exchange, "0")?.args ?? {};
    const mailboxId: unknown = Array.isArray(ids) ? ids[0] : undefined;
    const draftsId = draftMailboxIn(exchange);
    if (typeof jmapAccountId === "string" && typeof mailboxId === "string" && draftsId !== undefined)
      return { accountId, jmapAccountId, mailboxId, draftsId };
    throw controlRefused(
      "querying the mailbox of an inbox",
      "200 with accountId and ids",
      exchange,
      "JMAP-04",
    );
  });
}

/** The member of `created` that a call's response has for a creation id. */
export function createdIn(args: JsonObject | undefined, creationId: string): JsonObject | undefined {
  const { created } = args ?? {};
  const made = isJsonObject(created) ? created[creationId] : undefined;
  return isJsonObject(made) ? made : undefined;
}

/** A look at the newest messages of a mailbox. */
export interface Listing {
  readonly exchange: Exchange;
  /** Those of the subjects that were looked for. */
  readonly found: readonly string[];
}

/**
 * Which of these subjects a mailbox has among its newest messages.
 *
 * @throws {InconclusiveError} control-refused, when the owner is not shown them
 */
export async function lookFor(
  target: Target,
  token: string,
  { accountId, mailboxId }: Pick<Mailbox, "accountId" | "mailboxId">,
  subjects: readonly string[],
): Promise<Listing> {
  return foundIn(
    await newestMails((calls) => jmapAs(target, token, accountId, jmapBody(calls)), { mailboxId }),
    subjects,
  );
}

/** As {@link lookFor}, in each of the mailboxes where mail to an inbox is delivered. */
export async function lookForDelivered(
  target: Target,
  token: string,
  { accountId }: Pick<Mailbox, "accountId">,
  subjects: readonly string[],
): Promise<readonly Listing[]> {
  const listings = await deliveredMails(target, readerOf(token, accountId));
  return listings.map((newest) => foundIn(newest, subjects));
}

function foundIn({ exchange, mails }: NewestMails, subjects: readonly string[]): Listing {
  const text = JSON.stringify(mails);
  return { exchange, found: subjects.filter((subject) => text.includes(subject)) };
}

const pollMs = 500;

/**
 * Waits until a message with that subject arrives.
 *
 * @param withinMs - after which it counts as not arrived
 * @returns milliseconds until it was seen; undefined when it was not
 */
export async function arrivalMs(
  target: Target,
  token: string,
  mailbox: Mailbox,
  subject: string,
  withinMs: number,
): Promise<number | undefined> {
  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  for (;;) {
    const listings = await lookForDelivered(target.setup, token, mailbox, [subject]);
    if (listings.some(({ found }) => found.length > 0)) return elapsedMs();
    if (elapsedMs() + pollMs > withinMs) return undefined;
    await target.pause(pollMs);
  }
}
