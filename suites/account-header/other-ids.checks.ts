import { jmapAs, jmapBody, type MethodCall, methodResponses, responseTo } from "../support/actors/jmap.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, senderOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import {
  type Exchange,
  isJsonObject,
  type JsonObject,
  showsText,
  summary,
} from "../support/wire/exchange.ts";
import { hasSubject, type MarkedInbox, markedInbox, newDraft, newestOf } from "./marked-inboxes.ts";

/** The selected inbox, another one of the same person, and a message in that one. */
interface Parties {
  readonly own: MarkedInbox;
  readonly other: MarkedInbox;
  readonly emailId: string;
}

async function ask(target: Target, inbox: MarkedInbox, calls: readonly MethodCall[]): Promise<Exchange> {
  return jmapAs(target, await sharedAccessToken(target), inbox.accountId, jmapBody(calls));
}

/** The id of what a call created, or undefined when it was not made. */
function idIn(exchange: Exchange, callId: string, creationId: string): string | undefined {
  const created = responseTo(exchange, callId)?.args["created"];
  const made = isJsonObject(created) ? created[creationId] : undefined;
  const id = isJsonObject(made) ? made["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/**
 * A new message in an inbox.
 *
 * @throws {InconclusiveError} control-refused, when it cannot be created
 */
async function newMessage(target: Target, inbox: MarkedInbox, creationId = "d1"): Promise<string> {
  const create = { [creationId]: newDraft(inbox.mailboxId, `mailproof ${unguessable()}`) };
  const made = await ask(target.setup, inbox, [["Email/set", { create }, "0"]]);
  const id = idIn(made, "0", creationId);
  if (id !== undefined) return id;
  throw controlRefused("creating a draft in an inbox", "200 with created", made, "JMAP-07");
}

/** @throws {InconclusiveError} precondition-missing, when the selected inbox has a message of that id too */
async function parties(target: Target): Promise<Parties> {
  const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
  const emailId = await newMessage(target, other);
  const found = await ask(target.setup, own, [["Email/get", { ids: [emailId], properties: ["id"] }, "0"]]);
  const list = responseTo(found, "0")?.args["list"];
  if (Array.isArray(list) && list.length > 0)
    throw new InconclusiveError(
      "precondition-missing",
      "needs a message whose id no message of the selected inbox has",
      { exchange: found, explainedBy: "HDR-17/email-id" },
    );
  return { own, other, emailId };
}

/** @throws {InconclusiveError} precondition-missing, when neither method responses nor a refusal came */
function requireAnswered(exchange: Exchange): void {
  if (methodResponses(exchange) !== undefined || isRefusalStatus(exchange.response.status)) return;
  throw new InconclusiveError(
    "precondition-missing",
    `needs method responses or a refusal, got ${summary(exchange)}`,
    { exchange, explainedBy: "ERR-11" },
  );
}

const pollMs = 250;
const pollsAtMost = 20;

function idsFound(exchange: Exchange): readonly unknown[] {
  const ids = responseTo(exchange, "0")?.args["ids"];
  return Array.isArray(ids) ? ids : [];
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
    const same = await ask(target.setup, own, [["Email/get", { ids: owners, properties: ["id"] }, "0"]]);
    const missing = responseTo(same, "0")?.args["notFound"];
    const others = owners.filter((id) => Array.isArray(missing) && missing.includes(id));
    if (others.length === 0)
      throw new InconclusiveError(
        "precondition-missing",
        "needs a message whose id no message of the selected inbox has",
        { exchange: same, explainedBy: "HDR-17/email-id" },
      );
    return { exchange: await ask(target, own, calls), others };
  },
  assert({ exchange, others }) {
    requireAnswered(exchange);
    const found = idsFound(exchange).filter((id) => others.includes(id));
    expectThat(found.length === 0, "no message of the other inbox", `its messages ${shown(found)}`, exchange);
  },
});

const create = check({
  id: "HDR-17/create",
  claim:
    "Under the header of one inbox, `Email/set` with the id of another owned inbox's mailbox creates nothing there.",
  needs: ["human"],
  async act(target) {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
    const subject = `mailproof ${unguessable()}`;
    const exchange = await ask(target, own, [
      ["Email/set", { create: { d1: newDraft(other.mailboxId, subject) } }, "0"],
    ]);
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

/** Submits a message of the selected inbox to the person's other one, as the document shows it. */
async function submit(
  target: Target,
  { own, other }: Pick<Parties, "own" | "other">,
  emailId: string,
  more: JsonObject,
): Promise<Exchange> {
  const { email } = await senderOf(target, own.accountId);
  const rcptTo = [{ email: await addressOf(target, other.accountId) }];
  const create = { s1: { emailId, envelope: { mailFrom: { email }, rcptTo }, ...more } };
  return ask(target, own, [["EmailSubmission/set", { create }, "send"]]);
}

/**
 * What a submission needs beside the document's members, once one of an own message was created with it (C-21).
 *
 * @throws {InconclusiveError} control-refused, when none is
 */
async function sendingMembers(target: Target, both: Pick<Parties, "own" | "other">): Promise<JsonObject> {
  return target.control.once("account-header:sending", async (recording) => {
    const emailId = await addressed(recording, both.own, both);
    const plain = await submit(recording, both, emailId, {});
    if (idIn(plain, "send", "s1") !== undefined) return {};
    const { identityId } = await senderOf(recording, both.own.accountId);
    const identified = await submit(recording, both, emailId, { identityId });
    if (idIn(identified, "send", "s1") !== undefined) return { identityId };
    throw controlRefused("sending an own message", "200 with created", identified, "JMAP-08");
  });
}

/** A draft with the addresses of a message that could be sent from the selected inbox. */
async function addressed(
  target: Target,
  inbox: MarkedInbox,
  { own, other }: Pick<Parties, "own" | "other">,
  creationId = "d1",
): Promise<string> {
  const { email } = await senderOf(target, own.accountId);
  const message = {
    ...newDraft(inbox.mailboxId, `mailproof ${unguessable()}`),
    from: [{ email }],
    to: [{ email: await addressOf(target, other.accountId) }],
  };
  const made = await ask(target.setup, inbox, [["Email/set", { create: { [creationId]: message } }, "0"]]);
  const id = idIn(made, "0", creationId);
  if (id !== undefined) return id;
  throw controlRefused("creating a draft in an inbox", "200 with created", made, "JMAP-07");
}

const submissions = [
  {
    slug: "submission",
    words: "the id of another owned inbox's message",
    nameOf: (emailId: string, _creationId: string) => emailId,
  },
  {
    slug: "creation-id",
    words: "a creation id of an earlier request in another owned inbox",
    nameOf: (_emailId: string, creationId: string) => `#${creationId}`,
  },
].map(({ slug, words, nameOf }) =>
  check({
    id: `HDR-17/${slug}`,
    claim: `Under the header of one inbox, \`EmailSubmission/set\` with ${words} creates no submission.`,
    needs: ["human"],
    async act(target) {
      const { own, other } = await parties(target);
      const more = await sendingMembers(target, { own, other });
      const creationId = `k${unguessable()}`;
      const emailId = await addressed(target, other, { own, other }, creationId);
      return submit(target, { own, other }, nameOf(emailId, creationId), more);
    },
    assert(exchange) {
      requireAnswered(exchange);
      const id = idIn(exchange, "send", "s1");
      expectThat(id === undefined, "no submission", `created.s1.id ${shown(id)}`, exchange);
    },
  }),
);

/** Ids of another inbox under the selected inbox's header. Document, "Authentication", OAuth 2.0 path 9. */
export const otherIdChecks = [query, create, ...changes, ...submissions];
