import type { Sender } from "../support/actors/identities.ts";
import { createdId, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { agentSender } from "../support/material/agent-sender.ts";
import { sharedAgent, type WhichAgent } from "../support/material/agents.ts";
import { exhaustion } from "../support/judging/too-large.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError } from "../support/verdict.ts";
import { type Exchange, isJsonObject, isSuccess } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { askMailbox, draftMailboxId, mailboxOf } from "./mailbox.ts";
import { plainTextDraft } from "../support/material/plain-text-draft.ts";

/**
 * Whom an agent sends as.
 *
 * @throws {BlockedError} when nothing shows the address of its inbox
 */
export async function senderOf(target: Target, which: WhichAgent = "first"): Promise<Sender> {
  const { capability } = await mailboxOf(target, which);
  const { inbox } = await sharedAgent(target, which);
  const sender = await agentSender(target, { capability, inbox });
  if (sender !== undefined) return sender;
  throw new BlockedError(
    "needs the address of an agent's inbox, which nothing shows; set names.mail_domain in the profile",
  );
}

/** One message to one address. */
export interface Letter {
  readonly to: string;
  /** In no other message of the run. */
  readonly subject: string;
}

/** Draft and submission in one request, as the document shows them. */
function calls(
  accountId: string,
  mailboxId: string,
  { email, identityId }: Sender,
  { to, subject }: Letter,
): readonly MethodCall[] {
  const addresses = { from: [{ email }], to: [{ email: to }] };
  const draft = plainTextDraft({ mailboxId, addresses, subject, text: subject });
  const submission = {
    emailId: "#draft",
    ...(identityId !== undefined && { identityId }),
    envelope: { mailFrom: { email }, rcptTo: [{ email: to }] },
  };
  return [
    ["Email/set", { accountId, create: { draft } }, "0"],
    ["EmailSubmission/set", { accountId, create: { sent: submission } }, "1"],
  ];
}

export interface Sent {
  readonly exchange: Exchange;
  /** The submission is in created. */
  readonly isCreated: boolean;
  /** It was tried again with an identityId, which RFC 8621 §7 requires and the document's request lacks (C-21). */
  readonly isRetried: boolean;
}

/** Sends from the inbox of the first agent. @throws {BlockedError} as {@link senderOf} */
export async function sendFromAgent(target: Target, letter: Letter): Promise<Sent> {
  const mailbox = await mailboxOf(target);
  const { accountId } = mailbox;
  const mailboxId = await draftMailboxId(target, "first");
  const sender = await senderOf(target.setup);
  const post = async (as: Sender): Promise<{ exchange: Exchange; isCreated: boolean }> => {
    const exchange = await askMailbox(target, mailbox, calls(accountId, mailboxId, as, letter));
    return { exchange, isCreated: createdId(exchange, "1", "sent") !== undefined };
  };
  const first = await post({ ...sender, identityId: undefined });
  if (first.isCreated || sender.identityId === undefined) return { ...first, isRetried: false };
  return { ...(await post(sender)), isRetried: true };
}

/** Why a mail was not sent: the type of the error of its submission, or of the draft before it. */
export function refusalOf(exchange: Exchange): unknown {
  for (const callId of ["1", "0"]) {
    const args = responseTo(exchange, callId)?.args ?? {};
    const errors = isJsonObject(args["notCreated"]) ? Object.values(args["notCreated"]) : [args];
    const error = errors.find((found) => isJsonObject(found) && typeof found["type"] === "string");
    if (isJsonObject(error)) return error["type"];
  }
  return undefined;
}

/** @throws {NotApplicableError} when the inbox may not send for now */
export function requireAllowed({ exchange, isCreated }: Sent): void {
  const type = exhaustion(exchange);
  if (!isCreated && isSuccess(exchange) && type !== undefined)
    throw new NotApplicableError(`the inbox may not send now: ${shown(type)}`);
}
