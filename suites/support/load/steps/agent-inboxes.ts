import { followedSessionDocument, mailSession } from "../../actors/mail-session.ts";
import { freshCapability, type WhichAgent } from "../../material/agents.ts";
import { type Exchange, isJsonObject, jsonMembers, summary } from "../../wire/exchange.ts";
import { expectEqual } from "../../judging/expect.ts";
import { originOf } from "../../wire/url.ts";
import { bearer, jmapRequest, jsonContentType } from "../../actors/jmap.ts";
import type { Target } from "../../target/target.ts";
import { BlockedError, InconclusiveError, Violation } from "../../verdict.ts";
import { type InboxAccess, markInbox } from "./inbox-mark.ts";
import type { ReadInbox } from "./inbox-reads.ts";
import { keepCapability } from "./kept-capability.ts";

/** The inboxes of two agents, marked, for reads with their capabilities; none when the profile cannot pay for proofs of work. */
export async function agentInboxesIfAffordable(target: Target): Promise<ReadInbox[]> {
  const inboxes: ReadInbox[] = [];
  try {
    for (const which of ["first", "second"] as const) inboxes.push(await agentInbox(target, which));
  } catch (error) {
    for (const inbox of inboxes) inbox.close?.();
    // Two humans' inboxes are told apart without agents as well.
    if (error instanceof BlockedError) return [];
    throw error;
  }
  return inboxes;
}

async function agentInbox(target: Target, which: WhichAgent): Promise<ReadInbox> {
  const kept = await keepCapability(() => freshCapability(target, which));
  try {
    const capability = kept.current() ?? "";
    const { url } = (await followedSessionDocument(target, [bearer(capability)])).request;
    const { apiUrl, accountId } = await mailSession(target, capability);
    if (originOf(apiUrl) !== originOf(target.apiUrl)) {
      throw new InconclusiveError(
        "precondition-missing",
        `the session document's apiUrl is at ${originOf(apiUrl)}; load goes to the origin of api_url alone`,
      );
    }
    const access: InboxAccess = {
      account: { accountId },
      jmap(body) {
        const token = kept.current();
        return token === undefined
          ? undefined
          : jmapRequest(target, { url: apiUrl, headers: [bearer(token), jsonContentType], body });
      },
    };
    const mark = await target.once(`load:mark:agent:${which}`, (recording) => markInbox(recording, access));
    return {
      access,
      mark,
      document() {
        const token = kept.current();
        return token === undefined
          ? undefined
          : {
              request: { method: "GET", url, headers: [bearer(token)] },
              judge: (exchange) => expectOwnDocument(exchange, accountId),
            };
      },
      close: kept.close,
    };
  } catch (error) {
    kept.close();
    throw error;
  }
}

/** 200 with a JMAP session document whose primary mail account is this one. */
export function expectOwnDocument(exchange: Exchange, accountId: string): void {
  const { primaryAccounts } = jsonMembers(exchange);
  if (exchange.response.status !== 200 || !isJsonObject(primaryAccounts))
    throw new Violation("200 with a JMAP session document", summary(exchange));
  expectEqual(
    primaryAccounts["urn:ietf:params:jmap:mail"],
    accountId,
    "the primary mail account of the session document",
  );
}
