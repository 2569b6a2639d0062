import { isJsonObject } from "../wire/exchange.ts";

/** An address to send from, and the id of the identity that covers it, where one does (RFC 8621 §6). */
export interface Sender {
  readonly email: string;
  readonly identityId: string | undefined;
}

interface Identity {
  readonly id: string;
  readonly email: string;
}

/**
 * Whom to send as, among the identities that `Identity/get` lists: the one that has the name of the inbox, else the
 * first of a single address, else the name itself. Aliases may be listed first, and mail to them may end elsewhere.
 *
 * @param list - of the response to `Identity/get`
 * @param inboxName - the `inboxId` of a list, or the `inbox` of a signup; an address or the part before the @
 * @returns undefined when neither an identity nor the name is an address
 */
export function senderAmong(list: unknown, inboxName: string): Sender | undefined {
  const all = identitiesIn(list);
  const single = all.filter(({ email }) => !email.startsWith("*"));
  const name = inboxName.toLowerCase();
  const chosen = single.find(({ email }) => addressHasName(email.toLowerCase(), name)) ?? single[0];
  if (chosen !== undefined) return { email: chosen.email, identityId: chosen.id };
  if (!inboxName.includes("@")) return undefined;
  // RFC 8621 §6: an identity whose address begins with *@ stands for every address of a domain; it is not an address itself.
  const ofDomain = all.find(({ email }) => name.endsWith(email.slice(1).toLowerCase()));
  return { email: inboxName, identityId: ofDomain?.id };
}

/** The addresses that a list of `Identity/get` has, those that stand for a whole domain left out. */
export function addressesIn(list: unknown): readonly string[] {
  return identitiesIn(list).flatMap(({ email }) => (email.startsWith("*") ? [] : [email.toLowerCase()]));
}

/** Whether an address is the name of an inbox, or the name at some domain. Both in lower case. */
export function addressHasName(email: string, name: string): boolean {
  return email === name || email.startsWith(`${name}@`);
}

function identitiesIn(list: unknown): Identity[] {
  const items: unknown[] = Array.isArray(list) ? list : [];
  return items.flatMap((item) => {
    const { id, email } = isJsonObject(item) ? item : {};
    return typeof id === "string" && typeof email === "string" ? [{ id, email }] : [];
  });
}
