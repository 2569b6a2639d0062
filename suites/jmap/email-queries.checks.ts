import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { responseTo } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { call, draftElsewhere, expectResult, laterDraft, strings, threeDrafts } from "./own-inbox.ts";

/** A query and the messages that it found, in separate requests: references and later calls have checks of their own. */
interface QueriedMessages {
  readonly query: Exchange;
  /** Where the target finds fewer at once than was asked for (RFC 8620 §5.5): what the query finds behind those. */
  readonly further: readonly Exchange[];
  /** One, or several where the target's `maxObjectsInGet` is smaller than what was found (RFC 8620 §5.1). */
  readonly reads: readonly Exchange[];
}

const limit = 50;

/** At most 50 messages, unless more are asked for: then in pages of 50. */
async function queryAndRead(
  target: Target,
  query: JsonObject,
  properties: readonly string[],
  most = limit,
): Promise<QueriedMessages> {
  const found = await call(target, [["Email/query", { ...query, limit }, "0"]]);
  const further = await furtherPages(target, query, found, most);
  const ids = [found, ...further].flatMap(idsIn);
  return { query: found, further, reads: await readAll(target, ids, properties) };
}

/** Reads all of them at once, or else in smaller and smaller parts until the target takes them. */
async function readAll(
  target: Target,
  ids: readonly string[],
  properties: readonly string[],
  size = Math.max(1, ids.length),
): Promise<Exchange[]> {
  const reads: Exchange[] = [];
  for (let at = 0; at === 0 || at < ids.length; at += size) {
    const part = ids.slice(at, at + size);
    const read = await call(target, [["Email/get", { ids: part, properties }, "0"]]);
    const isTooMany = responseTo(read, "0")?.args["type"] === "requestTooLarge";
    if (isTooMany && size > 1) return readAll(target, ids, properties, Math.ceil(size / 4));
    reads.push(read);
  }
  return reads;
}

async function furtherPages(
  target: Target,
  query: JsonObject,
  first: Exchange,
  most: number,
): Promise<Exchange[]> {
  const enforced = responseTo(first, "0")?.args["limit"];
  const pages: Exchange[] = [];
  const atOnce = typeof enforced === "number" ? Math.min(enforced, limit) : limit;
  if (atOnce >= most) return pages;
  let position = idsIn(first).length;
  for (let last = first; idsIn(last).length > 0 && position < most; position += idsIn(last).length) {
    last = await call(target, [
      ["Email/query", { ...query, position, limit: Math.min(limit, most - position) }, "0"],
    ]);
    pages.push(last);
  }
  return pages;
}

function idsIn(query: Exchange): string[] {
  return strings(responseTo(query, "0")?.args["ids"]);
}

/** The messages in the order in which the query found them. */
function messagesIn({ query, further, reads }: QueriedMessages): JsonObject[] {
  const list = reads.flatMap((read) => jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]));
  const ids = [query, ...further].flatMap((page) => strings(expectResult(page, "0", "Email/query")["ids"]));
  // A message that came meanwhile moves others to the next page, where they are found again.
  const found = new Map(list.map((message) => [message["id"], message]));
  return [...new Set(ids)].map((id) => found.get(id)).filter((message) => message !== undefined);
}

const limited = check({
  id: "JMAP-05/limit",
  claim: "`Email/query` with `limit` 2 in a mailbox of at least three messages finds one or two.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    return call(target, [["Email/query", { filter: { inMailbox: mailboxId }, limit: 2 }, "0"]]);
  },
  assert(exchange) {
    const { ids } = expectResult(exchange, "0", "Email/query");
    expectThat([1, 2].includes(strings(ids).length), "one or two ids", shown(ids), exchange);
  },
});

const limitedToNone = check({
  id: "JMAP-05/limit-zero",
  claim: "`Email/query` with `limit` 0 in a mailbox of at least three messages finds none.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    return call(target, [["Email/query", { filter: { inMailbox: mailboxId }, limit: 0 }, "0"]]);
  },
  assert(exchange) {
    const { ids } = expectResult(exchange, "0", "Email/query");
    explained("JMAP-05/limit", () =>
      expectThat(strings(ids).length === 0, "no ids", `${strings(ids).length} ids`, exchange),
    );
  },
});

const limitedInMailbox = check({
  id: "JMAP-05/limit-in-mailbox",
  claim:
    "`Email/query` with `limit` 1 in a mailbox finds one message, though the newest message is in another mailbox.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    await draftElsewhere(target);
    const sort = [{ property: "receivedAt", isAscending: false }];
    return call(target, [["Email/query", { filter: { inMailbox: mailboxId }, sort, limit: 1 }, "0"]]);
  },
  assert(exchange) {
    const { length } = strings(expectResult(exchange, "0", "Email/query")["ids"]);
    explained(length > 1 ? "JMAP-05/limit" : undefined, () =>
      expectThat(length === 1, "one id", `${length} ids`, exchange),
    );
  },
});

const inMailbox = check({
  id: "JMAP-05/in-mailbox",
  claim: "Every message that `Email/query` finds with `inMailbox` is in that mailbox.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    await draftElsewhere(target);
    // Newest first, so that the draft elsewhere would be among what is found.
    const sort = [{ property: "receivedAt", isAscending: false }];
    const query = { filter: { inMailbox: mailboxId }, sort };
    return { mailboxId, found: await queryAndRead(target, query, ["mailboxIds"]) };
  },
  assert({ mailboxId, found }) {
    const messages = messagesIn(found);
    expectThat(messages.length >= 3, "three messages at least", `${messages.length} messages`, found.query);
    for (const { mailboxIds } of messages) {
      const isIn = isJsonObject(mailboxIds) && mailboxIds[mailboxId] === true;
      expectThat(isIn, `mailboxIds with ${mailboxId}`, shown(mailboxIds), found.reads[0]);
    }
  },
});

function timesIn(messages: readonly JsonObject[]): number[] {
  return messages.map(({ receivedAt }) => Date.parse(String(receivedAt)));
}

function areOfOneMoment({ query, further, reads }: QueriedMessages): boolean {
  const ids = new Set([query, ...further].flatMap(idsIn));
  const messages = reads.flatMap((read) => jsonObjectsIn(responseTo(read, "0")?.args["list"]));
  return new Set(timesIn(messages.filter(({ id }) => ids.has(String(id))))).size < 2;
}

// Of what one check makes at once there are fewer.
const mostOfOneMoment = 500;

function isSorted(times: readonly number[], direction: 1 | -1): boolean {
  return times.every((time, at) => (time - (times[at - 1] ?? time)) * direction >= 0);
}

const orders = [
  {
    id: "JMAP-05/sort",
    comparator: { isAscending: true },
    words: "with `isAscending` true finds messages oldest first",
    direction: 1,
  },
  {
    id: "JMAP-05/sort-descending",
    comparator: { isAscending: false },
    words: "with `isAscending` false finds messages newest first",
    direction: -1,
  },
  {
    id: "JMAP-05/sort-default",
    comparator: {},
    words: "without `isAscending` finds messages oldest first",
    direction: 1,
    explainedBy: "JMAP-05/sort",
  },
] as const;

const sorted = orders.map(({ id, comparator, words, direction, ...more }) =>
  check({
    id,
    claim: `\`Email/query\` sorted by \`receivedAt\` ${words}.`,
    needs: ["human"],
    async act(target) {
      const { mailboxId } = await threeDrafts(target);
      const sort = [{ property: "receivedAt", ...comparator }];
      const query = { filter: { inMailbox: mailboxId }, sort };
      const found = await queryAndRead(target, query, ["receivedAt"]);
      if (!areOfOneMoment(found)) return found;
      // Other checks may have made as many in one second, which a UTCDate may be whole of (RFC 8620 §1.4).
      await laterDraft(target);
      return queryAndRead(target, query, ["receivedAt"], mostOfOneMoment);
    },
    assert(found) {
      const times = timesIn(messagesIn(found));
      if (areOfOneMoment(found)) {
        throw new InconclusiveError(
          "precondition-missing",
          "needs messages of more than one receivedAt in the inbox",
          { exchange: found.reads[0] },
        );
      }
      const expected = direction === 1 ? "rising receivedAt" : "falling receivedAt";
      explained("explainedBy" in more ? more.explainedBy : undefined, () =>
        expectThat(isSorted(times, direction), expected, shown(times), found.query),
      );
    },
  }),
);

export const emailQueryChecks = [limited, limitedToNone, limitedInMailbox, inMailbox, ...sorted];
