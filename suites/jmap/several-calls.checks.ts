import { check } from "../support/judging/check.ts";
import { expectThat, isSameJson, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { createdId, createdIdIn, responseTo } from "../support/actors/jmap.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { call, draft, draftInbox, expectResult, requireSeveral, strings, threeDrafts } from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

// Higher than what most mailboxes hold, so that the limit leaves out none before they are sorted.
const higher = 50;

function expectLaterResult(exchange: Exchange, callId: string, name: string): JsonObject {
  return explained("JMAP-03/later-call", () => expectResult(exchange, callId, name));
}

const limitedToFirst = check({
  id: "JMAP-05/limit-of-sorted",
  claim: "`Email/query` with `sort` and `limit` 2 finds the first two of what it finds with a higher limit.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    const query = {
      filter: { inMailbox: mailboxId },
      sort: [{ property: "receivedAt", isAscending: true }],
    };
    const found = await call(target, [
      ["Email/query", { ...query, limit: higher }, "all"],
      ["Email/query", { ...query, limit: 2 }, "two"],
    ]);
    // Few enough for one Email/get, whose limit a target may choose (RFC 8620 §2).
    const ids = ["all", "two"].flatMap((id) => strings(responseTo(found, id)?.args["ids"]).slice(0, 2));
    const read = await call(target, [
      ["Email/get", { ids: [...new Set(ids)], properties: ["receivedAt"] }, "0"],
    ]);
    return { found, read };
  },
  assert({ found, read }) {
    const messages = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
    // By time: messages of one moment may come in either order.
    const times = (callId: string): unknown[] =>
      strings(expectLaterResult(found, callId, "Email/query")["ids"])
        .slice(0, 2)
        .map((id) => messages.find((message) => message["id"] === id)?.["receivedAt"]);
    const limited = times("two");
    const first = times("all").slice(0, limited.length);
    const isFirst = limited.length > 0 && !limited.includes(undefined) && isSameJson(limited, first);
    explained("JMAP-05/limit", () => expectThat(isFirst, shown(first), shown(limited), found));
  },
});

const limitedToNewest = check({
  id: "JMAP-05/limit-of-newest-first",
  claim:
    "`Email/query` with `limit` 2, sorted by `receivedAt` with `isAscending` false, finds messages as new as the first two of what it finds with a higher limit.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    const query = {
      filter: { inMailbox: mailboxId },
      sort: [{ property: "receivedAt", isAscending: false }],
    };
    // On both sides, since the newest may change at any time.
    const found = await call(target, [
      ["Email/query", { ...query, limit: higher }, "before"],
      ["Email/query", { ...query, limit: 2 }, "two"],
      ["Email/query", { ...query, limit: higher }, "after"],
    ]);
    requireSeveral(found);
    const ids = ["before", "two", "after"].flatMap((id) => {
      const each = strings(responseTo(found, id)?.args["ids"]);
      return [...each.slice(0, 2), ...each.slice(-1)];
    });
    const read = await call(target, [
      ["Email/get", { ids: [...new Set(ids)], properties: ["receivedAt"] }, "0"],
    ]);
    return { found, read };
  },
  assert({ found, read }) {
    const messages = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
    const times = (callId: string): number[] => {
      const ids = strings(expectLaterResult(found, callId, "Email/query")["ids"]);
      return [...ids.slice(0, 2), ...ids.slice(-1)].map((id) => timeOf(messages, id));
    };
    const [before, limited, after] = [times("before"), times("two").slice(0, 2), times("after")];
    if (new Set(before).size < 2)
      throw new NotApplicableError("all messages that are found are of one moment");
    explained("JMAP-05/limit", () => expectThat(limited.length > 0, "messages with limit 2", "none", found));
    for (const [at, time] of limited.entries()) {
      const least = Math.min(before[at] ?? time, after[at] ?? time);
      explained("JMAP-05/limit-of-sorted", () =>
        expectThat(
          time >= least,
          `message ${at + 1} from ${new Date(least).toISOString()} or later`,
          new Date(time).toISOString(),
          found,
        ),
      );
    }
  },
});

/** @throws {InconclusiveError} precondition-missing, when the message was not read: another check may have destroyed it */
function timeOf(messages: readonly JsonObject[], id: string): number {
  const time = Date.parse(String(messages.find((message) => message["id"] === id)?.["receivedAt"]));
  if (Number.isFinite(time)) return time;
  throw new InconclusiveError("precondition-missing", `the message ${id} that was found has no receivedAt`);
}

const namedCall = check({
  id: "JMAP-09/named-call",
  claim:
    "`Email/get` with `#ids` of one of two queries in the request returns the messages of the one that `resultOf` names.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    const query = (isAscending: boolean): JsonObject => ({
      filter: { inMailbox: mailboxId },
      sort: [{ property: "receivedAt", isAscending }],
      limit: 1,
    });
    const get = (resultOf: string): JsonObject => ({
      "#ids": { resultOf, name: "Email/query", path: "/ids" },
      properties: ["id"],
    });
    const exchange = await call(target, [
      ["Email/query", query(true), "oldest"],
      ["Email/query", query(false), "newest"],
      ["Email/get", get("oldest"), "read-oldest"],
      ["Email/get", get("newest"), "read-newest"],
    ]);
    return requireSeveral(exchange);
  },
  assert(exchange) {
    for (const which of ["oldest", "newest"]) {
      const ids = strings(expectLaterResult(exchange, which, "Email/query")["ids"]);
      const { list } = explained("JMAP-09", () => expectResult(exchange, `read-${which}`, "Email/get"));
      const read = jsonObjectsIn(list).map((message) => message["id"]);
      expectThat(isSameJson(read, ids), `the messages ${ids.join(", ")}`, shown(read), exchange);
    }
  },
});

const nothingFound = check({
  id: "JMAP-09/nothing-found",
  claim: "`Email/get` with `#ids` of a query that found nothing returns no message.",
  needs: ["human"],
  async act(target) {
    // In the mailbox there are some.
    const { mailboxId } = await threeDrafts(target);
    const exchange = await call(target, [
      ["Email/query", { filter: { inMailbox: mailboxId, before: "2000-01-01T00:00:00Z" } }, "none"],
      [
        "Email/get",
        { "#ids": { resultOf: "none", name: "Email/query", path: "/ids" }, properties: ["id"] },
        "read",
      ],
    ]);
    return requireSeveral(exchange);
  },
  assert(exchange) {
    // The document shows one filter, and RFC 8620 §5.5 has an error for the others.
    const found = responseTo(exchange, "none");
    if (found?.name === "error")
      throw new NotApplicableError(`the target has no such filter: ${shown(found.args["type"])}`);
    const { ids } = explained("JMAP-05", () => expectResult(exchange, "none", "Email/query"));
    if (strings(ids).length > 0) throw new NotApplicableError("the query finds messages");
    const { list } = explained("JMAP-09", () => expectLaterResult(exchange, "read", "Email/get"));
    expectThat(
      jsonObjectsIn(list).length === 0,
      "no message",
      `${jsonObjectsIn(list).length} messages`,
      exchange,
    );
  },
});

const eachDraft = check({
  id: "JMAP-07/several",
  claim:
    "Of three drafts that one `Email/set` creates, the id in `created` reads the draft of its creation id.",
  needs: ["human"],
  async act(target) {
    const { ids, subjects, isOneCall } = await threeDrafts(target);
    if (!isOneCall) throw new NotApplicableError("the target creates fewer drafts in one call");
    return {
      subjects,
      ids,
      exchange: await call(target, [["Email/get", { ids, properties: ["subject"] }, "0"]]),
    };
  },
  assert({ subjects, ids, exchange }) {
    const read = jsonObjectsIn(expectResult(exchange, "0", "Email/get")["list"]);
    const found = ids.map((id) => read.find((message) => message["id"] === id)?.["subject"]);
    expectThat(isSameJson(found, subjects), shown(subjects), shown(found), exchange);
  },
});

const ownText = check({
  id: "JMAP-06/own-text",
  claim: "`Email/get` of two drafts with different texts, read at once, shows each with its own.",
  needs: ["human"],
  async act(target) {
    const inbox = await draftInbox(target);
    const texts = [newSubject(), newSubject()];
    const create = Object.fromEntries(
      texts.map((value, at) => [`d${at}`, draft(inbox, newSubject(), { bodyValues: { body: { value } } })]),
    );
    const made = requireSeveral(await call(target.setup, [["Email/set", { create }, "0"]]));
    const args = responseTo(made, "0")?.args ?? {};
    const ids = texts.map((_, at) => createdIdIn(args, `d${at}`));
    if (ids.includes(undefined)) throw controlRefused("creating two drafts", "both created", made, "JMAP-07");
    const asked = { ids, properties: ["textBody", "bodyValues"], fetchTextBodyValues: true };
    return { texts, ids, exchange: requireSeveral(await call(target, [["Email/get", asked, "0"]])) };
  },
  assert({ texts, ids, exchange }) {
    const messages = jsonObjectsIn(expectResult(exchange, "0", "Email/get")["list"]);
    for (const [at, text] of texts.entries()) {
      const read = messages.find((message) => message["id"] === ids[at])?.["bodyValues"];
      const isOwn = (JSON.stringify(read) ?? "").includes(text);
      explained("JMAP-07", () => expectThat(isOwn, `the text ${shown(text)}`, shown(read), exchange));
    }
  },
});

const text = "Gr\u{00FC}\u{00DF}e, \u{4F60}\u{597D} \u{1F4EC}";

const nonAscii = check({
  id: "JMAP-07/non-ascii",
  claim:
    "Letters beyond ASCII in subject and text of a draft that `Email/set` creates are read by `Email/get` as they were sent.",
  needs: ["human"],
  async act(target) {
    const inbox = await draftInbox(target);
    const subject = `${text} ${newSubject()}`;
    const message = draft(inbox, subject, { bodyValues: { body: { value: text } } });
    const made = await call(target, [["Email/set", { create: { d1: message } }, "0"]]);
    const id = createdId(made, "0", "d1") ?? "";
    const read = await call(target, [
      ["Email/get", { ids: [id], properties: ["subject", "bodyValues"], fetchTextBodyValues: true }, "0"],
    ]);
    return { made, read, subject };
  },
  assert({ made, read, subject }) {
    const id = explained("JMAP-07", () => createdIdIn(expectResult(made, "0", "Email/set"), "d1"));
    explained("JMAP-07", () => expectThat(id !== undefined, "created.d1.id", "none", made));
    const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
    const { subject: returned, bodyValues } = message;
    expectThat(returned === subject, `subject ${shown(subject)}`, shown(returned), read);
    const isKept = JSON.stringify(bodyValues).includes(text);
    expectThat(isKept, `text ${shown(text)}`, shown(bodyValues), read);
  },
});

const long = check({
  id: "JMAP-07/long",
  claim:
    "A draft whose subject has 300 characters and whose text has 5,000 is read by `Email/get` as it was sent.",
  needs: ["human"],
  async act(target) {
    const inbox = await draftInbox(target);
    const subject = `${newSubject()} `.padEnd(299, "lorem ipsum ").concat("!");
    const value = "0123456789 lines of some length.\n".repeat(152).slice(0, 4999).concat("!");
    const message = draft(inbox, subject, { bodyValues: { body: { value } } });
    const made = await call(target, [["Email/set", { create: { d1: message } }, "0"]]);
    const { args = {} } = responseTo(made, "0") ?? {};
    const id = createdIdIn(args, "d1") ?? "";
    if (id === "" && isJsonObject(args["notCreated"]) && "d1" in args["notCreated"])
      throw new NotApplicableError("the target takes no draft of that length");
    const asked = { ids: [id], properties: ["subject", "bodyValues"], fetchTextBodyValues: true };
    const read = await call(target, [["Email/get", asked, "0"]]);
    return { made, read, subject, value };
  },
  assert({ made, read, subject, value }) {
    const id = explained("JMAP-07", () => createdIdIn(expectResult(made, "0", "Email/set"), "d1"));
    explained("JMAP-07", () => expectThat(id !== undefined, "created.d1.id", "none", made));
    const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
    const returned = String(message["subject"]);
    expectThat(returned === subject, `subject ${shown(subject)}`, shown(returned), read);
    // Line ends are CRLF in a message (RFC 5322 §2.1), and LF or CRLF in JMAP.
    const text = JSON.stringify(message["bodyValues"]).replaceAll(String.raw`\r\n`, String.raw`\n`);
    const isKept = text.includes(JSON.stringify(value).slice(1, -1));
    expectThat(isKept, `a text of ${value.length} characters`, "another text", read);
  },
});

/** What shows only when a request has more than one call, more than ASCII, or more than a line. */
export const severalCallChecks = [
  limitedToFirst,
  limitedToNewest,
  namedCall,
  nothingFound,
  eachDraft,
  ownText,
  nonAscii,
  long,
];
