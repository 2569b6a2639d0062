import { inboxesOf } from "../../material/inboxes.ts";
import type { WhichHuman } from "../../actors/human.ts";
import { accountHeader, bearer, jmapRequest, jsonContentType } from "../../actors/jmap.ts";
import type { Target } from "../../target/target.ts";
import { InconclusiveError } from "../../verdict.ts";
import { type InboxAccess, type InboxMark, markInbox } from "./inbox-mark.ts";
import type { ReadInbox } from "./inbox-reads.ts";
import { separateGrant } from "./separate-grants.ts";

// Two of one person share a token, which is where a cache would confuse them; more show nothing new.
const mostOfOnePerson = 2;

/**
 * The inboxes of two people, marked, for reads with an access token of each person.
 *
 * @throws {BlockedError} when the profile has not two humans
 * @throws {InconclusiveError} precondition-missing, when the target lists the same inbox for both
 */
export async function humanInboxes(target: Target): Promise<ReadInbox[]> {
  const [first, second] = [await inboxesOfPerson(target, "first"), await inboxesOfPerson(target, "second")];
  const mine = first.map(({ accountId }) => accountId);
  const others = second.filter(({ accountId }) => !mine.includes(accountId));
  if (others.length === 0) {
    throw new InconclusiveError(
      "precondition-missing",
      "needs an inbox of another person: the target lists the same ones for both humans",
    );
  }
  return [...first, ...others].map(({ access, mark }) => ({ access, mark }));
}

async function inboxesOfPerson(
  target: Target,
  human: WhichHuman,
): Promise<{ accountId: string; access: InboxAccess; mark: InboxMark }[]> {
  const entries = (await inboxesOf(target, human)).slice(0, mostOfOnePerson);
  // Fresh: it lives for 900 s, longer than any load profile takes.
  const { tokens } = await separateGrant(target, human);
  const inboxes = [];
  for (const { accountId } of entries) {
    const headers = [bearer(tokens.access_token), accountHeader(target, accountId), jsonContentType];
    const access: InboxAccess = { account: {}, jmap: (body) => jmapRequest(target, { headers, body }) };
    const mark = await target.once(`load:mark:${accountId}`, (recording) => markInbox(recording, access));
    inboxes.push({ accountId, access, mark });
  }
  return inboxes;
}
