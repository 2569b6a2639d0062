import { signUp } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";
import { type OpenedInbox, openedInbox } from "./opened-inboxes.ts";

/** An agent whose username is known; its signup, and the inbox that it opens, are the control of those that repeat the name. */
export interface NamedAgent {
  readonly username: string;
  readonly apiKey: string;
  readonly inbox: OpenedInbox;
  readonly signup: Exchange;
}

/**
 * Signs up an agent: once for all checks of a run, which ask for `pow:named-agent`.
 *
 * @throws {InconclusiveError} control-refused, when the signup is refused or opens no inbox
 */
export async function namedAgent(target: Target): Promise<NamedAgent> {
  const { username, exchange } = await signUp(target.control);
  const { apiKey } = jsonMembers(exchange);
  const inbox = await openedInbox(target.control, exchange);
  if (typeof apiKey === "string" && inbox !== undefined) return { username, apiKey, inbox, signup: exchange };
  throw controlRefused("signing up an agent", "2xx with apiKey", exchange, "POW-08");
}
