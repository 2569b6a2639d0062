import { postCapability, requireBearer } from "../support/actors/agent.ts";
import { arrivalMs, isInAnyMailbox } from "../support/actors/arrivals.ts";
import { agentReader } from "../support/actors/delivered-mails.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { agentAddress } from "../support/material/agent-sender.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { deliveryWithinMs } from "../support/material/delivery.ts";
import { ifShown } from "../support/material/draft-addresses.ts";
import { signUp } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError } from "../support/verdict.ts";
import { jsonMembers } from "../support/wire/exchange.ts";
import { letterTo, requireArrival, requireSent, sentToBoth } from "./parties.ts";
import { sendFrom } from "./sending.ts";

interface Recipient {
  readonly capability: string;
  /** As the answer to its signup names it. */
  readonly inbox: string | undefined;
}

const recipients: readonly {
  readonly id: string;
  readonly words: string;
  readonly explainedBy: string;
  recipient(target: Target): Promise<Recipient>;
}[] = [
  {
    id: "JMAP-08/to-agent",
    words: "an agent",
    explainedBy: "POW-63/to-agent",
    async recipient(target) {
      const { inbox } = await sharedAgent(target);
      return { inbox, capability: await freshCapability(target) };
    },
  },
  {
    id: "JMAP-08/to-new-agent",
    words: "an agent that has signed up and never logged in",
    explainedBy: "JMAP-08/to-agent",
    async recipient(target) {
      const { exchange } = await signUp(target.setup);
      const session = requireBearer(exchange, "signing up", "POW-08");
      const minted = await postCapability(target.setup, session);
      const { inbox } = jsonMembers(exchange);
      return {
        inbox: typeof inbox === "string" ? inbox : undefined,
        capability: requireBearer(minted, "minting a capability", "POW-48"),
      };
    },
  },
];

/** Mail of a person reaches an agent. Document, "What the service does"; RFC 8621 §7. */
export const agentRecipientChecks = recipients.map(({ id, words, explainedBy, recipient }) =>
  check({
    id,
    claim: `Where a message of a person arrives at another person's inbox, one arrives at the inbox of ${words}.`,
    needs: ["human", "second-human"],
    async act(target) {
      const { senderId, foreign, toForeign } = await sentToBoth(target);
      const deliveryMs = await requireArrival(target, foreign, toForeign);
      const { capability, inbox } = await recipient(target);
      const address = await agentAddress(target.setup, { capability, inbox });
      if (address === undefined)
        throw new BlockedError(
          "needs the address of an agent's inbox, which nothing shows; set names.mail_domain in the profile",
        );
      const letter = { to: [address], rcptTo: [address] };
      const { exchange, subject } = requireSent(await sendFrom(target, senderId, letter));
      const reader = agentReader(capability, await mailSession(target.setup, capability));
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
