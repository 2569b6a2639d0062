import { mailSession } from "../support/actors/mail-session.ts";
import { freshCapability } from "../support/material/agents.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { mailboxOf } from "./mailbox.ts";

export const agents = ["first", "second"] as const;

/**
 * The accountId of each agent's own inbox, of capabilities minted well apart from each other.
 *
 * @throws {InconclusiveError} precondition-missing, when they are the same: nothing then tells whose inbox is open
 */
export async function ownAccounts(target: Target): Promise<readonly string[]> {
  const shared = await Promise.all(
    agents.map(async (which) => (await mailboxOf(target.control, which)).accountId),
  );
  if (new Set(shared).size === agents.length) return shared;
  const apart: string[] = [];
  for (const which of agents) {
    await target.pause(apartMs);
    const { accountId } = await mailSession(target.control, await freshCapability(target.control, which));
    apart.push(accountId);
  }
  if (new Set(apart).size === agents.length) return apart;
  throw new InconclusiveError(
    "precondition-missing",
    "the inboxes of two agents have the same accountId, so that nothing tells which one a capability opens",
  );
}

// Longer than a second, by which a target may keep what it has minted.
const apartMs = 1100;
