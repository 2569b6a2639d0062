import { check } from "../support/judging/check.ts";
import { showsText, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { clientBeside } from "../support/material/clients.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, inboxesOf, inboxOf, twoInboxes } from "../support/material/inboxes.ts";
import { createdIdIn, jmapAs, jmapBody, requireServed } from "../support/actors/jmap.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation, warning } from "../support/verdict.ts";
import { call, draft, draftInbox, expectResult, requireSeveral } from "./own-inbox.ts";
import { isSent, type Letter, sendFrom, sendFromAny, type SentLetter } from "./sending.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

/** From one inbox to another of the person. */
async function sendToOther(
  target: Target,
  accountId: string,
  how: Partial<Pick<Letter, "isSentLater">> = {},
): Promise<SentLetter> {
  const inboxes = await inboxesOf(target);
  const sink = inboxes.find((entry) => entry.accountId !== accountId) ?? inboxes[0];
  const to = [await addressOf(target, sink.accountId)];
  return sendFrom(target, accountId, { to, rcptTo: to, ...how });
}

const send = check({
  id: "JMAP-08",
  claim:
    "`EmailSubmission/set` with the creation id of an `Email/set` in the same request and an envelope creates a submission.",
  needs: ["human"],
  act: async (target) => sendFromAny(target, (accountId) => sendToOther(target, accountId)),
  assert({ exchange, isRetried }) {
    const args = explained("JMAP-03/later-call", () => expectResult(exchange, "send", "EmailSubmission/set"));
    if (createdIdIn(args, "s1") === undefined)
      throw new Violation("created.s1.id", shown(args["notCreated"]), { exchange });
    // RFC 8621 §7 requires identityId; the document's request has none.
    return isRetried
      ? warning("created only with an identityId, which the document's request lacks")
      : undefined;
  },
});

const sendFromSecond = check({
  id: "JMAP-08/second-inbox",
  claim:
    "`EmailSubmission/set` creates a submission from a person's second inbox, as it does from their first; one that does not passes with a warning.",
  needs: ["human"],
  async act(target) {
    const [first, second] = await twoInboxes(target);
    const control = await sendToOther(target.control, first);
    if (!isSent(control)) throw new NotApplicableError("the first inbox sends nothing");
    return sendToOther(target, second);
  },
  // An inbox may be there to be read alone (C-86).
  assert: (sent) => (isSent(sent) ? undefined : warning("the second inbox of the person sends nothing")),
});

const sendLater = check({
  id: "JMAP-08/later-call",
  claim:
    "`EmailSubmission/set` with the creation id of an `Email/set` creates a submission with another call between the two.",
  needs: ["human"],
  async act(target) {
    const how = { isSentLater: true } as const;
    const { exchange } = await sendFromAny(target, (accountId) => sendToOther(target, accountId, how));
    return requireSeveral(exchange);
  },
  assert(exchange) {
    const args = explained("JMAP-03/later-call", () => expectResult(exchange, "send", "EmailSubmission/set"));
    if (createdIdIn(args, "s1") === undefined)
      throw new Violation("created.s1.id", shown(args["notCreated"]), { exchange, explainedBy: "JMAP-08" });
  },
});

/** A draft in one inbox, and the request that reads it. */
interface SavedDraft {
  readonly subject: string;
  readonly read: string;
}

/** @throws {InconclusiveError} control-refused, when the draft cannot be created */
async function savedDraft(target: Target): Promise<SavedDraft> {
  const subject = newSubject();
  const create = { d1: draft(await draftInbox(target), subject) };
  const made = await call(target.setup, [["Email/set", { create }, "0"]]);
  const id = createdIdIn(requireServed(made, "Email/set")[0]?.[1] ?? {}, "d1");
  if (id === undefined) throw controlRefused("creating a draft", "200 with created", made, "JMAP-07");
  return { subject, read: jmapBody([["Email/get", { ids: [id], properties: ["subject"] }, "0"]]) };
}

const otherToken = check({
  id: "JMAP-15",
  claim:
    "A draft written under one inbox's account header is read under it with another token of the same person.",
  needs: ["human"],
  async act(target) {
    const { subject, read } = await savedDraft(target);
    const token = await sharedAccessToken(target, { client: clientBeside(target) });
    return { subject, exchange: await jmapAs(target, token, await inboxOf(target), read) };
  },
  assert({ subject, exchange }) {
    const isRead = showsText(exchange, subject);
    expectThat(isRead, "the draft", summary(exchange), exchange);
  },
});

const otherInbox = check({
  id: "JMAP-15/other-inbox",
  claim: "A draft written under one inbox's account header is not read under another inbox's header.",
  needs: ["human"],
  async act(target) {
    const [one, two] = await twoInboxes(target);
    const { subject, read } = await savedDraft(target);
    const token = await sharedAccessToken(target);
    const own = await jmapAs(target.control, token, one, read);
    if (!showsText(own, subject))
      throw controlRefused("reading the draft under its own header", "200 with its subject", own, "JMAP-06");
    return { subject, exchange: await jmapAs(target, token, two, read) };
  },
  assert({ subject, exchange }) {
    const isRead = showsText(exchange, subject);
    explained("HDR-17/email-id", () => expectThat(!isRead, "no draft", "the draft", exchange));
  },
});

export const submissionChecks = [send, sendFromSecond, sendLater, otherToken, otherInbox];
