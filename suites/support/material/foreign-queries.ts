import { jmapBody, type MethodCall, methodResponses } from "../actors/jmap.ts";
import { type Exchange, isJsonObject, type JsonObject } from "../wire/exchange.ts";
import { hasMessage, newMessage, senderOf, type Writable } from "./writing-methods.ts";
import { newSubject } from "./plain-text-draft.ts";

/** What came of one query in the own inbox. */
export interface Queried {
  readonly filter: JsonObject;
  readonly exchange: Exchange;
  /** It found a message of the other inbox. */
  readonly isForeign: boolean;
}

// Fewer than any target takes in one request.
const callsAtOnce = 3;

const hourMs = 3_600_000;

/** Filters that a new message meets, none of them by its mailbox alone. */
function filtersFor(own: Writable, other: Writable, { subject, email }: { subject: string; email: string }) {
  const past = new Date(Date.now() - 24 * hourMs).toISOString().replace(/\.\d+/u, "");
  const future = new Date(Date.now() + 24 * hourMs).toISOString().replace(/\.\d+/u, "");
  const inOther = { inMailbox: other.mailboxId };
  const filters: readonly JsonObject[] = [
    {},
    { hasKeyword: "$draft" },
    { notKeyword: "mailproof-none" },
    { subject },
    { text: subject },
    { body: subject },
    { from: email },
    { to: email },
    { after: past },
    { before: future },
    { minSize: 1 },
    { inMailboxOtherThan: [own.mailboxId] },
    { operator: "OR", conditions: [inOther, { subject }] },
    { operator: "AND", conditions: [inOther, { hasKeyword: "$draft" }] },
    { operator: "NOT", conditions: [{ inMailbox: own.mailboxId }] },
  ];
  return filters;
}

/**
 * Queries the own inbox for a new message of another one, by whatever it has. Accounts may count their messages alike: then
 * an id tells nothing, and nothing is judged.
 *
 * @throws {InconclusiveError} control-refused, when the message cannot be created
 */
export async function queriedElsewhere(own: Writable, other: Writable): Promise<readonly Queried[]> {
  const email = (await senderOf(other))?.email ?? "nobody@mail.test";
  const subject = newSubject();
  const { id } = await newMessage(other, { from: [{ email }], to: [{ email }] }, subject);
  if (await hasMessage(own, id)) return [];
  const filters = filtersFor(own, other, { subject, email });
  const sort = [{ property: "receivedAt", isAscending: false }];
  const queried: Queried[] = [];
  for (let at = 0; at < filters.length; at += callsAtOnce) {
    const some = filters.slice(at, at + callsAtOnce);
    const calls = some.map((filter, index): MethodCall => [
      "Email/query",
      { accountId: own.account, filter, sort, limit: 50 },
      String(index),
    ]);
    const exchange = await own.ask(jmapBody(calls));
    const found = some.map((filter, index) => ({
      filter,
      exchange,
      isForeign: idsIn(exchange, String(index)).includes(id),
    }));
    queried.push(...found);
  }
  // Meanwhile the own inbox may have a new message of that id.
  const isOwn = queried.some(({ isForeign }) => isForeign) && (await hasMessage(own, id));
  return isOwn ? [] : queried;
}

function idsIn(exchange: Exchange, callId: string): readonly unknown[] {
  const responses = methodResponses(exchange) ?? [];
  const args = responses.find(([name, , id]) => name === "Email/query" && id === callId)?.[1];
  const ids = isJsonObject(args) ? args["ids"] : undefined;
  return Array.isArray(ids) ? ids : [];
}
