import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, isSuccess, summary } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import type { Sender } from "../support/actors/identities.ts";
import { type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { agentSender } from "../support/material/agent-sender.ts";
import { sharedAgent } from "../support/material/agents.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError, Violation, warning } from "../support/verdict.ts";
import { askMailbox, createdId, draftMailboxId, type Mailbox, mailboxOf } from "./mailbox.ts";

async function senderOf(target: Target, { capability }: Mailbox): Promise<Sender> {
  const { inbox } = await sharedAgent(target);
  const sender = await agentSender(target, { capability, inbox });
  if (sender !== undefined) return sender;
  throw new BlockedError(
    "needs the address of an agent's inbox, which nothing shows; set names.mail_domain in the profile",
  );
}

/** Draft and submission in one request, as the document shows them. */
function sending(
  accountId: string,
  mailboxId: string,
  { email: address, identityId }: Sender,
): readonly MethodCall[] {
  const subject = unguessable();
  const email = { email: address };
  return [
    [
      "Email/set",
      {
        accountId,
        create: {
          draft: {
            mailboxIds: { [mailboxId]: true },
            from: [email],
            to: [email],
            subject,
            keywords: { $draft: true },
            textBody: [{ partId: "1", type: "text/plain" }],
            bodyValues: { "1": { value: subject } },
          },
        },
      },
      "0",
    ],
    [
      "EmailSubmission/set",
      {
        accountId,
        create: {
          sent: {
            emailId: "#draft",
            ...(identityId !== undefined && { identityId }),
            envelope: { mailFrom: email, rcptTo: [email] },
          },
        },
      },
      "1",
    ],
  ];
}

// Errors of RFC 8620 §5.3 and RFC 8621 §7.5 by which a limit or a new inbox's reputation holds a mail back.
const holdingBack: readonly unknown[] = ["overQuota", "rateLimit", "forbiddenToSend"];

/** Why a mail was not sent: the type of the error of its submission, or of the draft before it. */
function refusalOf(exchange: Exchange): unknown {
  for (const callId of ["1", "0"]) {
    const args = responseTo(exchange, callId)?.args ?? {};
    const errors = isJsonObject(args["notCreated"]) ? Object.values(args["notCreated"]) : [args];
    const error = errors.find((found) => isJsonObject(found) && typeof found["type"] === "string");
    if (isJsonObject(error)) return error["type"];
  }
  return undefined;
}

export const submission = check({
  id: "POW-63",
  claim: "An agent sends a mail to itself by `EmailSubmission/set` with a capability.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    const { accountId } = mailbox;
    const mailboxId = await draftMailboxId(target, "first");
    const sender = await senderOf(target.setup, mailbox);
    const withoutIdentity = { ...sender, identityId: undefined };
    const first = await askMailbox(target, mailbox, sending(accountId, mailboxId, withoutIdentity));
    if (createdId(first, "1", "sent") !== undefined || sender.identityId === undefined)
      return { sent: first, isSecond: false };
    const second = await askMailbox(target, mailbox, sending(accountId, mailboxId, sender));
    return { sent: second, isSecond: true };
  },
  assert({ sent, isSecond }) {
    if (createdId(sent, "1", "sent") !== undefined)
      return isSecond ? warning("sent only with an identityId, which the document leaves out") : undefined;
    const type = refusalOf(sent);
    if (isSuccess(sent) && holdingBack.includes(type)) {
      throw new NotApplicableError(`the inbox may not send now: ${shown(type)}`);
    }
    throw new Violation(
      "the submission in created",
      isSuccess(sent) ? `the error ${shown(type)}` : summary(sent),
      { exchange: sent },
    );
  },
});
