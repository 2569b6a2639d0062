import { inboxQuery, jmapAs, jmapBody, responseTo } from "../support/actors/jmap.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, foreignInbox, twoInboxes } from "../support/material/inboxes.ts";
import { newestMails } from "../support/actors/newest-mails.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { strings } from "./own-inbox.ts";
import { isSent, type Letter, sendFrom, sendFromAny, type SentLetter } from "./sending.ts";

/** An inbox that mail is sent to, as its owner reads it. */
interface Recipient {
  readonly human: WhichHuman;
  readonly accountId: string;
  readonly address: string;
}

/** Where mail goes from and to: two inboxes of one person, and one of another. */
interface Parties {
  readonly senderId: string;
  readonly own: Recipient;
  readonly foreign: Recipient;
  /** The longest that mail took to either, in milliseconds. */
  readonly deliveryMs: number;
}

const needs: readonly Need[] = ["human", "second-human"];

/**
 * An inbox that sends, and two that its mail reaches when header fields and envelope name that one alone.
 *
 * @throws {InconclusiveError} control-refused, when nothing is sent; precondition-missing, when a message does not arrive:
 *   the document promises no delivery
 */
function provenParties(target: Target): Promise<Parties> {
  return target.control.once("jmap:parties", async (recording) => {
    const owned = await twoInboxes(recording);
    const foreignId = await foreignInbox(recording);
    const foreign: Recipient = {
      human: "second",
      accountId: foreignId,
      address: await addressOf(recording, foreignId, "second"),
    };
    const letter = { to: [foreign.address], rcptTo: [foreign.address] };
    const sent = await sendFromAny(recording, (accountId) => sendFrom(recording, accountId, letter));
    requireSent(sent);
    const senderId = sent.accountId;
    const ownId = owned.find((accountId) => accountId !== senderId) ?? owned[1];
    const own: Recipient = {
      human: "first",
      accountId: ownId,
      address: await addressOf(recording, ownId),
    };
    const toOwn = await sendFrom(recording, senderId, { to: [own.address], rcptTo: [own.address] });
    requireSent(toOwn);
    const took = await Promise.all([
      requireArrival(recording, foreign, sent),
      requireArrival(recording, own, toOwn),
    ]);
    return { senderId, own, foreign, deliveryMs: Math.max(...took) };
  });
}

async function requireArrival(target: Target, recipient: Recipient, letter: SentLetter): Promise<number> {
  const ms = await arrivalMs(target, recipient, letter.subject, longestDeliveryMs);
  if (ms !== undefined) return ms;
  throw new InconclusiveError(
    "precondition-missing",
    `needs mail that arrives: a message to an inbox of the ${recipient.human} human was not there after ${longestDeliveryMs / 1000} s`,
    { exchange: letter.exchange },
  );
}

/** @throws {InconclusiveError} control-refused, when no submission was created */
function requireSent(letter: SentLetter): SentLetter {
  if (isSent(letter)) return letter;
  throw controlRefused("sending a message", "200 with created", letter.exchange, "JMAP-08");
}

/** Whether the newest messages of a recipient's inbox have that subject among them. */
async function hasArrived(
  target: Target,
  { human, accountId }: Recipient,
  subject: string,
): Promise<boolean> {
  const token = await sharedAccessToken(target, { human });
  const mailbox = await jmapAs(target.setup, token, accountId, inboxQuery);
  const [mailboxId] = strings(responseTo(mailbox, "0")?.args["ids"]);
  if (mailboxId === undefined)
    throw controlRefused("looking for the mailbox of a recipient", "200 with one id", mailbox, "JMAP-04");
  const { mails } = await newestMails(
    (calls) => jmapAs(target.setup, token, accountId, jmapBody(calls)),
    mailboxId,
  );
  // A gateway may have marked it: "[External] …".
  return mails.some((mail) => String(mail["subject"]).includes(subject));
}

const pollMs = 500;
const longestDeliveryMs = 5000;

/** Waits for a message. @returns milliseconds until it was seen; undefined when it was not */
async function arrivalMs(
  target: Target,
  recipient: Recipient,
  subject: string,
  withinMs: number,
): Promise<number | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    if (await hasArrived(target, recipient, subject)) return elapsedMs;
    if (elapsedMs > withinMs) return undefined;
    await target.pause(pollMs);
  }
}

/** Mail may be slower than it was a moment ago. */
function patienceMs({ deliveryMs }: Parties): number {
  return longestDeliveryMs + 3 * deliveryMs;
}

function arrivedNowhere(exchange: Exchange): InconclusiveError {
  return new InconclusiveError("precondition-missing", "the message arrived nowhere", { exchange });
}

const everyRecipient = check({
  id: "JMAP-08/every-recipient",
  claim:
    "A message arrives at every address in `rcptTo` of its envelope, also at one that its header fields leave out.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own, foreign } = parties;
    const letter = { to: [own.address], rcptTo: [own.address, foreign.address] };
    const { subject, exchange } = requireSent(await sendFrom(target, senderId, letter));
    const arrivals = await Promise.all(
      [own, foreign].map((recipient) => arrivalMs(target, recipient, subject, patienceMs(parties))),
    );
    return { exchange, count: arrivals.filter((ms) => ms !== undefined).length };
  },
  assert({ exchange, count }) {
    if (count === 0) throw arrivedNowhere(exchange);
    expectThat(count === 2, "the message at both recipients", "it at one of them", exchange);
  },
});

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

const namedDraft = check({
  id: "JMAP-08/named-draft",
  claim:
    "Of three drafts that one `Email/set` creates, `EmailSubmission/set` sends the one whose creation id `emailId` names, and no other.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own } = parties;
    const to = [own.address];
    const letter = requireSent(await sendFrom(target, senderId, { to, rcptTo: to, isAmongDrafts: true }));
    const took = await arrivalMs(target, own, letter.subject, patienceMs(parties));
    const others = await Promise.all(letter.otherSubjects.map((subject) => hasArrived(target, own, subject)));
    return { exchange: letter.exchange, isThere: took !== undefined, isOtherThere: others.includes(true) };
  },
  assert({ exchange, isThere, isOtherThere }) {
    expectThat(!isOtherThere, "the named draft at the recipient", "another draft", exchange);
    if (!isThere) throw arrivedNowhere(exchange);
  },
});

/** The envelope decides who gets a message, and the creation id which one. Document, "Endpoints", JMAP API; RFC 8621 §7. */
export const recipientChecks = [everyRecipient, ...nobodyElse, namedDraft];
