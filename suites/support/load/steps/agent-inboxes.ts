import { followedSessionDocument, mailSession } from "../../actors/mail-session.ts";
import { agentAddress } from "../../material/agent-sender.ts";
import { freshCapability, sharedAgent, type WhichAgent } from "../../material/agents.ts";
import { type Exchange, isJsonObject, jsonMembers, summary } from "../../wire/exchange.ts";
import { expectEqual } from "../../judging/expect.ts";
import { originOf } from "../../wire/url.ts";
import { bearer, jmapRequest, jsonContentType } from "../../actors/jmap.ts";
import type { Target } from "../../target/target.ts";
import { BlockedError, InconclusiveError, Violation } from "../../verdict.ts";
import { type InboxAccess, markInbox } from "./inbox-mark.ts";
import type { ReadInbox } from "./inbox-reads.ts";
import { renewCapability } from "./renewed-capability.ts";

/** The marked inboxes of two agents, read with their capabilities. Empty when the profile blocks proofs of work. */
export async function agentInboxesIfAvailable(target: Target): Promise<ReadInbox[]> {
  const inboxes: ReadInbox[] = [];
  try {
    for (const which of ["first", "second"] as const) inboxes.push(await agentInbox(target, which));
  } catch (error) {
    for (const inbox of inboxes) inbox.close?.();
    // The inboxes of two humans are enough to test isolation.
    if (error instanceof BlockedError) return [];
    throw error;
  }
  return inboxes;
}

async function agentInbox(target: Target, which: WhichAgent): Promise<ReadInbox> {
  const renewed = await renewCapability(() => freshCapability(target, which));
  try {
    const capability = renewed.current() ?? "";
    const { url } = (await followedSessionDocument(target, [bearer(capability)])).request;
    const { apiUrl, accountId } = await mailSession(target, capability);
    if (originOf(apiUrl) !== originOf(target.apiUrl)) {
      throw new InconclusiveError(
        "precondition-missing",
        `the apiUrl of the session document is at ${originOf(apiUrl)}; load is sent only to the origin of api_url`,
      );
    }
    const access: InboxAccess = {
      account: { accountId },
      jmap(body) {
        const token = renewed.current();
        return token === undefined
          ? undefined
          : jmapRequest(target, { url: apiUrl, headers: [bearer(token), jsonContentType], body });
      },
      async ownAddress(asking) {
        const { inbox } = await sharedAgent(asking, which);
        return agentAddress(asking, { capability: renewed.current() ?? capability, inbox });
      },
    };
    const mark = await target.once(`load:mark:agent:${which}`, (recording) => markInbox(recording, access));
    return {
      access,
      mark,
      sessionDocument() {
        const token = renewed.current();
        return token === undefined
          ? undefined
          : {
              request: { method: "GET", url, headers: [bearer(token)] },
              judge: (exchange) => expectOwnSessionDocument(exchange, accountId),
            };
      },
      close: renewed.close,
    };
  } catch (error) {
    renewed.close();
    throw error;
  }
}

/** Expects 200 with a JMAP session document that has this primary mail account. */
export function expectOwnSessionDocument(exchange: Exchange, accountId: string): void {
  const { primaryAccounts } = jsonMembers(exchange);
  if (exchange.response.status !== 200 || !isJsonObject(primaryAccounts))
    throw new Violation("200 with a JMAP session document", summary(exchange));
  expectEqual(
    primaryAccounts["urn:ietf:params:jmap:mail"],
    accountId,
    "the primary mail account of the session document",
  );
}
