import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, type JsonObject, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, inboxesOf, twoInboxes } from "../support/material/inboxes.ts";
import { jmapAs, jmapBody, type MethodCall, requireServed, responseTo, urn } from "../support/actors/jmap.ts";
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

async function identityId(target: Target): Promise<unknown> {
  const exchange = await call(target, [["Identity/get", { ids: null }, "0"]], {
    using: [urn.core, urn.submission],
  });
  return objects(responseTo(exchange, "0")?.args["list"])[0]?.["id"];
}

const send = check({
  id: "JMAP-08",
  claim:
    "EmailSubmission/set with emailId #d1 of an Email/set in the same request, and an envelope, is created.",
  needs: ["human"],
  async act(target) {
    const { accountId, mailboxId } = await ownInbox(target);
    const inboxes = await inboxesOf(target);
    const from = await addressOf(target, accountId);
    const to = await addressOf(target, (inboxes[1] ?? inboxes[0]).accountId);
    const message = draft(mailboxId, newSubject(), { from: [{ email: from }], to: [{ email: to }] });
    const first = await call(target, createAndSend(message, from, to, {}));
    if (!refusedProperties(first).includes("identityId")) return { first, retried: undefined };
    const more = { identityId: await identityId(target) };
    return { first, retried: await call(target, createAndSend(message, from, to, more)) };
  },
  assert({ first, retried }) {
    const judged = retried ?? first;
    const args = expectResult(judged, "send", "EmailSubmission/set");
    if (createdId(args, "s1") === undefined) throw new Violation("created.s1.id", shown(args["notCreated"]));
    // RFC 8621 §7 requires identityId; the document's request has none.
    return retried === undefined
      ? undefined
      : warning("created only with an identityId, which the document's request lacks");
  },
});

const readElsewhere = check({
  id: "JMAP-15",
  claim:
    "A draft written under one inbox's header is read under that header with another token of the same person, and not under another inbox's header.",
  needs: ["human"],
  async act(target) {
    const [one, two] = await twoInboxes(target);
    const { mailboxId } = await ownInbox(target);
    const subject = newSubject();
    const made = await call(target, [["Email/set", { create: { d1: draft(mailboxId, subject) } }, "0"]]);
    const id = createdId(requireServed(made, "Email/set")[0]?.[1] ?? {}, "d1") ?? "";
    const read = jmapBody([["Email/get", { ids: [id], properties: ["subject"] }, "0"]]);
    const otherToken = await sharedAccessToken(target, { client: "confidential" });
    return {
      subject,
      same: await jmapAs(target, otherToken, one, read),
      other: await jmapAs(target, await sharedAccessToken(target), two, read),
    };
  },
  assert({ subject, same, other }) {
    expectThat(same.response.body.includes(subject), "the draft under its own header", summary(same));
    expectThat(!other.response.body.includes(subject), "no draft under the other header", "the draft");
  },
});

export const submissionChecks = [send, readElsewhere];
