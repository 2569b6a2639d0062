import type { Target } from "../target/target.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { deliveredMails, type MailReader } from "./delivered-mails.ts";
import { withoutEncodedWords } from "./encoded-words.ts";
import { newestMails } from "./newest-mails.ts";

// A gateway may have marked it: "[External] …". One that is left encoded has arrived too.
function withSubject(mails: readonly JsonObject[], subject: string): readonly JsonObject[] {
  return mails.filter((mail) => withoutEncodedWords(String(mail["subject"])).includes(subject));
}

/** What the list of an inbox's newest messages shows of those with that subject, where mail is delivered. */
export async function arrivedMails(
  target: Target,
  reader: MailReader,
  subject: string,
): Promise<readonly JsonObject[]> {
  const listings = await deliveredMails(target.setup, reader);
  return listings.flatMap(({ mails }) => withSubject(mails, subject));
}

/**
 * Whether a message with that subject is in any mailbox of the account: a target may have filed it by rules of its own.
 *
 * @throws {InconclusiveError} control-refused, when the owner is not shown the whole account
 */
export async function isInAnyMailbox(target: Target, reader: MailReader, subject: string): Promise<boolean> {
  const { accountId } = reader;
  const { mails } = await newestMails((calls) => reader.ask(target.setup, calls), { accountId });
  return withSubject(mails, subject).length > 0;
}

const pollMs = 500;

/** Waits for a message. @returns milliseconds until it was seen; undefined when it was not */
export async function arrivalMs(
  target: Target,
  reader: MailReader,
  subject: string,
  withinMs: number,
): Promise<number | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    if ((await arrivedMails(target, reader, subject)).length > 0) return elapsedMs;
    if (elapsedMs > withinMs) return undefined;
    await target.pause(pollMs);
  }
}
