import { type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { queriedElsewhere } from "../support/material/foreign-queries.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, type JsonObject, showsText } from "../support/wire/exchange.ts";
import { writable } from "./every-write.checks.ts";
import { hasSubject, type MarkedInbox, markedInbox, newestOf } from "./marked-inboxes.ts";
import { ask, parties, requireAnswered } from "./two-inboxes.ts";
import { newSubject, plainTextDraft } from "../support/material/plain-text-draft.ts";

const pollMs = 250;
const pollsAtMost = 20;

function idsFound(exchange: Exchange): readonly unknown[] {
  const ids = responseTo(exchange, "0")?.args["ids"];
  return Array.isArray(ids) ? ids : [];
}

/**
 * Those of these ids that no message of an inbox has.
 *
 * @throws {InconclusiveError} control-refused, when the inbox is not read
 * @throws {NotApplicableError} when there is none: ids are unique within an account alone (RFC 8620 §1.2)
 */
async function foreignIds(
  target: Target,
  own: MarkedInbox,
  ids: readonly unknown[],
): Promise<readonly unknown[]> {
  const same = await ask(target.setup, own, [["Email/get", { ids, properties: ["id"] }, "0"]]);
  // maxObjectsInGet is the target's own choice (RFC 8620 §2).
  if (responseTo(same, "0")?.args["type"] === "requestTooLarge" && ids.length > 1)
    return foreignIds(target, own, ids.slice(0, Math.ceil(ids.length / 2)));
  const read = responseTo(same, "0");
  if (read?.name !== "Email/get")
    throw controlRefused("reading messages by their ids", "200 with Email/get", same, "JMAP-06");
  const missing = read.args["notFound"];
  const foreign = ids.filter((id) => Array.isArray(missing) && missing.includes(id));
  if (foreign.length > 0) return foreign;
  // Where the other inbox's messages are shown by their ids, HDR-17/email-id says so.
  throw new NotApplicableError(
    "messages of the other inbox have the same ids as messages of the selected one",
  );
}

/**
 * What a query finds under the header of the inbox that it is about; an index may lag behind.
 *
 * @throws {InconclusiveError} control-refused, when it finds nothing
 */
async function foundByOwner(
  target: Target,
  inbox: MarkedInbox,
  calls: readonly MethodCall[],
): Promise<readonly unknown[]> {
  for (let poll = 0; ; poll += 1) {
    const exchange = await ask(target.control, inbox, calls);
    const ids = idsFound(exchange);
    if (ids.length > 0) return ids;
    if (poll >= pollsAtMost)
      throw controlRefused(
        "the same query under the inbox's own header",
        "its messages",
        exchange,
        "JMAP-05",
      );
    await target.pause(pollMs);
  }
}

const query = check({
  id: "HDR-17/mailbox-id",
  claim:
    "Under the header of one inbox, `Email/query` with the id of another owned inbox's mailbox finds none of its messages.",
  needs: ["human"],
  async act(target) {
    const { own, other } = await parties(target);
    const calls: MethodCall[] = [["Email/query", { filter: { inMailbox: other.mailboxId }, limit: 50 }, "0"]];
    // A few, within any target's limits.
    const owners = (await foundByOwner(target, other, calls)).slice(0, 5);
    // Accounts may count their messages alike: such an id would show nothing.
    const before = await foreignIds(target, own, owners);
    const exchange = await ask(target, own, calls);
    return { exchange, others: await foreignIds(target, own, before) };
  },
  assert({ exchange, others }) {
    requireAnswered(exchange);
    const found = idsFound(exchange).filter((id) => others.includes(id));
    expectThat(found.length === 0, "no message of the other inbox", `its messages ${shown(found)}`, exchange);
  },
});

const everyQuery = check({
  id: "HDR-17/every-query",
  claim:
    "Under the header of one inbox, `Email/query` finds a message of another owned inbox by no filter that the message meets.",
  needs: ["human"],
  async act(target) {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
    return queriedElsewhere(writable(target, own), writable(target.setup, other));
  },
  assert(queried) {
    for (const { filter, exchange, isForeign } of queried)
      explained("HDR-17/mailbox-id", () =>
        expectThat(!isForeign, "no message of the other inbox", `one by ${shown(filter)}`, exchange),
      );
  },
});

const create = check({
  id: "HDR-17/create",
  claim:
    "Under the header of one inbox, `Email/set` with the id of another owned inbox's mailbox creates nothing there.",
  needs: ["human"],
  async act(target) {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
    const subject = newSubject();
    const create = { d1: plainTextDraft({ ...own, mailboxId: other.mailboxId, subject }) };
    const exchange = await ask(target, own, [["Email/set", { create }, "0"]]);
    return { exchange, subject, there: await newestOf(target, other) };
  },
  assert({ exchange, subject, there }) {
    requireAnswered(exchange);
    const isThere = hasSubject(there, subject);
    expectThat(!isThere, "no new message in the other inbox", "the message of Email/set", there.exchange);
  },
});

const keyword = "mailproof-foreign";

/** What `Email/set` may do to a message, and what its owner must still read afterwards. */
const changes = [
  {
    slug: "update",
    words: "changes nothing of it",
    args: (emailId: string): JsonObject => ({ update: { [emailId]: { [`keywords/${keyword}`]: true } } }),
    isUntouched: (read: Exchange, emailId: string) => showsText(read, emailId) && !showsText(read, keyword),
  },
  {
    slug: "destroy",
    words: "does not destroy it",
    args: (emailId: string): JsonObject => ({ destroy: [emailId] }),
    isUntouched: (read: Exchange, emailId: string) => {
      const notFound = responseTo(read, "0")?.args["notFound"];
      return !(Array.isArray(notFound) && notFound.includes(emailId));
    },
  },
].map(({ slug, words, args, isUntouched }) =>
  check({
    id: `HDR-17/${slug}`,
    claim: `Under the header of one inbox, \`Email/set\` with the id of another owned inbox's message ${words}.`,
    needs: ["human"],
    async act(target) {
      const { own, other, emailId } = await parties(target);
      const exchange = await ask(target, own, [["Email/set", args(emailId), "0"]]);
      const get: MethodCall = ["Email/get", { ids: [emailId], properties: ["id", "keywords"] }, "0"];
      const read = await ask(target, other, [get]);
      if (responseTo(read, "0")?.name !== "Email/get")
        throw controlRefused("reading a message under its own inbox", "200 with it", read, "JMAP-06");
      return { exchange, read, emailId };
    },
    assert({ exchange, read, emailId }) {
      requireAnswered(exchange);
      expectThat(isUntouched(read, emailId), "the message as it was", "a change of it", read);
    },
  }),
);

/** Ids of another inbox under the selected inbox's header. Document, "Authentication", OAuth 2.0 path 9. */
export const otherIdChecks = [query, everyQuery, create, ...changes];
