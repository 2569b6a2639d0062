import { createdIdIn, jmapAs, jmapBody, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { agentAddress } from "../support/material/agent-sender.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, inboxesOf, senderOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Exchange, JsonObject } from "../support/wire/exchange.ts";
import { draft, ownInbox, requireSeveral } from "./own-inbox.ts";
import {
  arrivalMs,
  arrivalsOf,
  arrivedNowhere,
  expectSomewhere,
  patienceMs,
  provenParties,
  type Recipient,
  requireArrival,
  requireSent,
} from "./parties.ts";
import { isSent, sendFrom, type SentLetter } from "./sending.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

const needs: readonly Need[] = ["human", "second-human"];

const thirdRecipient = check({
  id: "JMAP-08/third-recipient",
  claim: "A message whose envelope names three recipients arrives at the third of them.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own, foreign } = parties;
    // The sender itself: two people need not have more than three inboxes.
    const third: Recipient = {
      human: "first",
      accountId: senderId,
      address: await addressOf(target, senderId),
    };
    const alone = { to: [third.address], rcptTo: [third.address] };
    await requireArrival(target, third, requireSent(await sendFrom(target.control, senderId, alone)));
    const rcptTo = [own.address, foreign.address, third.address];
    const sent = requireSent(await sendFrom(target, senderId, { to: rcptTo, rcptTo }));
    return arrivalsOf(target, parties, sent, [own, third]);
  },
  assert: (arrivals) =>
    explained("JMAP-08/every-recipient", () => {
      expectSomewhere(arrivals);
      const { areThere, exchange } = arrivals;
      expectThat(areThere[1] === true, "the message at the third recipient", "it at others alone", exchange);
    }),
});

// A limit above that is a target's own choice, when it refuses openly.
const fewestRecipients = 5;
const mostRecipients = 12;

/**
 * Addresses of agents that other checks use, without a login of theirs (C-92): made of the name of the inbox as the first
 * agent's is. None where that one's does not show how.
 */
async function agentsBeside(target: Target, firstAddress: string): Promise<string[]> {
  const name = (await sharedAgent(target, "first")).inbox;
  if (name === undefined || !firstAddress.startsWith(name)) return [];
  const addresses: string[] = [];
  for (const which of ["busy", "lone", "lasting"] as const) {
    const { inbox } = await sharedAgent(target, which);
    if (inbox !== undefined) addresses.push(firstAddress.replace(name, inbox));
  }
  return addresses;
}

/** Addresses of inboxes that the run knows, besides the two that prove an arrival. */
async function knownAddresses(target: Target, senderId: string): Promise<string[]> {
  const agents: (string | undefined)[] = [];
  for (const which of ["first", "second"] as const) {
    const { inbox } = await sharedAgent(target, which);
    const open = { capability: await freshCapability(target, which), inbox };
    agents.push(await agentAddress(target.setup, open));
  }
  if (agents[0] !== undefined) agents.push(...(await agentsBeside(target, agents[0])));
  const addresses = [await addressOf(target, senderId), ...agents.filter((address) => address !== undefined)];
  for (const human of ["first", "second"] as const)
    for (const { accountId } of await inboxesOf(target, human))
      addresses.push(await addressOf(target, accountId, human));
  return addresses;
}

const fifthRecipient = check({
  id: "JMAP-08/fifth-recipient",
  claim:
    "A message whose envelope names five recipients or as many as are known, agents among them, arrives at the last of them.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own, foreign } = parties;
    const known = await knownAddresses(target, senderId);
    const between = [...new Set(known)].filter(
      (address) => ![own.address, foreign.address].includes(address),
    );
    const sendTo = (most: number): Promise<SentLetter> => {
      const rcptTo = [own.address, ...between.slice(0, most - 2), foreign.address];
      return sendFrom(target, senderId, { to: rcptTo, rcptTo });
    };
    const toAll = await sendTo(mostRecipients);
    const sent = isSent(toAll) ? toAll : requireSent(await sendTo(fewestRecipients));
    return arrivalsOf(target, parties, sent, [own, foreign]);
  },
  assert: (arrivals) =>
    explained("JMAP-08/third-recipient", () => {
      expectSomewhere(arrivals);
      const { areThere, exchange } = arrivals;
      expectThat(areThere[1] === true, "the message at the last recipient", "it at others alone", exchange);
    }),
});

/** Creates two drafts and sends both with one call. */
async function sendTwo(
  target: Target,
  senderId: string,
  to: string,
): Promise<{ subjects: readonly [string, string]; exchange: Exchange }> {
  const { mailboxId } = await ownInbox(target, senderId);
  const { email, identityId } = await senderOf(target, senderId);
  const subjects = [newSubject(), newSubject()] as const;
  const addresses = { from: [{ email }], to: [{ email: to }] };
  const envelope = { mailFrom: { email }, rcptTo: [{ email: to }] };
  const token = await sharedAccessToken(target);
  const post = (identity: JsonObject): Promise<Exchange> => {
    const [d1, d2] = subjects.map((subject) => draft({ mailboxId, addresses }, subject));
    const [s1, s2] = ["#d1", "#d2"].map((emailId) => ({ emailId, envelope, ...identity }));
    const calls: MethodCall[] = [
      ["Email/set", { create: { d1, d2 } }, "create"],
      ["EmailSubmission/set", { create: { s1, s2 } }, "send"],
    ];
    return jmapAs(target, token, senderId, jmapBody(calls));
  };
  const first = await post({});
  // Only some targets do without identityId (C-21).
  const isTaken = areBothCreated(first) || identityId === undefined;
  return { subjects, exchange: isTaken ? first : await post({ identityId }) };
}

function areBothCreated(exchange: Exchange): boolean {
  const args = responseTo(exchange, "send")?.args ?? {};
  return ["s1", "s2"].every((id) => createdIdIn(args, id) !== undefined);
}

const eachSubmission = check({
  id: "JMAP-08/each-submission",
  claim: "Two submissions that one `EmailSubmission/set` creates both arrive.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own } = parties;
    const { subjects, exchange } = await sendTwo(target, senderId, own.address);
    requireSeveral(exchange);
    if (!areBothCreated(exchange))
      throw controlRefused("sending two messages with one call", "both in created", exchange, "JMAP-08");
    const arrivals = await Promise.all(
      subjects.map((subject) => arrivalMs(target, own, subject, patienceMs(parties))),
    );
    return { exchange, count: arrivals.filter((ms) => ms !== undefined).length };
  },
  assert({ exchange, count }) {
    if (count === 0) throw arrivedNowhere(exchange);
    expectThat(count === 2, "both messages at the recipient", "one of them", exchange);
  },
});

/** What is created is sent, to the last recipient and the last message. Document, "Endpoints", JMAP API; RFC 8621 §7. */
export const severalMessageChecks = [thirdRecipient, fifthRecipient, eachSubmission];
