import { postCapability, requireBearer } from "../support/actors/agent.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { agentAddress } from "../support/material/agent-sender.ts";
import { freshCapability } from "../support/material/agents.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";

/** The inbox that a session reaches. */
export interface OpenedInbox {
  /** The mail account, as JMAP names it to the agent. */
  readonly accountId: string;
  /** Undefined where nothing shows it. */
  readonly address: string | undefined;
}

/** @returns undefined when no session was opened */
export async function openedInbox(target: Target, opened: Exchange): Promise<OpenedInbox | undefined> {
  if (!isSuccess(opened)) return undefined;
  const session = requireBearer(opened, "opening a session", "POW-02/session");
  const minted = await postCapability(target, session);
  const capability = requireBearer(minted, "minting a capability", "POW-48");
  const { accountId } = await mailSession(target, capability);
  const { inbox } = jsonMembers(opened);
  const open = { capability, inbox: typeof inbox === "string" ? inbox : undefined };
  return { accountId, address: await agentAddress(target, open) };
}

/** A session document names accounts to one agent (RFC 8620 §2): a target may call the only one of each alike. */
function accountIdsTell(target: Target): Promise<boolean> {
  return target.setup.once("pow:account-ids-tell", async (recording) => {
    const [first, second] = await Promise.all(
      (["first", "second"] as const).map(async (which) =>
        mailSession(recording, await freshCapability(recording, which)),
      ),
    );
    return first?.accountId !== second?.accountId;
  });
}

/** @throws {InconclusiveError} precondition-missing, when neither account ids nor addresses tell inboxes apart */
export async function isSameInbox(target: Target, one: OpenedInbox, other: OpenedInbox): Promise<boolean> {
  if (one.accountId !== other.accountId) return false;
  if (await accountIdsTell(target)) return true;
  if (one.address !== undefined && other.address !== undefined) return one.address === other.address;
  throw new InconclusiveError(
    "precondition-missing",
    "the inboxes of two agents have the same accountId, and nothing shows their addresses",
  );
}
