import { jmapBody, type MethodCall, responseTo } from "../actors/jmap.ts";
import { expectThat, isSameJson, shown } from "./expect.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../verdict.ts";
import { type Exchange, type JsonObject, jsonObjectsIn, summary } from "../wire/exchange.ts";

/** A method with its arguments but `accountId`. */
interface Query {
  readonly name: string;
  readonly args: JsonObject;
}

/** One whose result does not change while other checks write messages. */
export interface SteadyRead extends Query {
  readonly slug: string;
}

export const steadyReads: readonly SteadyRead[] = [
  { slug: "mailbox-query", name: "Mailbox/query", args: {} },
  { slug: "mailbox-get", name: "Mailbox/get", args: { ids: null, properties: ["id"] } },
  { slug: "identity-get", name: "Identity/get", args: { ids: null, properties: ["id"] } },
];

const omittedId = "omitted";
const namedId = "named";

/** One call without `accountId` and the same with it, as the body of a JMAP request. */
export function omittedAndNamed({ name, args }: Query, accountId: string): string {
  const calls: readonly MethodCall[] = [
    [name, args, omittedId],
    [name, { ...args, accountId }, namedId],
  ];
  return jmapBody(calls);
}

/**
 * The ids that a method returned without `accountId`, and with it.
 *
 * @param exchange - the answer to {@link omittedAndNamed}
 * @throws {NotApplicableError} when the target does not carry the method out, or not without `accountId`
 * @throws {Violation} when it answers with neither a result nor an error of the method
 */
function idsOfBoth(
  exchange: Exchange,
  name: string,
): { readonly omitted: readonly string[]; readonly named: readonly string[] } {
  const [omitted, named] = [responseTo(exchange, omittedId), responseTo(exchange, namedId)];
  const { type } = named?.args ?? {};
  // The document shows few methods. That the target knows the account is known: it has named it.
  if (named?.name === "error" && type !== "accountNotFound")
    throw new NotApplicableError(`${name} is answered with ${shown(type)}`);
  // Whether these methods need an accountId is judged by JMAP-03/other-methods, and of Mailbox/query by JMAP-03/mailbox-query.
  if (named?.name === name && omitted?.name === "error")
    throw new NotApplicableError(`${name} without accountId is answered with ${shown(omitted.args["type"])}`);
  if (named?.name === name && omitted?.name === name)
    return { omitted: idsIn(omitted.args), named: idsIn(named.args) };
  throw new Violation(`200 with two ${name} responses`, summary(exchange), { exchange });
}

function idsIn({ ids, list }: JsonObject): readonly string[] {
  const queried: readonly unknown[] = Array.isArray(ids) ? ids : [];
  return [...queried, ...jsonObjectsIn(list).map(({ id }) => id)]
    .filter((id) => typeof id === "string")
    .toSorted();
}

/** That a method returns for the account it defaults to what it does for the account that is named. */
export function expectSameIds(exchange: Exchange, name: string): void {
  const { omitted, named } = idsOfBoth(exchange, name);
  expectThat(isSameJson(omitted, named), shown(named), shown(omitted), exchange);
}

/** The messages of one mailbox from a position on, the newest first. */
function newestOf(mailboxId: string, position: number): Query {
  const sort = [{ property: "receivedAt", isAscending: false }];
  const page = position === 0 ? { limit: 50 } : { position, limit: 50 };
  return { name: "Email/query", args: { filter: { inMailbox: mailboxId }, sort, ...page } };
}

/** How many messages a page shows whose length the target's own limit decides (RFC 8620 §5.5); else none. */
function shownOfLimited(exchange: Exchange): number {
  const { ids, limit } = responseTo(exchange, namedId)?.args ?? {};
  const found = Array.isArray(ids) ? ids.length : 0;
  return typeof limit === "number" && found >= limit ? found : 0;
}

const pollMs = 250;
const pollsAtMost = 20;

/**
 * Queries a mailbox with and without `accountId` until the query that names the account finds a message: it may lag behind
 * what was created.
 *
 * @param ask - sends the body for the inbox of that mailbox
 * @throws {InconclusiveError} precondition-missing, when it never does
 */
export async function queriedOnceFound(
  target: Target,
  ask: (body: string) => Promise<Exchange>,
  {
    accountId,
    mailboxId,
    emailId,
  }: { readonly accountId: string; readonly mailboxId: string; readonly emailId: string },
): Promise<Exchange> {
  let position = 0;
  for (let poll = 1; ; poll += 1) {
    const query = newestOf(mailboxId, position);
    const exchange = await ask(omittedAndNamed(query, accountId));
    if (idsOfBoth(exchange, query.name).named.includes(emailId)) return exchange;
    if (poll === pollsAtMost)
      throw new InconclusiveError("precondition-missing", "needs a query that finds a message just created", {
        exchange,
        explainedBy: "JMAP-05",
      });
    const shownOfPage = shownOfLimited(exchange);
    // Others may have been created in the same moment, so that it stands on the next page.
    position = shownOfPage === 0 ? 0 : position + shownOfPage;
    if (position === 0) await target.pause(pollMs);
  }
}

/** That the query without `accountId` found the message as the other did. */
export function expectFoundByBoth(exchange: Exchange, emailId: string): void {
  const { omitted } = idsOfBoth(exchange, "Email/query");
  expectThat(omitted.includes(emailId), `${emailId} among the ids`, shown(omitted), exchange);
}
