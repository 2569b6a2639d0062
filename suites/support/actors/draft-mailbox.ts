import type { Exchange, JsonObject } from "../wire/exchange.ts";
import { firstId, type MethodCall } from "./jmap.ts";

/** Finds the mailbox with the role inbox, as call `0`, and the one with the role drafts. */
export function mailboxCalls(more: JsonObject = {}): readonly MethodCall[] {
  return [
    ["Mailbox/query", { ...more, filter: { role: "inbox" } }, "0"],
    ["Mailbox/query", { ...more, filter: { role: "drafts" } }, "drafts"],
  ];
}

/**
 * Where drafts can be created: the mailbox with the role drafts, else the inbox. The document names no mailbox for them;
 * a target may take them nowhere else (`mayAddItems`, RFC 8621 §2), and need not have a mailbox of that role.
 *
 * @param exchange - the answer to {@link mailboxCalls}
 */
export function draftMailboxIn(exchange: Exchange): string | undefined {
  return firstId(exchange, "drafts") ?? firstId(exchange, "0");
}
