import {
  bearer,
  getAgents,
  type InboxEntry,
  inboxEntries,
  inboxQuery,
  jmapAs,
  methodResponses,
} from "../support/actors/jmap.ts";
import { callHook } from "../support/actors/operator.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";

// What shows whose an inbox is, while the operator changes that. A grant may keep to the inboxes of its consent (C-17).

/** Whether a JMAP request was served. */
export function isServed(exchange: Exchange): boolean {
  return methodResponses(exchange) !== undefined;
}

/** The entry of an inbox in an inbox list. */
export function entryIn(list: Exchange, accountId: string): InboxEntry | undefined {
  return inboxEntries(list).find((entry) => entry.accountId === accountId);
}

/** Whether the inbox list of a token has the inbox. */
export async function lists(target: Target, token: string, accountId: string): Promise<boolean> {
  return entryIn(await getAgents(target, [bearer(token)]), accountId) !== undefined;
}

/** Asks JMAP for the inbox until it is served, for as long as a revocation may take to reach everywhere. @returns the last answer */
export function pollUntilServed(target: Target, token: string, accountId: string): Promise<Exchange> {
  return pollUntil(target, () => jmapAs(target, token, accountId, inboxQuery), isServed);
}

/**
 * Links an inbox to a person by the operator's hook.
 *
 * @param what - reads after "the operator cannot"
 * @throws {NotApplicableError} when the hook does not do it
 */
export async function giveInbox(
  target: Target,
  { username, accountId }: { readonly username: string; readonly accountId: string },
  what: string,
): Promise<void> {
  try {
    await callHook(target, "link_inbox", { username, account_id: accountId });
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    throw new NotApplicableError(`the operator cannot ${what}: ${error.message}`);
  }
}
