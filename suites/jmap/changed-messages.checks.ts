import { createdId, responseTo } from "../support/actors/jmap.ts";
import { type Check, recommend } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { call, draft, draftInbox, requireResult, strings } from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

/** A draft that a query of its mailbox has found. */
interface Found {
  readonly id: string;
  readonly mailboxId: string;
}

const pollMs = 250;
const pollsAtMost = 20;

const pageSize = 50;
const mostMessages = 500;

/** The page of the mailbox that has the message, newest first, or the last page: other checks put messages there too. */
async function queried(target: Target, { id, mailboxId }: Found): Promise<Exchange> {
  const sort = [{ property: "receivedAt", isAscending: false }];
  const args = { filter: { inMailbox: mailboxId }, sort, limit: pageSize };
  const page = (position: JsonObject): Promise<Exchange> =>
    call(target, [["Email/query", { ...args, ...position }, "0"]]);
  let last = await page({});
  // A target may find fewer at once (RFC 8620 §5.5), and need not know `position`, which the document does not show.
  for (let position = idsIn(last).length; position < mostMessages && !hasId(last, id);) {
    const next = await page({ position });
    const found = idsIn(next).length;
    if (found === 0) break;
    last = next;
    position += found;
  }
  return last;
}

/** Asks until the mailbox has the message, or has it no longer: an index may lag behind. @returns the last answer */
async function queryUntil(target: Target, found: Found, isFound: boolean): Promise<Exchange> {
  let exchange = await queried(target, found);
  for (let poll = 1; poll < pollsAtMost && hasId(exchange, found.id) !== isFound; poll += 1) {
    await target.pause(pollMs);
    exchange = await queried(target, found);
  }
  return exchange;
}

function idsIn(exchange: Exchange): readonly string[] {
  return strings(responseTo(exchange, "0")?.args["ids"]);
}

function hasId(exchange: Exchange, id: string): boolean {
  return idsIn(exchange).includes(id);
}

/** @throws {InconclusiveError} control-refused, when it is not created, or never found */
async function foundDraft(target: Target): Promise<Found> {
  const inbox = await draftInbox(target);
  const { mailboxId } = inbox;
  const made = await call(target, [["Email/set", { create: { d1: draft(inbox, newSubject()) } }, "0"]]);
  const id = createdId(made, "0", "d1");
  if (id === undefined) throw controlRefused("creating a draft", "its id in created", made, "JMAP-07");
  const found = await queryUntil(target, { id, mailboxId }, true);
  if (!hasId(found, id)) throw controlRefused("finding a new draft", "its id", found, "JMAP-05/in-mailbox");
  return { id, mailboxId };
}

interface Change {
  readonly slug: string;
  /** Reads after "A message that". */
  readonly words: string;
  /** Arguments of the `Email/set`; undefined where the inbox has nowhere to move it to. */
  readonly args: (found: Found, elsewhere: string | undefined) => JsonObject | undefined;
}

const changes: readonly Change[] = [
  {
    slug: "destroyed",
    words: "was destroyed",
    args: ({ id }) => ({ destroy: [id] }),
  },
  {
    slug: "moved",
    words: "was moved to another mailbox",
    args: ({ id }, elsewhere) =>
      elsewhere === undefined ? undefined : { update: { [id]: { mailboxIds: { [elsewhere]: true } } } },
  },
];

/** The document's methods do not change a message, so that a target may refuse to. */
function isChanged(exchange: Exchange, id: string): boolean {
  const { destroyed, updated } = responseTo(exchange, "0")?.args ?? {};
  return strings(destroyed).includes(id) || (isJsonObject(updated) && id in updated);
}

/** Ways of `Email/set` to give a message a keyword beside those that it has. RFC 8620 §5.3. */
const keywordUpdates = [
  {
    slug: "updated",
    words: "A keyword that `Email/set` says it has given to a message is shown by `Email/get`",
    update: { keywords: { $draft: true, $flagged: true } },
    // It may have had others of the target's own, which this takes away.
    kept: () => [],
  },
  {
    slug: "patched",
    words: "A patch of `Email/set` that gives a message one more keyword leaves those that it had",
    update: { "keywords/$flagged": true },
    kept: keywordsIn,
  },
];

const reads = keywordUpdates.map(({ slug, words, update, kept }) =>
  recommend({
    id: `B-JMAP-23/${slug}`,
    claim: `${words}, also when the message was read just before.`,
    needs: ["human"],
    async act(target) {
      const { id } = await foundDraft(target.setup);
      // What a cache keeps must not outlive the change.
      const before = await keywordsOf(target.setup, id);
      const changed = await call(target.setup, [["Email/set", { update: { [id]: update } }, "0"]]);
      if (!isChanged(changed, id))
        throw new NotApplicableError("the target does not support this change of a message");
      return { expected: [...kept(before), "$flagged"], exchange: await keywordsOnce(target, id, true) };
    },
    assert({ expected, exchange }) {
      requireResult(exchange, "0", "Email/get");
      const found = keywordsIn(exchange);
      expectThat(
        expected.every((keyword) => found.includes(keyword)),
        `the keywords ${expected.join(" and ")}`,
        shown(found),
        exchange,
      );
    },
  }),
);

const keywordTaken = recommend({
  id: "B-JMAP-23/keyword-taken",
  claim:
    "A patch of `Email/set` that removes a keyword from a message leaves its other keywords, as `Email/get` shows.",
  needs: ["human"],
  async act(target) {
    const { id } = await foundDraft(target.setup);
    const patched = (value: true | null): Promise<Exchange> =>
      call(target.setup, [["Email/set", { update: { [id]: { "keywords/$flagged": value } } }, "0"]]);
    const given = await patched(true);
    const before = keywordsIn(await keywordsOnce(target.setup, id, true));
    const taken = await patched(null);
    if (!isChanged(given, id) || !isChanged(taken, id) || !before.includes("$flagged"))
      throw new NotApplicableError("the target does not support this change of a message");
    const others = before.filter((keyword) => keyword !== "$flagged");
    return { others, exchange: await keywordsOnce(target, id, false) };
  },
  assert({ others, exchange }) {
    requireResult(exchange, "0", "Email/get");
    const found = keywordsIn(exchange);
    // A target may add some of its own.
    const isTaken = !found.includes("$flagged") && others.every((keyword) => found.includes(keyword));
    expectThat(isTaken, `${shown(others)} without $flagged`, shown(found), exchange);
  },
});

function keywordsOf(target: Target, id: string): Promise<Exchange> {
  return call(target, [["Email/get", { ids: [id], properties: ["keywords"] }, "0"]]);
}

/** Reads the keywords until `$flagged` is among them or is not, as is expected. @returns the last answer */
async function keywordsOnce(target: Target, id: string, isFlagged: boolean): Promise<Exchange> {
  let exchange = await keywordsOf(target, id);
  for (
    let poll = 1;
    poll < pollsAtMost && keywordsIn(exchange).includes("$flagged") !== isFlagged;
    poll += 1
  ) {
    await target.pause(pollMs);
    exchange = await keywordsOf(target, id);
  }
  return exchange;
}

function keywordsIn(exchange: Exchange): readonly string[] {
  const [{ keywords } = {}] = jsonObjectsIn(responseTo(exchange, "0")?.args["list"]);
  return isJsonObject(keywords) ? Object.keys(keywords).filter((name) => keywords[name] === true) : [];
}

const queries = changes.map(({ slug, words, args }) =>
  recommend({
    id: `B-JMAP-22/${slug}`,
    claim: `A message that ${words} is no longer found by \`Email/query\` in the mailbox where it was.`,
    needs: ["human"],
    async act(target) {
      const found = await foundDraft(target.setup);
      const inbox = await call(target.setup, [["Mailbox/query", { filter: { role: "inbox" } }, "0"]]);
      const elsewhere = strings(responseTo(inbox, "0")?.args["ids"]).find((id) => id !== found.mailboxId);
      const change = args(found, elsewhere);
      if (change === undefined) throw new NotApplicableError("drafts are created in the inbox");
      const changed = await call(target.setup, [["Email/set", change, "0"]]);
      if (!isChanged(changed, found.id)) throw new NotApplicableError("the target changes no message");
      return { found, exchange: await queryUntil(target, found, false) };
    },
    assert({ found, exchange }) {
      requireResult(exchange, "0", "Email/query");
      expectThat(!hasId(exchange, found.id), "the message not to be found", "its id", exchange);
    },
  }),
);

/** What changes in a message changes what is found and read. RFC 8620 §5.3, §5.5; RFC 8621 §4.4.1. */
export const changedMessageChecks: readonly Check[] = [...queries, ...reads, keywordTaken];
