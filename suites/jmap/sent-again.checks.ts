import { type Exchange, jsonObjectsIn } from "../support/wire/exchange.ts";
import { createdId, jmapAs, jmapBody, type MethodCall } from "../support/actors/jmap.ts";
import { check, type Need } from "../support/judging/check.ts";
import { shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { senderOf } from "../support/material/inboxes.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { draft, ownInbox, requireResult } from "./own-inbox.ts";
import {
  arrivalMs,
  arrivalsOf,
  arrivedMails,
  arrivedNowhere,
  expectSomewhere,
  letterTo,
  patienceMs,
  provenParties,
  readArrived,
  requireSent,
} from "./parties.ts";
import { isSent, sendAgain, sendFrom } from "./sending.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

const needs: readonly Need[] = ["human", "second-human"];

const toAnother = check({
  id: "JMAP-08/sent-again",
  claim:
    "A message that is sent a second time, to another recipient, arrives at that recipient, unless the send is refused.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own, foreign } = parties;
    const sent = requireSent(await sendFrom(target.setup, senderId, letterTo(own)));
    const emailId = createdId(sent.exchange, "create", "d1");
    if (emailId === undefined)
      throw controlRefused("creating a draft", "its id in created", sent.exchange, "JMAP-07");
    const exchange = await sendAgain(target, senderId, emailId, [foreign.address]);
    if (!isSent({ exchange })) throw new NotApplicableError("the target sends no message twice");
    return arrivalsOf(target, parties, { ...sent, exchange }, [foreign]);
  },
  assert: (arrivals) => explained("JMAP-08", () => expectSomewhere(arrivals)),
});

const sameSubject = check({
  id: "JMAP-08/same-subject",
  claim: "Two messages of one subject and different texts both arrive, unless the second is refused.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, foreign } = parties;
    const first = requireSent(await sendFrom(target.setup, senderId, letterTo(foreign)));
    const { subject } = first;
    const took = await arrivalMs(target, foreign, subject, patienceMs(parties));
    if (took === undefined) throw arrivedNowhere(first.exchange);
    const letter = { ...letterTo(foreign), subject, text: newSubject() };
    const second = await sendFrom(target, senderId, letter);
    if (!isSent(second)) throw new NotApplicableError("the target refuses a second message of one subject");
    const later = requireSent(await sendFrom(target.control, senderId, letterTo(foreign)));
    if ((await arrivalMs(target, foreign, later.subject, patienceMs(parties))) === undefined)
      throw arrivedNowhere(later.exchange);
    let copies = (await arrivedMails(target, foreign, subject)).length;
    for (let waitedMs = 0; copies < 2 && waitedMs < patienceMs(parties); waitedMs += pollMs) {
      await target.pause(pollMs);
      copies = (await arrivedMails(target, foreign, subject)).length;
    }
    return { copies, exchange: second.exchange };
  },
  // Some mail systems take the same subject of the same sender for the same message, and the document does not forbid it.
  assert: ({ copies }): Warning | undefined =>
    copies < 2
      ? warning("the second message was acknowledged and did not arrive; a later one did")
      : undefined,
});

const pollMs = 250;
// A UTCDate may be a whole second (RFC 8620 §1.4).
const betweenMomentsMs = 2100;

const receivedWhenSent = check({
  id: "JMAP-08/received-when-sent",
  claim:
    "A message that is sent two seconds after its draft was made has a later `receivedAt` where it arrives.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, foreign } = parties;
    const { mailboxId } = await ownInbox(target, senderId);
    const { email } = await senderOf(target, senderId);
    const subject = newSubject();
    const place = { mailboxId, addresses: { from: [{ email }], to: [{ email: foreign.address }] } };
    const token = await sharedAccessToken(target);
    const ask = (call: MethodCall): Promise<Exchange> =>
      jmapAs(target.setup, token, senderId, jmapBody([call]));
    const made = await ask(["Email/set", { create: { d1: draft(place, subject) } }, "0"]);
    const id = createdId(made, "0", "d1");
    if (id === undefined) throw controlRefused("creating a draft", "200 with created", made, "JMAP-07");
    const before = await ask(["Email/get", { ids: [id], properties: ["receivedAt"] }, "0"]);
    await target.pause(betweenMomentsMs);
    const exchange = await sendAgain(target.setup, senderId, id, [foreign.address]);
    if (!isSent({ exchange }))
      throw new NotApplicableError("the target sends drafts of the same request alone");
    const read = await readArrived(target, parties, foreign, { subject, exchange }, ["receivedAt"]);
    return { made: receivedAtIn(before), read };
  },
  // RFC 8621 §4.1.1 asks for it, and the document does not.
  assert({ made, read }): Warning | undefined {
    const arrived = receivedAtIn(read);
    return Date.parse(arrived) > Date.parse(made)
      ? undefined
      : warning(`it was received at ${shown(arrived)}, and its draft at ${shown(made)}`);
  },
});

function receivedAtIn(read: Exchange): string {
  const [{ receivedAt } = {}] = jsonObjectsIn(requireResult(read, "0", "Email/get")["list"]);
  return String(receivedAt);
}

/** Messages that are like another one, or were there before they are sent. Document, "Endpoints", JMAP API; RFC 8621 §7. */
export const sentAgainChecks = [toAnother, sameSubject, receivedWhenSent];
