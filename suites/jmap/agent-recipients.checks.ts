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
import { BlockedError } from "../support/verdict.ts";
import { letterTo, requireArrival, requireSent, sentToBoth } from "./parties.ts";
import { sendFrom } from "./sending.ts";

/** Mail of a person reaches an agent. Document, "What the service does"; RFC 8621 §7. */
export const agentRecipient = check({
  id: "JMAP-08/to-agent",
  claim:
    "Where a message of a person arrives at another person's inbox, one arrives at the inbox of an agent.",
  needs: ["human", "second-human"],
  async act(target) {
    const { senderId, foreign, toForeign } = await sentToBoth(target);
    const deliveryMs = await requireArrival(target, foreign, toForeign);
    const { inbox } = await sharedAgent(target);
    const capability = await freshCapability(target);
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
    explained("POW-63/to-agent", () =>
      expectThat(isThere, "the message at its recipient", observed, exchange),
    );
  },
});
