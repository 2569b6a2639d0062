import { freshCapability, sharedAgent, type WhichAgent } from "../support/material/agents.ts";
import { agentDraftAddresses, type DraftAddresses } from "../support/material/draft-addresses.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { draftMailboxIn, mailboxCalls } from "../support/actors/draft-mailbox.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { type Exchange, type JsonObject } from "../support/wire/exchange.ts";
import {
  bearer,
  createdId,
  jmapBody,
  jsonContentType,
  type MethodCall,
  postJmap,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { plainTextDraft } from "../support/material/plain-text-draft.ts";

/** The one inbox of an agent, with a fresh capability. */
export interface Mailbox {
  readonly capability: string;
  readonly apiUrl: string;
  readonly accountId: string;
}

/** @throws {InconclusiveError} control-refused, when the inbox cannot be opened */
export async function mailboxOf(target: Target, which: WhichAgent = "first"): Promise<Mailbox> {
  const capability = await freshCapability(target, which);
  const session = await target.setup.once(`sessions:mailbox:${which}`, (recording) =>
    mailSession(recording, capability),
  );
  return { capability, ...session };
}

/** A JMAP request as the proof-of-work path documents it, with further header lines for checks that are about them. */
export function askMailbox(
  target: Target,
  mailbox: Mailbox,
  calls: readonly MethodCall[],
  headers: readonly (readonly [string, string])[] = [],
): Promise<Exchange> {
  return postMailbox(target, mailbox, jmapBody(calls), headers);
}

/** As {@link askMailbox}, of a JMAP request object as text. */
export function postMailbox(
  target: Target,
  { capability, apiUrl }: Mailbox,
  body: string,
  headers: readonly (readonly [string, string])[] = [],
): Promise<Exchange> {
  return postJmap(target, { url: apiUrl, headers: [bearer(capability), ...headers, jsonContentType], body });
}

/** Where drafts of an inbox are put, and their `from` and `to`. */
export interface DraftPlace {
  readonly accountId: string;
  readonly mailboxId: string;
  readonly addresses: DraftAddresses;
}

/** @throws {InconclusiveError} control-refused, when the mailbox cannot be had */
export function draftPlace(target: Target, which: WhichAgent): Promise<DraftPlace> {
  return target.setup.once(`sessions:draft-place:${which}`, async (recording) => {
    const mailboxId = await draftMailboxId(recording, which);
    const mailbox = await mailboxOf(recording, which);
    const { inbox } = await sharedAgent(recording, which);
    const addresses = await agentDraftAddresses(recording, which, { ...mailbox, mailboxId, inbox });
    return { accountId: mailbox.accountId, mailboxId, addresses };
  });
}

/** Arguments of an `Email/set` that creates one draft with this subject. */
export function draft({ accountId, mailboxId, addresses }: DraftPlace, subject: string): JsonObject {
  return { accountId, create: { draft: plainTextDraft({ mailboxId, addresses, subject, text: subject }) } };
}

/** The mailbox that takes drafts. @throws {InconclusiveError} control-refused, when it cannot be had */
export function draftMailboxId(target: Target, which: WhichAgent): Promise<string> {
  return target.setup.once(`sessions:draft-mailbox:${which}`, async (recording) => {
    const mailbox = await mailboxOf(recording, which);
    const { accountId } = mailbox;
    const exchange = await askMailbox(recording, mailbox, mailboxCalls({ accountId }));
    const id = draftMailboxIn(exchange);
    if (id !== undefined) return id;
    throw controlRefused(
      `finding a mailbox of the ${which} agent`,
      "a Mailbox/query response with its id",
      exchange,
      "POW-66",
    );
  });
}

/** A draft with a subject that nobody can guess. */
export interface Marker {
  readonly subject: string;
  readonly emailId: string;
}

/** A marker in the inbox of an agent. @throws {InconclusiveError} control-refused, when it cannot be stored */
export function markerOf(target: Target, which: WhichAgent): Promise<Marker> {
  return target.setup.once(`sessions:marker:${which}`, async (recording) => {
    const mailbox = await mailboxOf(recording, which);
    const subject = unguessable();
    const call: MethodCall = ["Email/set", draft(await draftPlace(recording, which), subject), "0"];
    const exchange = await askMailbox(recording, mailbox, [call]);
    const emailId = createdId(exchange, "0", "draft");
    if (emailId !== undefined) return { subject, emailId };
    throw controlRefused(
      `creating a draft in the inbox of the ${which} agent`,
      "its id in created",
      exchange,
      "POW-61/email-set",
    );
  });
}
