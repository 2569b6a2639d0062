import { addressOf, inboxesOf } from "../../material/inboxes.ts";
import type { WhichHuman } from "../../actors/human.ts";
import { accountHeader, bearer, jmapRequest, jsonContentType } from "../../actors/jmap.ts";
import type { Target } from "../../target/target.ts";
import { InconclusiveError } from "../../verdict.ts";
import { type InboxAccess, type InboxMark, markInbox } from "./inbox-mark.ts";
import type { ReadInbox } from "./inbox-reads.ts";
import { separateGrant } from "./separate-grants.ts";

// Two inboxes of one person share an access token, which a faulty cache key would mix up.
const maxInboxesPerPerson = 2;

/**
 * The marked inboxes of two humans, read with an access token of each.
 *
 * @throws {BlockedError} when the profile does not have two humans
 * @throws {InconclusiveError} precondition-missing, when the target lists the same inbox for both
 */
export async function humanInboxes(target: Target): Promise<ReadInbox[]> {
  const [first, second] = [await inboxesOfPerson(target, "first"), await inboxesOfPerson(target, "second")];
  const firstIds = first.map(({ accountId }) => accountId);
  const others = second.filter(({ accountId }) => !firstIds.includes(accountId));
  if (others.length === 0) {
    throw new InconclusiveError(
      "precondition-missing",
      "needs inboxes of different people, but the target lists the same ones for both humans",
    );
  }
  return [...first, ...others].map(({ access, mark }) => ({ access, mark }));
}

async function inboxesOfPerson(
  target: Target,
  human: WhichHuman,
): Promise<{ accountId: string; access: InboxAccess; mark: InboxMark }[]> {
  const entries = (await inboxesOf(target, human)).slice(0, maxInboxesPerPerson);
  // A fresh token lives for 900 s, longer than any load profile.
  const { tokens } = await separateGrant(target, human);
  const inboxes = [];
  for (const { accountId } of entries) {
    const headers = [bearer(tokens.access_token), accountHeader(target, accountId), jsonContentType];
    const access: InboxAccess = {
      account: {},
      jmap: (body) => jmapRequest(target, { headers, body }),
      ownAddress: (asking) => addressOf(asking, accountId, human),
    };
    const mark = await target.once(`load:mark:${accountId}`, (recording) => markInbox(recording, access));
    inboxes.push({ accountId, access, mark });
  }
  return inboxes;
}
