import type { Target } from "../target/target.ts";
import { controlRefused } from "../wire/control-refused.ts";
import type { Exchange } from "../wire/exchange.ts";
import { bearer, firstId, jmapAs, jmapBody, jsonContentType, type MethodCall, postJmap } from "./jmap.ts";
import type { MailSession } from "./mail-session.ts";
import { type NewestMails, newestMails } from "./newest-mails.ts";

/** Reads one inbox as its owner. */
export interface MailReader {
  /** Tells the inbox from every other one of the run. */
  readonly inbox: string;
  /** Named in the calls, where the credential alone does not say which account is meant. */
  readonly accountId?: string;
  ask(target: Target, calls: readonly MethodCall[]): Promise<Exchange>;
}

/** @param token - an access token of the inbox's owner */
export function readerOf(token: string, accountId: string): MailReader {
  return { inbox: accountId, ask: (target, calls) => jmapAs(target, token, accountId, jmapBody(calls)) };
}

/** @param capability - of the agent whose inbox it is */
export function agentReader(capability: string, { apiUrl: url, accountId }: MailSession): MailReader {
  const headers = [bearer(capability), jsonContentType];
  return {
    inbox: accountId,
    accountId,
    ask: (target, calls) => postJmap(target, { url, headers, body: jmapBody(calls) }),
  };
}

// A target may file mail that it does not trust as junk. RFC 8621 §2.
const deliveryRoles = ["inbox", "junk"] as const;

/**
 * The newest messages where mail to an inbox is delivered.
 *
 * @throws {InconclusiveError} control-refused, when the owner is not shown them
 */
export async function deliveredMails(target: Target, reader: MailReader): Promise<readonly NewestMails[]> {
  const { accountId } = reader;
  const listings: NewestMails[] = [];
  for (const mailboxId of await deliveryMailboxes(target, reader))
    listings.push(await newestMails((calls) => reader.ask(target, calls), { mailboxId, accountId }));
  return listings;
}

/** The ids of the mailboxes where mail to an inbox arrives. @throws as {@link deliveredMails} */
export function deliveryMailboxes(target: Target, reader: MailReader): Promise<readonly string[]> {
  return target.setup.once(`delivery-mailboxes:${reader.inbox}`, async (recording) => {
    const { accountId } = reader;
    const account = accountId === undefined ? {} : { accountId };
    const calls = deliveryRoles.map((role): MethodCall => [
      "Mailbox/query",
      { ...account, filter: { role } },
      role,
    ]);
    const exchange = await reader.ask(recording, calls);
    const [inbox, junk] = deliveryRoles.map((role) => firstId(exchange, role));
    if (inbox !== undefined) return junk === undefined || junk === inbox ? [inbox] : [inbox, junk];
    throw controlRefused("looking for the mailbox of a recipient", "200 with one id", exchange, "JMAP-04");
  });
}
