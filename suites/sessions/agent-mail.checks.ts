import { arrivalMs, isInAnyMailbox } from "../support/actors/arrivals.ts";
import {
  agentReader,
  deliveryMailboxes,
  type MailReader,
  readerOf,
} from "../support/actors/delivered-mails.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { provingDelivery } from "../support/material/delivery.ts";
import { ifShown } from "../support/material/draft-addresses.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { draftMailboxId, mailboxOf } from "./mailbox.ts";
import { requireAllowed, senderOf, sendFromAgent } from "./sending.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

/** An inbox that an agent writes to. */
interface Recipient {
  readonly address: string;
  readonly reader: MailReader;
}

interface Destination {
  readonly slug: string;
  readonly words: string;
  readonly needs: readonly Need[];
  readonly recipient: (target: Target) => Promise<Recipient>;
}

async function agentRecipient(target: Target, which: "first" | "second"): Promise<Recipient> {
  const mailbox = await mailboxOf(target, which);
  const { email: address } = await senderOf(target, which);
  return { address, reader: agentReader(mailbox.capability, mailbox) };
}

/** @throws {NotApplicableError} when its drafts lie where mail arrives, so that one looks like a delivered copy */
async function itself(target: Target): Promise<Recipient> {
  const recipient = await agentRecipient(target, "first");
  const drafts = await draftMailboxId(target, "first");
  if ((await deliveryMailboxes(target, recipient.reader)).includes(drafts))
    throw new NotApplicableError("the inbox keeps its drafts where mail arrives");
  return recipient;
}

const destinations: readonly Destination[] = [
  {
    slug: "to-self",
    words: "its own inbox",
    needs: [],
    recipient: itself,
  },
  {
    slug: "to-agent",
    words: "the inbox of another agent",
    needs: [],
    recipient: (target) => agentRecipient(target, "second"),
  },
  {
    slug: "to-person",
    words: "the inbox of a person",
    needs: ["human"],
    async recipient(target) {
      const accountId = await inboxOf(target);
      const address = await addressOf(target, accountId);
      return { address, reader: readerOf(await sharedAccessToken(target), accountId) };
    },
  },
];

/** Sends a message and waits for it. @throws {InconclusiveError} control-refused, when it is not sent */
async function sentTo(
  target: Target,
  { address: to, reader }: Recipient,
): Promise<{ exchange: Exchange; subject: string; isThere: boolean }> {
  const subject = newSubject();
  const sent = await sendFromAgent(target, { to, subject });
  requireAllowed(sent);
  const { exchange, isCreated } = sent;
  if (!isCreated) throw controlRefused("sending a message", "200 with created", exchange, "POW-63");
  const tookMs = await provingDelivery(target, (withinMs) => arrivalMs(target, reader, subject, withinMs));
  return { exchange, subject, isThere: tookMs !== undefined };
}

/** Whether a message to any of these arrives. */
async function doesMailArrive(target: Target, others: readonly Destination[]): Promise<boolean> {
  for (const { recipient } of others) {
    // There may be no person, or no mailbox that only delivered mail is in.
    const other = await ifThereIsOne(() => recipient(target));
    if (other !== undefined && (await sentTo(target, other)).isThere) return true;
  }
  return false;
}

async function ifThereIsOne(find: () => Promise<Recipient>): Promise<Recipient | undefined> {
  try {
    return await ifShown(find);
  } catch (error) {
    if (error instanceof NotApplicableError) return undefined;
    throw error;
  }
}

async function arrivesAt(
  target: Target,
  { recipient, slug }: Destination,
): Promise<{ exchange: Exchange; isThere: boolean }> {
  const to = await recipient(target.setup);
  const { exchange, subject, isThere } = await sentTo(target, to);
  if (isThere) return { exchange, isThere };
  // The document promises no delivery: one that is sent later to somebody else shows that mail of the agent arrives.
  const others = destinations.filter((other) => other.slug !== slug);
  if (!(await doesMailArrive(target.control, others)))
    throw new InconclusiveError("precondition-missing", "no message of the agent arrives anywhere", {
      exchange,
    });
  // Its own drafts would be found there too.
  const isFiled = slug !== "to-self" && (await ifShown(() => isInAnyMailbox(target, to.reader, subject)));
  return {
    exchange,
    isThere: isFiled === true || (await arrivalMs(target, to.reader, subject, 0)) !== undefined,
  };
}

/** Mail of an agent reaches whom it names. Document, "Authentication", proof-of-work path 5; RFC 8621 §7. */
export const agentMailChecks = destinations.map((destination) =>
  check({
    id: `POW-63/${destination.slug}`,
    claim: `If mail of an agent arrives anywhere else, its message to ${destination.words} arrives too.`,
    needs: destination.needs,
    act: (target) => arrivesAt(target, destination),
    assert: ({ exchange, isThere }) =>
      expectThat(isThere, "the message at its recipient", "it nowhere, and a later one elsewhere", exchange),
  }),
);
