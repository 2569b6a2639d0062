import { draftMailboxIn, mailboxCalls } from "../actors/draft-mailbox.ts";
import type { Sender } from "../actors/identities.ts";
import { jmapAs, jmapBody, responseTo } from "../actors/jmap.ts";
import type { Target } from "../target/target.ts";
import { isJsonObject } from "../wire/exchange.ts";
import { newSubject, plainTextDraft } from "./plain-text-draft.ts";

/**
 * Whether an inbox does all that an active one does: it reads, keeps a draft and sends. The document shows no status but
 * `active`, so what one of another status can do is only known when it was tried (C-86).
 */
export async function worksFully(
  target: Target,
  token: string,
  accountId: string,
  sender: Sender,
): Promise<boolean> {
  const mailboxes = await jmapAs(target, token, accountId, jmapBody(mailboxCalls()));
  const mailboxId = draftMailboxIn(mailboxes);
  if (mailboxId === undefined) return false;
  const address = { email: sender.email };
  const addresses = { from: [address], to: [address] };
  const draft = plainTextDraft({ mailboxId, addresses, subject: newSubject() });
  const submission = {
    emailId: "#d1",
    envelope: { mailFrom: address, rcptTo: [address] },
    ...(sender.identityId !== undefined && { identityId: sender.identityId }),
  };
  const sent = await jmapAs(
    target,
    token,
    accountId,
    jmapBody([
      ["Email/set", { create: { d1: draft } }, "create"],
      ["EmailSubmission/set", { create: { s1: submission } }, "send"],
    ]),
  );
  const { created } = responseTo(sent, "send")?.args ?? {};
  return isJsonObject(created) && isJsonObject(created["s1"]);
}
