import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { expectThat, isSameJson, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { createdId, createdIdIn, inboxQuery, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { addressedDraft, idOfAddressed, recipients } from "./addressed-draft.ts";
import {
  call,
  callBody,
  draft,
  draftInbox,
  type DraftPlace,
  expectResult,
  ownInbox,
  strings,
  threeDrafts,
  withLowerCaseHost,
} from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

const omitted: readonly {
  slug: string;
  name: string;
  args: (inbox: DraftPlace, emailId: string) => JsonObject;
}[] = [
  {
    slug: "email-query",
    name: "Email/query",
    args: ({ mailboxId }) => ({ filter: { inMailbox: mailboxId }, limit: 1 }),
  },
  {
    slug: "email-get",
    name: "Email/get",
    args: (_inbox, emailId) => ({ ids: [emailId], properties: ["id"] }),
  },
  {
    slug: "email-set",
    name: "Email/set",
    args: (inbox) => ({ create: { d1: draft(inbox, newSubject()) } }),
  },
];

const defaulted = omitted.map(({ slug, name, args }) =>
  check({
    id: `JMAP-03/${slug}`,
    claim: `\`${name}\` without \`accountId\` is carried out for the inbox that the header selects.`,
    needs: ["human"],
    async act(target) {
      const inbox = await draftInbox(target);
      const { ids } = await threeDrafts(target);
      const exchange = await call(target, [[name, args(inbox, ids[0] ?? ""), "0"]]);
      return { jmapAccountId: inbox.jmapAccountId, exchange };
    },
    assert({ exchange, jmapAccountId }) {
      const { accountId } = expectResult(exchange, "0", name);
      const expected = `accountId ${shown(jmapAccountId)}`;
      expectThat(accountId === jmapAccountId, expected, shown(accountId), exchange);
    },
  }),
);

// What the others compare with, and so without a comparison itself.
const mailboxDefaulted = check({
  id: "JMAP-03/mailbox-query",
  claim: "`Mailbox/query` without `accountId` is carried out, and its response names the account.",
  needs: ["human"],
  act: async (target) => callBody(target, inboxQuery),
  assert: (exchange) =>
    explained("JMAP-01", () => {
      const { accountId } = expectResult(exchange, "0", "Mailbox/query");
      expectThat(typeof accountId === "string", "a string accountId", shown(accountId), exchange);
    }),
});

const laterCall = check({
  id: "JMAP-03/later-call",
  claim: "A second call without `accountId` is carried out for the same account as the first.",
  needs: ["human"],
  act: async (target) =>
    call(target, [
      ["Mailbox/query", { filter: { role: "inbox" } }, "0"],
      ["Mailbox/query", { filter: { role: "inbox" } }, "1"],
    ]),
  assert: (exchange) =>
    explained("JMAP-03/mailbox-query", () => {
      const { accountId: first } = expectResult(exchange, "0", "Mailbox/query");
      const { accountId: second } = expectResult(exchange, "1", "Mailbox/query");
      expectThat(first === second, `accountId ${shown(first)}`, shown(second), exchange);
    }),
});

/** Methods that the document does not show, with arguments that ask for little. */
const otherMethods: readonly MethodCall[] = [
  "Mailbox/get",
  "Thread/get",
  "Identity/get",
  "EmailSubmission/get",
].map((name) => [name, { ids: [] }, "0"]);

const othersDefaulted = check({
  id: "JMAP-03/other-methods",
  claim: `${otherMethods.map(([name]) => `\`${name}\``).join(", ")}: what is answered with \`accountId\` is answered without it for the same account.`,
  needs: ["human"],
  async act(target) {
    const { jmapAccountId } = await ownInbox(target);
    const omitting: { name: string; exchange: Exchange }[] = [];
    for (const [name, args, callId] of otherMethods) {
      const named = await call(target.control, [[name, { ...args, accountId: jmapAccountId }, callId]]);
      if (responseTo(named, callId)?.name !== name) continue;
      omitting.push({ name, exchange: await call(target, [[name, args, callId]]) });
    }
    if (omitting.length === 0) throw new NotApplicableError("the target has none of these methods");
    return { jmapAccountId, omitting };
  },
  assert({ jmapAccountId, omitting }) {
    for (const { name, exchange } of omitting)
      explained("JMAP-03/mailbox-query", () => {
        const { accountId } = expectResult(exchange, "0", name);
        expectThat(
          accountId === jmapAccountId,
          `accountId ${shown(jmapAccountId)}`,
          shown(accountId),
          exchange,
        );
      });
  },
});

const byRole = check({
  id: "JMAP-04",
  claim:
    "`Mailbox/query` for the role `inbox` finds one mailbox, which has that role where `Mailbox/get` shows roles.",
  needs: ["human"],
  async act(target) {
    const query = await callBody(target, inboxQuery);
    const ids = strings(responseTo(query, "0")?.args["ids"]);
    return { query, read: await call(target, [["Mailbox/get", { ids, properties: ["role"] }, "0"]]) };
  },
  assert({ query, read }) {
    const { ids } = explained("JMAP-03/mailbox-query", () => expectResult(query, "0", "Mailbox/query"));
    expectThat(strings(ids).length === 1, "one id", shown(ids), query);
    // The document does not show Mailbox/get.
    const got = responseTo(read, "0");
    if (got?.name !== "Mailbox/get") return;
    const role = jsonObjectsIn(got.args["list"])[0]?.["role"];
    expectThat(role === "inbox", "the role inbox", shown(role), read);
  },
});

const shownProperties = ["id", "subject", "from", "receivedAt", "preview"];

const properties = check({
  id: "JMAP-06/properties",
  claim: `\`Email/get\` returns ${shownProperties.map((name) => `\`${name}\``).join(", ")} when they are asked for.`,
  needs: ["human"],
  async act(target) {
    const addressed = await idOfAddressed(target);
    const ids = addressed === undefined ? (await threeDrafts(target)).ids.slice(0, 1) : [addressed];
    const exchange = await call(target, [["Email/get", { ids, properties: shownProperties }, "0"]]);
    return { exchange, hasSender: addressed !== undefined };
  },
  assert({ exchange, hasSender }) {
    const [message = {}] = jsonObjectsIn(expectResult(exchange, "0", "Email/get")["list"]);
    // What is null may be left out.
    const expected = shownProperties.filter((name) => hasSender || name !== "from");
    const missing = expected.filter((name) => !(name in message));
    expectThat(missing.length === 0, "each of them", `none of the name ${missing.join(", ")}`, exchange);
  },
});

const onlyAsked = [
  { id: "JMAP-06/only-asked", words: "of a message", count: 1 },
  { id: "JMAP-06/only-asked-of-two", words: "of two messages", count: 2 },
].map(({ id, words, count }) =>
  check({
    id,
    claim: `\`Email/get\` ${words} that asks for \`subject\` alone returns \`id\` and \`subject\`, and no other property.`,
    needs: ["human"],
    async act(target) {
      const { ids, subjects } = await threeDrafts(target);
      const asked = ids.slice(0, count);
      const calls: MethodCall[] = [["Email/get", { ids: asked, properties: ["subject"] }, "0"]];
      const expected = asked.map((emailId, at) => [emailId, subjects[at], {}]);
      return { exchange: await call(target, calls), expected };
    },
    assert({ exchange, expected }) {
      const messages = jsonObjectsIn(expectResult(exchange, "0", "Email/get")["list"]);
      // In any order (RFC 8620 §5.1).
      const read = messages.map(({ id: emailId, subject, ...others }) => [emailId, subject, others]);
      const isExact = expected.every((each) => read.some((other) => isSameJson(other, each)));
      explained(count > 1 ? "JMAP-06/only-asked" : undefined, () =>
        expectThat(isExact && read.length === expected.length, shown(expected), shown(messages), exchange),
      );
    },
  }),
);

const notFound = check({
  id: "JMAP-06/not-found",
  claim: "`Email/get` of an id that no message has lists it in `notFound`.",
  needs: ["human"],
  async act(target) {
    await threeDrafts(target);
    return call(target, [["Email/get", { ids: ["mailproof-none"], properties: ["id"] }, "0"]]);
  },
  assert(exchange) {
    const { notFound: missing } = expectResult(exchange, "0", "Email/get");
    expectThat(isSameJson(missing, ["mailproof-none"]), "the id in notFound", shown(missing), exchange);
  },
});

const created = check({
  id: "JMAP-07",
  claim:
    "A draft with addresses, subject, text body and `$draft` that `Email/set` creates is read by `Email/get` as it was sent.",
  needs: ["human"],
  async act(target) {
    const { made, subject, mailboxId, from } = await addressedDraft(target);
    const id = createdId(made, "0", "d1") ?? "";
    const asked = ["subject", "from", "to", "keywords", "mailboxIds", "textBody", "bodyValues"];
    const read = await call(target, [
      ["Email/get", { ids: [id], properties: asked, fetchTextBodyValues: true }, "0"],
    ]);
    return { made, read, subject, mailboxId, from };
  },
  assert({ made, read, subject, mailboxId, from }) {
    const id = createdIdIn(expectResult(made, "0", "Email/set"), "d1");
    expectThat(id !== undefined, "created.d1.id", shown(responseTo(made, "0")?.args["notCreated"]), made);
    const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
    const { keywords, mailboxIds } = message;
    const returned = {
      subject: message["subject"],
      from: withLowerCaseHost(jsonObjectsIn(message["from"])[0]?.["email"]),
      to: jsonObjectsIn(message["to"]).map(({ email }) => withLowerCaseHost(email)),
      isDraft: isJsonObject(keywords) && keywords["$draft"] === true,
      isInMailbox: isJsonObject(mailboxIds) && mailboxIds[mailboxId] === true,
      hasText: JSON.stringify(message["bodyValues"] ?? null).includes("written by mailproof"),
    };
    const sent = {
      subject,
      from: withLowerCaseHost(from),
      to: recipients,
      isDraft: true,
      isInMailbox: true,
      hasText: true,
    };
    expectThat(isSameJson(returned, sent), shown(sent), shown(returned), read);
  },
});

const backReference = check({
  id: "JMAP-09",
  claim:
    "`Email/get` with `#ids` of an `Email/query` in the same request returns the messages of that query.",
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
    const { list } = explained("JMAP-03/later-call", () => expectResult(exchange, "g", "Email/get"));
    const read = jsonObjectsIn(list).map((message) => message["id"]);
    expectThat(ids.length > 0, "messages", "none", exchange);
    const isSame = shown(read.toSorted()) === shown(ids.toSorted());
    expectThat(isSame, `the messages ${ids.join(", ")}`, shown(read), exchange);
  },
});

export const methodChecks = [
  mailboxDefaulted,
  othersDefaulted,
  laterCall,
  ...defaulted,
  byRole,
  properties,
  ...onlyAsked,
  notFound,
  created,
  backReference,
];
