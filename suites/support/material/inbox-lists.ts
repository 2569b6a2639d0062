import { controlRefused } from "../wire/control-refused.ts";
import { type Exchange, jsonMembers } from "../wire/exchange.ts";
import { inboxEntries } from "../actors/jmap.ts";

/** Whether the answer is an inbox list. */
export function isListed(exchange: Exchange): boolean {
  return exchange.response.status === 200 && Array.isArray(jsonMembers(exchange)["agents"]);
}

/** The accountIds of an inbox list, sorted. */
export function accountIdsIn(exchange: Exchange): string[] {
  return inboxEntries(exchange)
    .map(({ accountId }) => accountId)
    .toSorted();
}

/** @throws {InconclusiveError} control-refused, when the answer is not an inbox list */
export function requireListed(exchange: Exchange, what: string): void {
  if (!isListed(exchange)) throw controlRefused(what, "200 with an agents array", exchange, "AGENTS-01");
}
