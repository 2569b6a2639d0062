import { postCapability, requireBearer } from "../support/actors/agent.ts";
import { arrivalMs, isInAnyMailbox } from "../support/actors/arrivals.ts";
import { agentReader, type MailReader, readerOf } from "../support/actors/delivered-mails.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { agentAddress } from "../support/material/agent-sender.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { deliveryWithinMs } from "../support/material/delivery.ts";
import { ifShown } from "../support/material/draft-addresses.ts";
import { senderWith } from "../support/material/inboxes.ts";
import { createdInbox, newInbox } from "../support/material/new-inbox.ts";
import { signUp } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { BlockedError, NotApplicableError } from "../support/verdict.ts";
import { jsonMembers } from "../support/wire/exchange.ts";
import { letterTo, requireArrival, requireSent, sentToBoth } from "./parties.ts";
import { sendFrom } from "./sending.ts";

interface Recipient {
  readonly address: string;
  readonly reader: MailReader;
}

interface AgentRecipient {
  readonly capability: string;
  /** As the answer to its signup names it. */
  readonly inbox: string | undefined;
}

interface Case {
  readonly id: string;
  readonly words: string;
  readonly explainedBy: string;
  readonly unlockedBy?: Unlock;
  recipient(target: Target): Promise<Recipient>;
}

async function agentRecipient(target: Target, { capability, inbox }: AgentRecipient): Promise<Recipient> {
  const address = await agentAddress(target.setup, { capability, inbox });
  if (address === undefined)
    throw new BlockedError(
      "needs the address of an agent's inbox, which nothing shows; set names.mail_domain in the profile",
    );
  return { address, reader: agentReader(capability, await mailSession(target.setup, capability)) };
}

const cases: readonly Case[] = [
  {
    id: "JMAP-08/to-agent",
    words: "the inbox of an agent",
    explainedBy: "POW-63/to-agent",
    async recipient(target) {
      const { inbox } = await sharedAgent(target);
      return agentRecipient(target, { inbox, capability: await freshCapability(target) });
    },
  },
  {
    id: "JMAP-08/to-new-agent",
    words: "the inbox of an agent that has signed up and never logged in",
    explainedBy: "JMAP-08/to-agent",
    async recipient(target) {
      const { exchange } = await signUp(target.setup);
      const session = requireBearer(exchange, "signing up", "POW-08");
      const minted = await postCapability(target.setup, session);
      const { inbox } = jsonMembers(exchange);
      return agentRecipient(target, {
        inbox: typeof inbox === "string" ? inbox : undefined,
        capability: requireBearer(minted, "minting a capability", "POW-48"),
      });
    },
  },
  {
    id: "JMAP-08/to-new-inbox",
    words: "an inbox that a person created at a consent",
    explainedBy: "JMAP-08/own-inbox",
    unlockedBy: "new_inbox",
    async recipient(target) {
      const { newer, had, lists } = await newInbox(target.setup);
      const created = createdInbox(lists[0], had);
      if (created === undefined) throw new NotApplicableError("the list shows no new inbox that is active");
      const { email } = await senderWith(target.setup, newer, created);
      return { address: email, reader: readerOf(newer, created.accountId) };
    },
  },
];

/** Mail of a person reaches every kind of inbox. Document, "What the service does"; RFC 8621 §7. */
export const otherRecipientChecks = cases.map(({ id, words, explainedBy, unlockedBy, recipient }) =>
  check({
    id,
    claim: `Where a message of a person arrives at another person's inbox, one arrives at ${words}.`,
    needs: ["human", "second-human"],
    ...(unlockedBy && { unlockedBy }),
    async act(target) {
      const { senderId, foreign, toForeign } = await sentToBoth(target);
      const deliveryMs = await requireArrival(target, foreign, toForeign);
      const { address, reader } = await recipient(target);
      const letter = { to: [address], rcptTo: [address] };
      const { exchange, subject } = requireSent(await sendFrom(target, senderId, letter));
      const took = await arrivalMs(target, reader, subject, deliveryWithinMs(deliveryMs));
      if (took !== undefined) return { exchange, isThere: true };
      // One that is sent later shows that mail still arrives.
      const later = requireSent(await sendFrom(target, senderId, letterTo(foreign)));
      await requireArrival(target, foreign, later);
      const isFiled = await ifShown(() => isInAnyMailbox(target, reader, subject));
      return {
        exchange,
        isThere: isFiled === true || (await arrivalMs(target, reader, subject, 0)) !== undefined,
      };
    },
    assert({ exchange, isThere }) {
      const observed = "it nowhere, and a later one elsewhere";
      explained(explainedBy, () => expectThat(isThere, "the message at its recipient", observed, exchange));
    },
  }),
);
