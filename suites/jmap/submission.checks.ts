import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, type JsonObject, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, inboxesOf, inboxOf, twoInboxes } from "../support/material/inboxes.ts";
import { jmapAs, jmapBody, type MethodCall, requireServed, responseTo, urn } from "../support/actors/jmap.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, warning } from "../support/verdict.ts";
import { call, createdId, draft, expectResult, newSubject, objects, ownInbox } from "./own-inbox.ts";

/** Create a draft and send it in one request, as the document shows it. */
function createAndSend(message: JsonObject, from: string, to: string, more: JsonObject): MethodCall[] {
  const envelope = { mailFrom: { email: from }, rcptTo: [{ email: to }] };
  return [
    ["Email/set", { create: { d1: message } }, "create"],
    ["EmailSubmission/set", { create: { s1: { emailId: "#d1", envelope, ...more } } }, "send"],
  ];
}

function refusedProperties(exchange: Exchange): string[] {
  const { notCreated } = responseTo(exchange, "send")?.args ?? {};
  const error = isJsonObject(notCreated) ? notCreated["s1"] : undefined;
  const { properties } = isJsonObject(error) ? error : {};
  return Array.isArray(properties) ? properties.map(String) : [];
}

async function identityId(target: Target, accountId: string): Promise<unknown> {
  const body = jmapBody([["Identity/get", { ids: null }, "0"]], [urn.core, urn.submission]);
  const exchange = await jmapAs(target, await sharedAccessToken(target), accountId, body);
  return objects(responseTo(exchange, "0")?.args["list"])[0]?.["id"];
}

/** From one inbox to another of the person, with an identityId where it is asked for. */
async function createAndSendFrom(
  target: Target,
  accountId: string,
): Promise<{ exchange: Exchange; isRetried: boolean }> {
  const { mailboxId } = await ownInbox(target, accountId);
  const inboxes = await inboxesOf(target);
  const sink = inboxes.find((entry) => entry.accountId !== accountId) ?? inboxes[0];
  const [from, to] = [await addressOf(target, accountId), await addressOf(target, sink.accountId)];
  const message = draft(mailboxId, newSubject(), { from: [{ email: from }], to: [{ email: to }] });
  const token = await sharedAccessToken(target);
  const post = (more: JsonObject): Promise<Exchange> =>
    jmapAs(target, token, accountId, jmapBody(createAndSend(message, from, to, more)));
  const first = await post({});
  if (!refusedProperties(first).includes("identityId")) return { exchange: first, isRetried: false };
  return { exchange: await post({ identityId: await identityId(target.setup, accountId) }), isRetried: true };
}

function isSent(exchange: Exchange): boolean {
  return createdId(responseTo(exchange, "send")?.args ?? {}, "s1") !== undefined;
}

const send = check({
  id: "JMAP-08",
  claim:
    "`EmailSubmission/set` with the creation id of an `Email/set` in the same request and an envelope creates a submission.",
  needs: ["human"],
  async act(target) {
    const [first, ...others] = await inboxesOf(target);
    const firstTry = await createAndSendFrom(target, first.accountId);
    if (isSent(firstTry.exchange)) return firstTry;
    // Another inbox may be active and read only (C-86).
    for (const { accountId } of others) {
      const next = await createAndSendFrom(target, accountId);
      if (isSent(next.exchange)) return next;
    }
    return firstTry;
  },
  assert({ exchange, isRetried }) {
    const args = explained("JMAP-03/later-call", () => expectResult(exchange, "send", "EmailSubmission/set"));
    if (createdId(args, "s1") === undefined)
      throw new Violation("created.s1.id", shown(args["notCreated"]), { exchange });
    // RFC 8621 §7 requires identityId; the document's request has none.
    return isRetried
      ? warning("created only with an identityId, which the document's request lacks")
      : undefined;
  },
});

/** A draft in one inbox, and the request that reads it. */
interface SavedDraft {
  readonly subject: string;
  readonly read: string;
}

/** @throws {InconclusiveError} control-refused, when the draft cannot be created */
async function savedDraft(target: Target): Promise<SavedDraft> {
  const { mailboxId } = await ownInbox(target);
  const subject = newSubject();
  const made = await call(target.setup, [["Email/set", { create: { d1: draft(mailboxId, subject) } }, "0"]]);
  const id = createdId(requireServed(made, "Email/set")[0]?.[1] ?? {}, "d1");
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
    const token = await sharedAccessToken(target, { client: "confidential" });
    return { subject, exchange: await jmapAs(target, token, await inboxOf(target), read) };
  },
  assert({ subject, exchange }) {
    const isRead = exchange.response.body.includes(subject);
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
    if (!own.response.body.includes(subject))
      throw controlRefused("reading the draft under its own header", "200 with its subject", own, "JMAP-06");
    return { subject, exchange: await jmapAs(target, token, two, read) };
  },
  assert({ subject, exchange }) {
    const isRead = exchange.response.body.includes(subject);
    explained("HDR-17/email-id", () => expectThat(!isRead, "no draft", "the draft", exchange));
  },
});

export const submissionChecks = [send, otherToken, otherInbox];
