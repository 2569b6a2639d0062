import { draftMailboxIn, mailboxCalls } from "../actors/draft-mailbox.ts";
import { type Sender, senderAmong } from "../actors/identities.ts";
import { type InboxEntry, jmapAs, jmapBody, responseTo, urn } from "../actors/jmap.ts";
import { unguessable } from "../actors/oauth-client.ts";
import type { Target } from "../target/target.ts";
import { isJsonObject } from "../wire/exchange.ts";

/**
 * Whether an inbox does all that an active one does: it reads, keeps a draft and sends. The document shows no status but
 * `active`, so what one of another status can do is only known when it was tried (C-86).
 */
export async function worksFully(target: Target, token: string, entry: InboxEntry): Promise<boolean> {
  const mailboxes = await jmapAs(target, token, entry.accountId, jmapBody(mailboxCalls()));
  const mailboxId = draftMailboxIn(mailboxes);
  const sender = await senderOf(target, token, entry);
  if (mailboxId === undefined || sender === undefined) return false;
  const address = { email: sender.email };
  const draft = {
    mailboxIds: { [mailboxId]: true },
    keywords: { $draft: true },
    from: [address],
    to: [address],
    subject: `mailproof ${unguessable()}`,
    textBody: [{ partId: "body", type: "text/plain" }],
    bodyValues: { body: { value: "written by mailproof" } },
  };
  const submission = {
    emailId: "#d1",
    envelope: { mailFrom: address, rcptTo: [address] },
    ...(sender.identityId !== undefined && { identityId: sender.identityId }),
  };
  const sent = await jmapAs(
    target,
    token,
    entry.accountId,
    jmapBody([
      ["Email/set", { create: { d1: draft } }, "create"],
      ["EmailSubmission/set", { create: { s1: submission } }, "send"],
    ]),
  );
  const { created } = responseTo(sent, "send")?.args ?? {};
  return isJsonObject(created) && isJsonObject(created["s1"]);
}

async function senderOf(
  target: Target,
  token: string,
  { accountId, inboxId }: InboxEntry,
): Promise<Sender | undefined> {
  const body = jmapBody([["Identity/get", { ids: null }, "0"]], [urn.core, urn.submission]);
  const { list } = responseTo(await jmapAs(target, token, accountId, body), "0")?.args ?? {};
  const domain = target.profile.names.mail_domain;
  return (
    senderAmong(list, inboxId) ??
    (domain === undefined ? undefined : { email: `${inboxId}@${domain}`, identityId: undefined })
  );
}
