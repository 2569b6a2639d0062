import { deliveredMails, readerOf } from "../actors/delivered-mails.ts";
import { draftMailboxIn, mailboxCalls } from "../actors/draft-mailbox.ts";
import { addressHasName } from "../actors/identities.ts";
import {
  accountHeader,
  bearer,
  firstId,
  type InboxEntry,
  jmapAs,
  jmapBody,
  type MethodCall,
  responseTo,
} from "../actors/jmap.ts";
import { followedSessionDocument } from "../actors/mail-session.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { isJsonObject, jsonMembers, jsonObjectsIn } from "../wire/exchange.ts";
import { sharedAgent } from "./agents.ts";
import { provingDelivery } from "./delivery.ts";
import { newSubject, plainTextDraft } from "./plain-text-draft.ts";

type NamedInbox = Pick<InboxEntry, "accountId" | "inboxId">;

/**
 * The address of an inbox where no identity shows it, since the document names no Identity/get: the one in its session
 * document or its messages that has its name, else its name at the domain of the agents' addresses. That one is a guess,
 * and holds once a message that the inbox sent there has come back.
 *
 * @param token - an access token of its owner
 */
export async function addressByName(
  target: Target,
  token: string,
  inbox: NamedInbox,
): Promise<string | undefined> {
  const name = inbox.inboxId.toLowerCase();
  const shown =
    (await addressesOfSession(target, token, inbox)).find((email) => addressHasName(email, name)) ??
    (await addressesInMessages(target, token, inbox)).find((email) => addressHasName(email, name));
  if (shown !== undefined) return shown;
  const domain = /^[\w.+-]+$/u.test(name) ? await domainOfAgents(target) : undefined;
  if (domain === undefined) return undefined;
  const guess = `${name}@${domain}`;
  return (await sendsToItself(target, token, inbox, guess)) ? guess : undefined;
}

async function addressesOfSession(
  target: Target,
  token: string,
  { accountId }: NamedInbox,
): Promise<readonly string[]> {
  const headers = [bearer(token), accountHeader(target, accountId)];
  const { username, accounts } = jsonMembers(await followedSessionDocument(target, headers));
  const names = Object.values(isJsonObject(accounts) ? accounts : {}).map((account) =>
    isJsonObject(account) ? account["name"] : undefined,
  );
  return addressesAmong([username, ...names]);
}

async function addressesInMessages(
  target: Target,
  token: string,
  { accountId }: NamedInbox,
): Promise<readonly string[]> {
  const sort = [{ property: "receivedAt", isAscending: false }];
  const ids = { resultOf: "0", name: "Email/query", path: "/ids" };
  const calls: MethodCall[] = [
    ["Email/query", { sort, limit: 20 }, "0"],
    ["Email/get", { "#ids": ids, properties: ["from", "to"] }, "1"],
  ];
  const { list } = responseTo(await jmapAs(target, token, accountId, jmapBody(calls)), "1")?.args ?? {};
  const parties = jsonObjectsIn(list).flatMap(({ from, to }) => [
    ...jsonObjectsIn(to),
    ...jsonObjectsIn(from),
  ]);
  return addressesAmong(parties.map(({ email }) => email));
}

async function domainOfAgents(target: Target): Promise<string | undefined> {
  try {
    const [address] = addressesAmong([(await sharedAgent(target, "second")).inbox]);
    return address?.slice(address.lastIndexOf("@") + 1);
  } catch (error) {
    // No agent can be had here; the checks of the proof of work say why.
    if (error instanceof InconclusiveError || error instanceof BlockedError) return undefined;
    throw error;
  }
}

const pollMs = 500;

async function sendsToItself(
  target: Target,
  token: string,
  inbox: NamedInbox,
  address: string,
): Promise<boolean> {
  const { accountId } = inbox;
  const mailboxes = await jmapAs(target, token, accountId, jmapBody(mailboxCalls()));
  const mailboxId = draftMailboxIn(mailboxes);
  if (mailboxId === undefined) return false;
  const subject = newSubject();
  const party = { email: address };
  const draft = plainTextDraft({ mailboxId, addresses: { from: [party], to: [party] }, subject });
  const envelope = { mailFrom: party, rcptTo: [party] };
  const calls: MethodCall[] = [
    ["Email/set", { create: { d1: draft } }, "0"],
    ["EmailSubmission/set", { create: { s1: { emailId: "#d1", envelope } } }, "1"],
  ];
  await jmapAs(target, token, accountId, jmapBody(calls));
  // The draft itself may lie where mail is delivered.
  const drafts = mailboxId === firstId(mailboxes, "0") ? 1 : 0;
  const tookMs = await provingDelivery(target, async (withinMs) => {
    for (let waitedMs = 0; waitedMs <= withinMs; waitedMs += pollMs) {
      const listings = await deliveredMails(target, readerOf(token, accountId));
      const mails = listings.flatMap((listing) => listing.mails);
      if (mails.filter((mail) => mail["subject"] === subject).length > drafts) return waitedMs;
      await target.pause(pollMs);
    }
    return undefined;
  });
  return tookMs !== undefined;
}

function addressesAmong(values: readonly unknown[]): string[] {
  return values.flatMap((value) =>
    typeof value === "string" && /^[^@\s]+@[^@\s]+$/u.test(value) ? [value.toLowerCase()] : [],
  );
}
