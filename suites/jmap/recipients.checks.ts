import { deliveryMailboxes, readerOf } from "../support/actors/delivered-mails.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat, isRefusal } from "../support/judging/expect.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { ownInbox, requireSeveral, requireWithinLimits } from "./own-inbox.ts";
import { deliveryWithinMs } from "../support/material/delivery.ts";
import { explained } from "../support/judging/explained.ts";
import { addressOf } from "../support/material/inboxes.ts";
import {
  type Recipient,
  type SentToBoth,
  arrivalMs,
  arrivalsOf,
  arrivedMails,
  arrivedNowhere,
  expectSomewhere,
  letterTo,
  requireArrival,
  sentToBoth,
  hasArrived,
  patienceMs,
  provenParties,
  requireSent,
} from "./parties.ts";
import { isSent, type Letter, sendFrom } from "./sending.ts";

const needs: readonly Need[] = ["human", "second-human"];

const everyRecipient = check({
  id: "JMAP-08/every-recipient",
  claim:
    "A message arrives at every address in `rcptTo` of its envelope, also at one that its header fields leave out.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own, foreign } = parties;
    const letter = { to: [own.address], rcptTo: [own.address, foreign.address] };
    return arrivalsOf(target, parties, requireSent(await sendFrom(target, senderId, letter)), [own, foreign]);
  },
  assert(arrivals) {
    expectSomewhere(arrivals);
    const { areThere, exchange } = arrivals;
    expectThat(!areThere.includes(false), "the message at both recipients", "it at one of them", exchange);
  },
});

/** From which inbox, and to whom. */
interface Way {
  readonly senderId: string;
  /** Whose inbox that is; the first person's unless given. */
  readonly sender?: WhichHuman;
  readonly recipient: Recipient;
}

/** Ways of mail that hold where a message of the sending inbox arrives at another person's. */
const ways: readonly {
  id: string;
  claim: string;
  way: (target: Target, sent: SentToBoth) => Promise<Way>;
  explainedBy?: string;
}[] = [
  {
    id: "JMAP-08/own-inbox",
    claim:
      "Where a message arrives at another person's inbox, one arrives at another inbox of the sender's owner.",
    way: async (_target, { senderId, own }) => ({ senderId, recipient: own }),
    explainedBy: "JMAP-03/second-inbox-email-query",
  },
  {
    id: "JMAP-08/to-self",
    claim: "Where a message arrives at another person's inbox, one arrives at the very inbox that sends it.",
    way: async (target, sent) => ({ senderId: sent.senderId, recipient: await sendingInbox(target, sent) }),
    explainedBy: "JMAP-08/own-inbox",
  },
  {
    id: "JMAP-08/from-second-inbox",
    claim:
      "Where a message of one inbox of a person arrives at another person's, so does one that another inbox of the person sends.",
    way: async (_target, { own, foreign }) => ({ senderId: own.accountId, recipient: foreign }),
  },
  {
    id: "JMAP-08/from-second-person",
    claim:
      "Where mail from one person arrives at another's inbox, mail from that other person arrives at the first's.",
    way: async (_target, { own, foreign }) => ({
      senderId: foreign.accountId,
      sender: foreign.human,
      recipient: own,
    }),
    explainedBy: "JMAP-08/own-inbox",
  },
];

/** @throws {NotApplicableError} when its drafts lie where mail arrives, so that one looks like a delivered copy */
async function sendingInbox(target: Target, { senderId }: SentToBoth): Promise<Recipient> {
  const { mailboxId } = await ownInbox(target, senderId);
  const token = await sharedAccessToken(target);
  if ((await deliveryMailboxes(target, readerOf(token, senderId))).includes(mailboxId))
    throw new NotApplicableError("the inbox keeps its drafts where mail arrives");
  return { human: "first", accountId: senderId, address: await addressOf(target, senderId) };
}

const everyWay = ways.map(({ id, claim, way, explainedBy }) =>
  check({
    id,
    claim,
    needs,
    async act(target) {
      const sent = await sentToBoth(target);
      const { foreign, toForeign } = sent;
      const deliveryMs = await requireArrival(target, foreign, toForeign);
      const { senderId, sender, recipient } = await way(target, sent);
      const letter = await sendFrom(target, senderId, { ...letterTo(recipient), ...(sender && { sender }) });
      // It may be active and read only (C-86).
      if (senderId !== sent.senderId && !isSent(letter))
        throw new NotApplicableError("the other inbox sends nothing");
      const { exchange, subject } = requireSent(letter);
      const took = await arrivalMs(target, recipient, subject, deliveryWithinMs(deliveryMs));
      if (took !== undefined) return { exchange, isThere: true };
      // One that is sent later shows that mail still arrives.
      const later = requireSent(await sendFrom(target, sent.senderId, letterTo(foreign)));
      await requireArrival(target, foreign, later);
      return { exchange, isThere: await hasArrived(target, recipient, subject) };
    },
    assert({ exchange, isThere }) {
      const observed = "it nowhere, and a later one elsewhere";
      explained(explainedBy, () => expectThat(isThere, "the message at its recipient", observed, exchange));
    },
  }),
);

// A look takes a moment too, so that a quick target is not asked again.
const shortestLookMs = 1500;

/** Header fields that name somebody whom the envelope leaves out. */
const namedOnly: readonly {
  id: string;
  words: string;
  letter: (own: string, foreign: string) => Letter;
  explainedBy?: string;
}[] = [
  {
    id: "JMAP-08/nobody-else",
    words: "its header fields",
    letter: (own, foreign) => ({ to: [own, foreign], rcptTo: [own] }),
  },
  {
    id: "JMAP-08/nobody-copied",
    words: "its `cc` and `bcc`",
    letter: (own, foreign) => ({ to: [own], copyTo: [foreign], rcptTo: [own] }),
    explainedBy: "JMAP-08/nobody-else",
  },
];

const nobodyElse = namedOnly.map(({ id, words, letter, explainedBy }) =>
  check({
    id,
    claim: `A message does not arrive at an address in ${words} that \`rcptTo\` of its envelope leaves out.`,
    needs,
    async act(target) {
      const parties = await provenParties(target);
      const { senderId, own, foreign } = parties;
      const sent = await sendFrom(target, senderId, letter(own.address, foreign.address));
      const { subject, exchange } = requireSent(sent);
      const atRecipient = await arrivalMs(target, own, subject, patienceMs(parties));
      await target.pause(Math.max(shortestLookMs, 2 * parties.deliveryMs));
      return { exchange, atRecipient, isElsewhere: await hasArrived(target, foreign, subject) };
    },
    assert({ exchange, atRecipient, isElsewhere }) {
      const expected = "the message at the recipient of the envelope alone";
      explained(explainedBy, () => expectThat(!isElsewhere, expected, "it elsewhere", exchange));
      if (atRecipient === undefined) throw arrivedNowhere(exchange);
    },
  }),
);

// Beyond it, that it arrives at all is judged elsewhere. Mail may be delivered again after a lost acknowledgement (RFC 5321
// §4.5.4.1), so that a second copy warns.
const oneCopy = check({
  id: "JMAP-08/one-copy",
  claim: "A message arrives once at an address that is once in `rcptTo` and also in `to`, `cc` and `bcc`.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own } = parties;
    const to = [own.address];
    const sent = await sendFrom(target, senderId, { to, copyTo: to, rcptTo: to });
    const { subject, exchange } = requireSent(sent);
    const took = await arrivalMs(target, own, subject, patienceMs(parties));
    if (took === undefined) throw arrivedNowhere(exchange);
    await target.pause(Math.max(shortestLookMs, 2 * parties.deliveryMs));
    return { exchange, copies: (await arrivedMails(target, own, subject)).length };
  },
  assert: ({ copies }) => (copies > 1 ? warning(`${copies} copies arrived`) : undefined),
});

const namedDraft = check({
  id: "JMAP-08/named-draft",
  claim:
    "Of three drafts that one `Email/set` creates, `EmailSubmission/set` sends the one whose creation id `emailId` names, and no other.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own } = parties;
    const to = [own.address];
    const sent = await sendFrom(target, senderId, { to, rcptTo: to, isAmongDrafts: true });
    requireSeveral(sent.exchange);
    const letter = requireSent(sent);
    const took = await arrivalMs(target, own, letter.subject, patienceMs(parties));
    const others = await Promise.all(letter.otherSubjects.map((subject) => hasArrived(target, own, subject)));
    return { exchange: letter.exchange, isThere: took !== undefined, isOtherThere: others.includes(true) };
  },
  assert({ exchange, isThere, isOtherThere }) {
    expectThat(!isOtherThere, "the named draft at the recipient", "another draft", exchange);
    if (!isThere) throw arrivedNowhere(exchange);
  },
});

const upperCaseDomain = check({
  id: "JMAP-08/upper-case-domain",
  claim: "A message arrives at an address of `rcptTo` whose domain is in capital letters.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own } = parties;
    const [name = "", domain = ""] = own.address.split("@");
    if (domain === domain.toUpperCase())
      throw new NotApplicableError("the domain has no letters to write otherwise");
    const rcptTo = [`${name}@${domain.toUpperCase()}`];
    const sent = await sendFrom(target, senderId, { to: rcptTo, rcptTo });
    if (!isSent(sent)) {
      requireAnswer(sent.exchange);
      return { isRefused: true, exchange: sent.exchange } as const;
    }
    return { isRefused: false, ...(await arrivalsOf(target, parties, sent, [own])) } as const;
  },
  assert(seen): Warning | undefined {
    // Letter case means nothing in a domain (RFC 5321 §2.4), but the document does not say which addresses are taken.
    if (seen.isRefused) return warning("an address with its domain in capital letters is refused");
    explained("JMAP-08/every-recipient", () => expectSomewhere(seen));
    return undefined;
  },
});

/** An overloaded target refuses nothing. @throws {InconclusiveError} when the request was not served, or the inbox sends no more for now */
function requireAnswer(exchange: Exchange): void {
  requireWithinLimits(exchange);
  if (!isSuccess(exchange) && !isRefusal(exchange))
    throw controlRefused("sending a message", "200, or a refusal of it", exchange, "JMAP-08");
}

const nullParameters = check({
  id: "JMAP-08/null-parameters",
  claim: "A submission whose addresses have `parameters` of null is created as one without them.",
  needs,
  async act(target) {
    const { senderId, own } = await provenParties(target);
    const to = [own.address];
    const sent = await sendFrom(target, senderId, { to, rcptTo: to, hasNullParameters: true });
    if (!isSent(sent)) requireAnswer(sent.exchange);
    return sent;
  },
  // RFC 8621 §7 has an object or null there; the document shows an envelope without it.
  assert: (sent) =>
    isSent(sent) ? undefined : warning(`\`parameters\` of null are refused: ${summary(sent.exchange)}`),
});

/** Stand for any character, and any characters, where an address is looked up with LIKE of SQL. */
const patterns = [
  { slug: "underscore", words: "an underscore", sign: "_" },
  { slug: "percent", words: "a percent sign", sign: "%" },
].map(({ slug, words, sign }) =>
  check({
    id: `JMAP-08/${slug}-for-letter`,
    claim: `A message to an address with ${words} in place of a letter does not arrive at the address with the letter.`,
    needs,
    async act(target) {
      const parties = await provenParties(target);
      const { senderId, foreign } = parties;
      const address = foreign.address.replace(/^([^a-z0-9@]*)[a-z0-9]/iu, `$1${sign}`);
      if (address === foreign.address) throw new NotApplicableError("the address has no letter to replace");
      // A target may refuse an address that nobody has.
      const { subject, exchange } = await sendFrom(target, senderId, { to: [address], rcptTo: [address] });
      await target.pause(Math.max(shortestLookMs, 2 * parties.deliveryMs));
      return { exchange, isThere: await hasArrived(target, foreign, subject) };
    },
    assert: ({ exchange, isThere }) =>
      expectThat(!isThere, "the message nowhere", "it at the address with the letter", exchange),
  }),
);

/** The envelope decides who gets a message, and the creation id which one. Document, "Endpoints", JMAP API; RFC 8621 §7. */
export const recipientChecks = [
  ...everyWay,
  everyRecipient,
  ...nobodyElse,
  oneCopy,
  namedDraft,
  upperCaseDomain,
  nullParameters,
  ...patterns,
];
