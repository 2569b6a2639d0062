import { createdId, createdIdIn, inboxQuery, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import {
  call,
  callBody,
  draft,
  draftInbox,
  expectResult,
  requireSeveral,
  strings,
  threeDrafts,
} from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

interface DraftInTwo {
  readonly id: string;
  readonly mailboxIds: readonly [string, string];
}

/** Made once a run. @throws {NotApplicableError} when the account has no two mailboxes that one draft can be in */
function draftInTwo(target: Target): Promise<DraftInTwo> {
  return target.setup.once("jmap:draft-in-two", async (recording) => {
    const place = await draftInbox(recording);
    const { mailboxId } = place;
    const inbox = await callBody(recording, inboxQuery);
    const all = await call(recording, [["Mailbox/query", {}, "0"]]);
    const ids = [inbox, all].flatMap((exchange) => strings(responseTo(exchange, "0")?.args["ids"]));
    const other = ids.find((id) => id !== mailboxId);
    if (other === undefined) throw new NotApplicableError("the account shows one mailbox");
    const message = draft(place, newSubject(), { mailboxIds: { [mailboxId]: true, [other]: true } });
    const made = await call(recording, [["Email/set", { create: { d1: message } }, "0"]]);
    const id = createdId(made, "0", "d1");
    // maxMailboxesPerEmail may be 1 (RFC 8621 §1.3.1).
    if (id === undefined) throw new NotApplicableError("the account takes no draft in two mailboxes");
    const read = await call(recording, [["Email/get", { ids: [id], properties: ["mailboxIds"] }, "0"]]);
    const shownIn = jsonObjectsIn(responseTo(read, "0")?.args["list"])[0]?.["mailboxIds"];
    const isInBoth = [mailboxId, other].every((each) => isJsonObject(shownIn) && shownIn[each] === true);
    if (!isInBoth)
      throw new NotApplicableError("the draft is not in two mailboxes: JMAP-07/mailboxes judges it");
    return { id, mailboxIds: [mailboxId, other] };
  });
}

const pollMs = 250;
const pollsAtMost = 20;
const most = 100;

/** Queries the newest messages until that one is among them, or the time is up: an index may lag (C-93). */
async function newestWith(target: Target, id: string, filter: JsonObject): Promise<Exchange> {
  const sort = [{ property: "receivedAt", isAscending: false }];
  const query: MethodCall = ["Email/query", { ...filter, sort, limit: most }, "0"];
  for (let poll = 0; ; poll += 1) {
    const exchange = await call(target, [query]);
    if (isFound(exchange, id) || poll >= pollsAtMost) return exchange;
    await target.pause(pollMs);
  }
}

function isFound(exchange: Exchange, id: string): boolean {
  return strings(responseTo(exchange, "0")?.args["ids"]).includes(id);
}

const byEachMailbox = check({
  id: "JMAP-05/each-mailbox",
  claim: "A draft that `Email/get` shows in two mailboxes is found by `inMailbox` of each of them.",
  needs: ["human"],
  async act(target) {
    const { id, mailboxIds } = await draftInTwo(target);
    const found: Exchange[] = [];
    for (const inMailbox of mailboxIds) found.push(await newestWith(target, id, { filter: { inMailbox } }));
    const [control] = found;
    if (control !== undefined && !found.some((exchange) => isFound(exchange, id)))
      throw controlRefused("finding a draft that was created", "its id", control, "JMAP-05/in-mailbox");
    return { id, found };
  },
  assert({ id, found }) {
    for (const exchange of found) {
      const { ids, limit } = explained("JMAP-05/in-mailbox", () =>
        expectResult(exchange, "0", "Email/query"),
      );
      // Messages that came meanwhile may fill a small page (RFC 8620 §5.5).
      const isCut = typeof limit === "number" ? strings(ids).length >= limit : strings(ids).length >= most;
      if (!isFound(exchange, id) && isCut)
        throw new NotApplicableError("the mailbox has more messages than the target finds at once");
      expectThat(isFound(exchange, id), `ids with ${id}`, `${strings(ids).length} others`, exchange);
    }
  },
});

const foundOnce = check({
  id: "JMAP-05/once",
  claim: "`Email/query` without a filter finds a draft that is in two mailboxes once.",
  needs: ["human"],
  async act(target) {
    const { id } = await draftInTwo(target);
    const exchange = await newestWith(target, id, {});
    // The document's queries have a filter.
    if (responseTo(exchange, "0")?.name !== "Email/query")
      throw new NotApplicableError("the target answers no query without a filter");
    if (!isFound(exchange, id)) throw new NotApplicableError("such a query does not find the draft");
    return { id, exchange };
  },
  assert({ id, exchange }) {
    const times = strings(responseTo(exchange, "0")?.args["ids"]).filter((found) => found === id).length;
    expectThat(times === 1, "its id once", `its id ${times} times`, exchange);
  },
});

// Each replaced by the next: an id of the same form, whichever the target has.
const alphabets = ["0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ"];

function otherId(id: string): string {
  return [...id]
    .map((letter) => {
      const alphabet = alphabets.find((letters) => letters.includes(letter));
      return alphabet === undefined ? letter : alphabet[(alphabet.indexOf(letter) + 1) % alphabet.length];
    })
    .join("");
}

const inUnknownMailbox = check({
  id: "JMAP-05/unknown-mailbox",
  claim:
    "`Email/query` with `inMailbox` of an unknown id finds no message that is not in a mailbox of that id.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    const search = (inMailbox: string): readonly MethodCall[] => [
      ["Email/query", { filter: { inMailbox }, limit: 1 }, "0"],
    ];
    const control = await call(target.control, search(mailboxId));
    if (strings(responseTo(control, "0")?.args["ids"]).length === 0)
      throw controlRefused("searching a mailbox of three messages", "an id", control, "JMAP-05/limit");
    const unknown = otherId(mailboxId);
    const exchange = await call(target, search(unknown));
    const { status } = exchange.response;
    if (status !== 200 && !isRefusalStatus(status))
      throw controlRefused("searching an unknown mailbox", "200 or a refusal", exchange);
    const ids = strings(responseTo(exchange, "0")?.args["ids"]).slice(0, 1);
    if (ids.length === 0) return { unknown, exchange };
    // A mailbox of that id may exist.
    const read = await call(target, [["Email/get", { ids, properties: ["mailboxIds"] }, "0"]]);
    return { unknown, exchange, read };
  },
  assert({ unknown, exchange, read }) {
    if (read === undefined) return;
    const list = jsonObjectsIn(responseTo(read, "0")?.args["list"]);
    for (const { mailboxIds } of list) {
      const isIn = isJsonObject(mailboxIds) && unknown in mailboxIds;
      expectThat(isIn, "no message, or an error", `a message of ${shown(mailboxIds)}`, exchange);
    }
  },
});

const filledToLimit = check({
  id: "JMAP-05/limit-filled",
  claim:
    "`Email/query` with `limit` 2 finds two of three messages or more, unless its response has a smaller `limit`.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    const search = (limit: number): readonly MethodCall[] => [
      ["Email/query", { filter: { inMailbox: mailboxId }, limit }, "0"],
    ];
    const control = await call(target.control, search(10));
    if (strings(responseTo(control, "0")?.args["ids"]).length < 3)
      throw new NotApplicableError("the target finds fewer than three at once");
    return call(target, search(2));
  },
  assert(exchange) {
    const { ids, limit } = explained("JMAP-05/limit", () => expectResult(exchange, "0", "Email/query"));
    // RFC 8620 §5.5: a limit of the server's own is told.
    const expected = typeof limit === "number" ? Math.min(limit, 2) : 2;
    const { length } = strings(ids);
    // The document has a limit that is not passed; that it is reached is the RFC's.
    return length < expected ? warning(`${length} of three, with a limit of 2: RFC 8620 §5.5`) : undefined;
  },
});

const marks = ["amber", "birch", "cedar", "delta", "ember", "fjord"].map((word) => `mailproof-${word}`);

const ownPreview = check({
  id: "JMAP-06/own-preview",
  claim: "Of six drafts that one `Email/get` reads, none has a preview that shows the text of another one.",
  needs: ["human"],
  async act(target) {
    const inbox = await draftInbox(target);
    const create = Object.fromEntries(
      marks.map((mark) => [mark, draft(inbox, newSubject(), { bodyValues: { body: { value: mark } } })]),
    );
    const made = requireSeveral(await call(target.setup, [["Email/set", { create }, "0"]]));
    const args = responseTo(made, "0")?.args ?? {};
    const drafts = marks.map((mark) => ({ mark, id: createdIdIn(args, mark) }));
    if (drafts.some(({ id }) => id === undefined))
      throw controlRefused("creating six drafts", "200 with six in created", made, "JMAP-07");
    const ids = drafts.map(({ id }) => id ?? "");
    const exchange = await call(target, [["Email/get", { ids, properties: ["preview"] }, "0"]]);
    return { drafts, exchange: requireSeveral(exchange) };
  },
  assert({ drafts, exchange }) {
    const read = jsonObjectsIn(
      explained("JMAP-06/several", () => expectResult(exchange, "0", "Email/get"))["list"],
    );
    for (const { mark, id } of drafts) {
      const preview = String(read.find((message) => message["id"] === id)?.["preview"]);
      const others = marks.filter((other) => other !== mark && preview.includes(other));
      expectThat(others.length === 0, `${mark} or another preview`, shown(preview), exchange);
    }
  },
});

const words = "mailproof-gravel, Grüße";

/** Reads the preview of a new draft with that text. @throws {InconclusiveError} control-refused, when it is not created */
async function readPreview(target: Target, value: string): Promise<Exchange> {
  const inbox = await draftInbox(target);
  const create = { d1: draft(inbox, newSubject(), { bodyValues: { body: { value } } }) };
  const made = await call(target.setup, [["Email/set", { create }, "0"]]);
  const id = createdId(made, "0", "d1");
  if (id === undefined) throw controlRefused("creating a draft", "200 with created", made, "JMAP-07");
  return call(target, [["Email/get", { ids: [id], properties: ["preview"] }, "0"]]);
}

function previewIn(exchange: Exchange): unknown {
  return explained("JMAP-06/properties", () => {
    const found = jsonObjectsIn(expectResult(exchange, "0", "Email/get")["list"])[0]?.["preview"];
    expectThat(found !== undefined, "a preview", "none", exchange);
    return found;
  });
}

const previewText = check({
  id: "JMAP-06/preview-text",
  claim: "The preview of a draft with a short text shows the text, letters beyond ASCII included.",
  needs: ["human"],
  act: async (target) => readPreview(target, words),
  // RFC 8621 §4.1.4 leaves what a preview shows to the server.
  assert(exchange): Warning | undefined {
    const preview = previewIn(exchange);
    return String(preview).includes(words) ? undefined : warning(`the preview is ${shown(preview)}`);
  },
});

const mostPreviewCharacters = 256;

const previewLength = check({
  id: "JMAP-06/preview-length",
  claim: `The preview of a draft with a text of 2,000 characters has ${mostPreviewCharacters} at most.`,
  needs: ["human"],
  act: async (target) => readPreview(target, "four ".repeat(400)),
  // RFC 8621 §4.1.4 asks for it, and the document does not.
  assert(exchange): Warning | undefined {
    const { length } = String(previewIn(exchange));
    return length <= mostPreviewCharacters ? undefined : warning(`the preview has ${length} characters`);
  },
});

/** Which messages a query finds and reads, of several that are alike. Document, "Endpoints", JMAP API; RFC 8620 §5.5. */
export const foundMessageChecks = [
  byEachMailbox,
  foundOnce,
  inUnknownMailbox,
  ownPreview,
  previewText,
  previewLength,
  filledToLimit,
];
