import { check } from "../support/judging/check.ts";
import { isJsonObject, type JsonObject } from "../support/wire/exchange.ts";
import { expectEqual, expectStringSet, expectThat, shown } from "../support/judging/expect.ts";
import { addressOf } from "../support/material/inboxes.ts";
import { inboxQuery, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { Violation } from "../support/verdict.ts";
import {
  call,
  callBody,
  createdId,
  draft,
  expectResult,
  newSubject,
  objects,
  ownInbox,
  strings,
  threeDrafts,
} from "./own-inbox.ts";

const omitted: readonly {
  slug: string;
  name: string;
  args: (mailboxId: string, emailId: string) => JsonObject;
}[] = [
  {
    slug: "email-query",
    name: "Email/query",
    args: (mailboxId) => ({ filter: { inMailbox: mailboxId }, limit: 1 }),
  },
  {
    slug: "email-get",
    name: "Email/get",
    args: (_mailboxId, emailId) => ({ ids: [emailId], properties: ["id"] }),
  },
  {
    slug: "email-set",
    name: "Email/set",
    args: (mailboxId) => ({ create: { d1: draft(mailboxId, newSubject()) } }),
  },
];

const defaulted = omitted.map(({ slug, name, args }) =>
  check({
    id: `JMAP-03/${slug}`,
    claim: `${name} without accountId succeeds, for the account that the header selects.`,
    needs: ["human"],
    async act(target) {
      const { jmapAccountId } = await ownInbox(target);
      const { mailboxId, ids } = await threeDrafts(target);
      return { jmapAccountId, exchange: await call(target, [[name, args(mailboxId, ids[0] ?? ""), "0"]]) };
    },
    assert({ exchange, jmapAccountId }) {
      expectEqual(expectResult(exchange, "0", name)["accountId"], jmapAccountId, "accountId");
    },
  }),
);

// Without any control of its own: that needs the account already, and would go the same way.
const mailboxDefaulted = check({
  id: "JMAP-03/mailbox-query",
  claim: "Mailbox/query without accountId succeeds, and its response names the account.",
  needs: ["human"],
  act: async (target) => callBody(target, inboxQuery),
  assert(exchange) {
    const { accountId } = expectResult(exchange, "0", "Mailbox/query");
    expectThat(typeof accountId === "string", "accountId to be a string", shown(accountId));
  },
});

const byRole = check({
  id: "JMAP-04",
  claim: "Mailbox/query for the role inbox finds one mailbox, which has that role where Mailbox/get tells.",
  needs: ["human"],
  act: async (target) =>
    call(target, [
      ["Mailbox/query", { filter: { role: "inbox" } }, "0"],
      [
        "Mailbox/get",
        { "#ids": { resultOf: "0", name: "Mailbox/query", path: "/ids" }, properties: ["role"] },
        "1",
      ],
    ]),
  assert(exchange) {
    const { ids } = expectResult(exchange, "0", "Mailbox/query");
    expectThat(strings(ids).length === 1, "one id", shown(ids));
    const read = responseTo(exchange, "1");
    if (read?.name !== "Mailbox/get") return;
    const [mailbox] = objects(read.args["list"]);
    expectEqual(mailbox?.["role"], "inbox", "role");
  },
});

const shownProperties = ["id", "subject", "from", "receivedAt", "preview"];

const properties = check({
  id: "JMAP-06/properties",
  claim: `Email/get returns the properties ${shownProperties.join(", ")} when they are asked for, and no others.`,
  needs: ["human"],
  async act(target) {
    const { ids } = await threeDrafts(target);
    return call(target, [["Email/get", { ids: ids.slice(0, 1), properties: shownProperties }, "0"]]);
  },
  assert(exchange) {
    const [message, ...others] = objects(expectResult(exchange, "0", "Email/get")["list"]);
    if (message === undefined || others.length > 0) throw new Violation("one message", shown(message));
    expectStringSet(Object.keys(message), shownProperties, "the properties");
  },
});

const onlyAsked = check({
  id: "JMAP-06/only-asked",
  claim: "Email/get asked for the subject alone returns the subject and the id.",
  needs: ["human"],
  async act(target) {
    const { ids, subjects } = await threeDrafts(target);
    const calls: MethodCall[] = [["Email/get", { ids: ids.slice(0, 1), properties: ["subject"] }, "0"]];
    return { exchange: await call(target, calls), id: ids[0], subject: subjects[0] };
  },
  assert({ exchange, id, subject }) {
    const [message = {}] = objects(expectResult(exchange, "0", "Email/get")["list"]);
    expectStringSet(Object.keys(message), ["id", "subject"], "the properties");
    expectEqual(message["id"], id, "id");
    expectEqual(message["subject"], subject, "subject");
  },
});

const notFound = check({
  id: "JMAP-06/not-found",
  claim: "Email/get of an id that no message has lists it as notFound.",
  needs: ["human"],
  async act(target) {
    await threeDrafts(target);
    return call(target, [["Email/get", { ids: ["mailproof-none"], properties: ["id"] }, "0"]]);
  },
  assert(exchange) {
    const { notFound: missing } = expectResult(exchange, "0", "Email/get");
    expectStringSet(missing, ["mailproof-none"], "notFound");
  },
});

const created = check({
  id: "JMAP-07",
  claim:
    "Email/set creates a draft of the document's shape, and Email/get returns its subject, addresses, body and keyword.",
  needs: ["human"],
  async act(target) {
    const { accountId, mailboxId } = await ownInbox(target);
    const subject = newSubject();
    const from = await addressOf(target, accountId);
    const message = draft(mailboxId, subject, {
      from: [{ email: from }],
      to: [{ email: "to@example.test" }],
    });
    const made = await call(target, [["Email/set", { create: { d1: message } }, "0"]]);
    const id = createdId(responseTo(made, "0")?.args ?? {}, "d1") ?? "";
    const asked = ["subject", "from", "to", "keywords", "mailboxIds", "textBody", "bodyValues"];
    const read = await call(target, [
      ["Email/get", { ids: [id], properties: asked, fetchTextBodyValues: true }, "0"],
    ]);
    return { made, read, subject, mailboxId, from };
  },
  assert({ made, read, subject, mailboxId, from }) {
    const id = createdId(expectResult(made, "0", "Email/set"), "d1");
    expectThat(id !== undefined, "created.d1.id", shown(responseTo(made, "0")?.args["notCreated"]));
    const [message = {}] = objects(expectResult(read, "0", "Email/get")["list"]);
    const { keywords, mailboxIds, bodyValues } = message;
    expectEqual(message["subject"], subject, "subject");
    expectEqual(objects(message["from"])[0]?.["email"], from, "the address in from");
    expectEqual(objects(message["to"])[0]?.["email"], "to@example.test", "the address in to");
    expectThat(isJsonObject(keywords) && keywords["$draft"] === true, "the keyword $draft", shown(keywords));
    expectThat(isJsonObject(mailboxIds) && mailboxIds[mailboxId] === true, "the mailbox", shown(mailboxIds));
    expectThat(shown(bodyValues).includes("written by mailproof"), "the body's text", shown(bodyValues));
  },
});

const backReference = check({
  id: "JMAP-09",
  claim: "Email/get with #ids of an Email/query in the same request returns the messages of that query.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    return call(target, [
      ["Email/query", { filter: { inMailbox: mailboxId }, limit: 3 }, "q"],
      [
        "Email/get",
        { "#ids": { resultOf: "q", name: "Email/query", path: "/ids" }, properties: ["id"] },
        "g",
      ],
    ]);
  },
  assert(exchange) {
    const ids = strings(expectResult(exchange, "q", "Email/query")["ids"]);
    const read = objects(expectResult(exchange, "g", "Email/get")["list"]).map((message) => message["id"]);
    expectThat(ids.length > 0, "messages", "none");
    expectStringSet(read, ids, "the ids that were read");
  },
});

export const methodChecks = [
  mailboxDefaulted,
  ...defaulted,
  byRole,
  properties,
  onlyAsked,
  notFound,
  created,
  backReference,
];
