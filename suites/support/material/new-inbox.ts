import { bearer, getAgents, type InboxEntry, inboxEntries } from "../actors/jmap.ts";
import { freshGrant, sharedAccessToken } from "./grants.ts";
import { isActive } from "./inboxes.ts";
import type { Target } from "../target/target.ts";
import type { Exchange } from "../wire/exchange.ts";
import { accountIdsIn, requireListed } from "./inbox-lists.ts";

export const pollMs = 250;
/** How long an inbox may take to be listed. */
export const longestMs = 5000;

/** The list for a token, as soon as it has everything that is expected of it, or when the time is up. */
export async function listOnce(
  target: Target,
  token: string,
  isComplete: (ids: readonly string[]) => boolean,
): Promise<Exchange> {
  const startedAt = performance.now();
  for (;;) {
    const list = await getAgents(target, [bearer(token)]);
    requireListed(list, "the inbox list");
    if (isComplete(accountIdsIn(list)) || performance.now() - startedAt > longestMs) return list;
    await target.pause(pollMs);
  }
}

export interface NewInbox {
  readonly had: readonly string[];
  /** For the older token, before the consent. */
  readonly before: Exchange;
  readonly isComplete: (ids: readonly string[]) => boolean;
  readonly older: string;
  /** Access token of the consent at which it was made. */
  readonly newer: string;
  /** For the new token and for an older one. */
  readonly lists: readonly [Exchange, Exchange];
}

/** A consent at which the person creates an inbox: once for all checks of a run. */
export function newInbox(target: Target): Promise<NewInbox> {
  return target.once("agents:new-inbox", async (recording) => {
    const older = await sharedAccessToken(recording);
    const before = await getAgents(recording.control, [bearer(older)]);
    requireListed(before, "the inbox list before a consent");
    const had = accountIdsIn(before);
    const { tokens } = await freshGrant(recording, { decision: "approve with a new inbox" });
    const isComplete = (ids: readonly string[]): boolean =>
      had.every((id) => ids.includes(id)) && ids.length > had.length;
    return {
      had,
      before,
      isComplete,
      older,
      newer: tokens.access_token,
      lists: [
        await listOnce(recording, tokens.access_token, isComplete),
        await listOnce(recording, older, isComplete),
      ],
    };
  });
}

/** The inbox that was created, where a list shows it as active. */
export function createdInbox(list: Exchange, had: readonly string[]): InboxEntry | undefined {
  return inboxEntries(list).find((entry) => isActive(entry) && !had.includes(entry.accountId));
}
