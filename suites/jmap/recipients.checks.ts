import { inboxQuery, jmapAs, jmapBody, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, foreignInbox, twoInboxes } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { call, createdId, draft, newSubject, objects, ownInbox, strings } from "./own-inbox.ts";

/** An inbox that mail is sent to, as its owner reads it. */
interface Recipient {
  readonly human: WhichHuman;
  readonly accountId: string;
  readonly address: string;
}

/** Another inbox of the sender, and one of another person. */
interface Recipients {
  readonly own: Recipient;
  readonly foreign: Recipient;
}

const needs: readonly Need[] = ["human", "second-human"];

async function recipientsFor(target: Target): Promise<Recipients> {
  const [, second] = await twoInboxes(target);
  const foreign = await foreignInbox(target);
  return {
    own: { human: "first", accountId: second, address: await addressOf(target, second) },
    foreign: {
      human: "second",
      accountId: foreign,
      address: await addressOf(target, foreign, "second"),
    },
  };
}

/** A message whose header fields and envelope name different people. */
interface Letter {
  readonly to: readonly Recipient[];
  readonly rcptTo: readonly Recipient[];
}

interface Sent {
  readonly subject: string;
  readonly submission: Exchange;
}

const emails = (recipients: readonly Recipient[]) => recipients.map(({ address }) => ({ email: address }));

/**
 * Sends from the first inbox of the first human, with an identityId when it is not sent without (C-21).
 *
 * @throws {InconclusiveError} control-refused, when no submission is created
 */
async function send(target: Target, { to, rcptTo }: Letter): Promise<Sent> {
  const { accountId, mailboxId } = await ownInbox(target);
  const from = { email: await addressOf(target, accountId) };
  const subject = newSubject();
  const message = draft(mailboxId, subject, { from: [from], to: emails(to) });
  const envelope = { mailFrom: from, rcptTo: emails(rcptTo) };
  const calls = (more: object): MethodCall[] => [
    ["Email/set", { create: { d1: message } }, "create"],
    ["EmailSubmission/set", { create: { s1: { emailId: "#d1", envelope, ...more } } }, "send"],
  ];
  const isCreated = (exchange: Exchange): boolean =>
    createdId(responseTo(exchange, "send")?.args ?? {}, "s1") !== undefined;
  const first = await call(target, calls({}));
  if (isCreated(first)) return { subject, submission: first };
  const identities = await call(target.setup, [["Identity/get", { ids: null }, "0"]]);
  const identityId = objects(responseTo(identities, "0")?.args["list"])[0]?.["id"];
  const second = await call(target, calls({ identityId }));
  if (isCreated(second)) return { subject, submission: second };
  throw controlRefused("sending a message", "200 with created", second, "JMAP-08");
}

const newest = 50;

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
  const sort = [{ property: "receivedAt", isAscending: false }];
  const calls: MethodCall[] = [
    ["Email/query", { filter: { inMailbox: mailboxId }, sort, limit: newest }, "0"],
    [
      "Email/get",
      { "#ids": { resultOf: "0", name: "Email/query", path: "/ids" }, properties: ["subject"] },
      "1",
    ],
  ];
  const exchange = await jmapAs(target.setup, token, accountId, jmapBody(calls));
  const list = objects(responseTo(exchange, "1")?.args["list"]);
  return list.some((message) => message["subject"] === subject);
}

const pollMs = 500;
const longestDeliveryMs = 5000;

/** Waits for a message. @returns milliseconds until it was seen; undefined when it was not */
async function arrivalMs(target: Target, recipient: Recipient, subject: string): Promise<number | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    if (await hasArrived(target, recipient, subject)) return elapsedMs;
    if (elapsedMs > longestDeliveryMs) return undefined;
    await target.pause(pollMs);
  }
}

/**
 * Mail reaches each recipient from this sender, when header fields and envelope name that one alone.
 *
 * @returns the longest that it took, in milliseconds
 * @throws {InconclusiveError} precondition-missing, when a message does not arrive: the document promises no delivery
 */
function provenDelivery(target: Target, { own, foreign }: Recipients): Promise<number> {
  return target.control.once("jmap:delivery", async (recording) => {
    const took = await Promise.all(
      [own, foreign].map(async (recipient) => {
        const { subject, submission } = await send(recording, { to: [recipient], rcptTo: [recipient] });
        const ms = await arrivalMs(recording, recipient, subject);
        if (ms !== undefined) return ms;
        throw new InconclusiveError(
          "precondition-missing",
          `needs mail that arrives: a message to an inbox of the ${recipient.human} human was not there after ${longestDeliveryMs / 1000} s`,
          { exchange: submission },
        );
      }),
    );
    return Math.max(...took);
  });
}

const everyRecipient = check({
  id: "JMAP-08/every-recipient",
  claim:
    "A message arrives at every address in `rcptTo` of its envelope, also at one that its header fields leave out.",
  needs,
  async act(target) {
    const { own, foreign } = await recipientsFor(target);
    await provenDelivery(target, { own, foreign });
    const { subject, submission } = await send(target, { to: [own], rcptTo: [own, foreign] });
    const arrivals = await Promise.all(
      [own, foreign].map(async (recipient) => (await arrivalMs(target, recipient, subject)) !== undefined),
    );
    return { submission, arrivals };
  },
  assert({ submission, arrivals }) {
    const count = arrivals.filter(Boolean).length;
    expectThat(count === 2, "the message at both recipients", `it at ${count} of them`, submission);
  },
});

// A look takes a moment too, so that a quick target is not asked again.
const shortestLookMs = 1500;

const nobodyElse = check({
  id: "JMAP-08/nobody-else",
  claim:
    "A message does not arrive at an address in its header fields that `rcptTo` of its envelope leaves out.",
  needs,
  async act(target) {
    const { own, foreign } = await recipientsFor(target);
    const deliveryMs = await provenDelivery(target, { own, foreign });
    const { subject, submission } = await send(target, { to: [own, foreign], rcptTo: [own] });
    const atRecipient = await arrivalMs(target, own, subject);
    await target.pause(Math.max(shortestLookMs, 2 * deliveryMs));
    return { submission, atRecipient, isElsewhere: await hasArrived(target, foreign, subject) };
  },
  assert({ submission, atRecipient, isElsewhere }) {
    expectThat(
      !isElsewhere,
      "the message at the recipient of the envelope alone",
      "it elsewhere",
      submission,
    );
    if (atRecipient === undefined) {
      throw new InconclusiveError("precondition-missing", "the message arrived nowhere", {
        exchange: submission,
        explainedBy: "JMAP-08/every-recipient",
      });
    }
  },
});

/** The envelope decides who gets a message. Document, "Endpoints", JMAP API; RFC 8621 §7. */
export const recipientChecks = [everyRecipient, nobodyElse];
