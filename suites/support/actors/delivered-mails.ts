import type { Target } from "../target/target.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { firstId, jmapAs, jmapBody, type MethodCall } from "./jmap.ts";
import { type NewestMails, newestMails } from "./newest-mails.ts";

// A target may file mail that it does not trust as junk. RFC 8621 §2.
const deliveryRoles = ["inbox", "junk"] as const;

/**
 * The newest messages where mail to an inbox is delivered.
 *
 * @param token - an access token of the inbox's owner
 * @throws {InconclusiveError} control-refused, when the owner is not shown them
 */
export async function deliveredMails(
  target: Target,
  token: string,
  accountId: string,
): Promise<readonly NewestMails[]> {
  const ask = (calls: readonly MethodCall[]) => jmapAs(target, token, accountId, jmapBody(calls));
  const listings: NewestMails[] = [];
  for (const mailboxId of await deliveryMailboxes(target, token, accountId))
    listings.push(await newestMails(ask, { mailboxId }));
  return listings;
}

/** The ids of the mailboxes where mail to an inbox arrives. @throws as {@link deliveredMails} */
export function deliveryMailboxes(
  target: Target,
  token: string,
  accountId: string,
): Promise<readonly string[]> {
  return target.setup.once(`delivery-mailboxes:${accountId}`, async (recording) => {
    const calls = deliveryRoles.map((role) => ["Mailbox/query", { filter: { role } }, role] as const);
    const exchange = await jmapAs(recording, token, accountId, jmapBody(calls));
    const [inbox, junk] = deliveryRoles.map((role) => firstId(exchange, role));
    if (inbox !== undefined) return junk === undefined || junk === inbox ? [inbox] : [inbox, junk];
    throw controlRefused("looking for the mailbox of a recipient", "200 with one id", exchange, "JMAP-04");
  });
}
