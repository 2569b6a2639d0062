import { jmapBody, type MethodCall, responseTo, urn } from "../actors/jmap.ts";
import { unguessable } from "../actors/oauth-client.ts";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, type JsonObject, showsText } from "../wire/exchange.ts";
import {
  contentsOf,
  createdIn,
  hasMessage,
  type Message,
  newMessage,
  removeMailboxes,
  senderOf,
  type Writable,
  type Written,
} from "./writing-methods.ts";

/** What the owner of the other inbox reads afterwards. */
interface Afterwards {
  readonly contents: readonly Exchange[];
  /** Of the ids that were destroyed, those that are gone. */
  readonly gone: readonly unknown[];
  /** No message of the own inbox has one of the ids meanwhile. */
  readonly areForeign: boolean;
}

interface Attempt {
  readonly method: string;
  readonly calls: readonly MethodCall[];
  /** Of the request. RFC 8620 §3.3. */
  readonly createdIds?: Readonly<Record<string, string>>;
  readonly trace: (answer: Exchange, afterwards: Afterwards) => string | undefined;
}

type Sender = Awaited<ReturnType<typeof senderOf>>;

function newMarker(): string {
  return `mailproof-${unguessable().toLowerCase()}`;
}

/** An attempt that is seen by a text of its own in the other inbox. */
function marking(method: string, attempt: (marker: string) => Omit<Attempt, "method" | "trace">): Attempt {
  const marker = newMarker();
  return {
    method,
    ...attempt(marker),
    trace: (_answer, { contents }) =>
      contents.some((exchange) => showsText(exchange, marker)) ? marker : undefined,
  };
}

function traceOfRemoval(id: string): Attempt["trace"] {
  return (_answer, { gone }) => (gone.includes(id) ? "an object that is gone" : undefined);
}

/** What puts something into a mailbox of the other account. */
function attemptsAtMailbox(own: Writable, mailboxId: string, mine: readonly Message[]): readonly Attempt[] {
  const accountId = own.account;
  const mailboxIds = { [mailboxId]: true };
  const [imported, moved] = mine;
  return [
    marking("Email/import", (marker) => ({
      calls: [
        [
          "Email/import",
          {
            accountId,
            emails: { i1: { blobId: imported?.blobId, mailboxIds, keywords: { [marker]: true } } },
          },
          "0",
        ],
      ],
    })),
    marking("Email/set", (marker) => ({
      calls: [
        [
          "Email/set",
          { accountId, update: { [moved?.id ?? ""]: { mailboxIds, keywords: { [marker]: true } } } },
          "0",
        ],
      ],
    })),
    marking("Mailbox/set", (marker) => ({
      calls: [["Mailbox/set", { accountId, create: { m1: { name: marker, parentId: mailboxId } } }, "0"]],
    })),
  ];
}

/** What is done with messages of the other account, by ids that the request gives names to. */
function attemptsByCreatedIds(own: Writable, ids: readonly string[], sender: Sender): readonly Attempt[] {
  const accountId = own.account;
  const [changed = "", sent = "", destroyed = ""] = ids;
  const email = sender?.email ?? "nobody@mail.test";
  const envelope = { mailFrom: { email }, rcptTo: [{ email }] };
  const identity = sender?.identityId === undefined ? {} : { identityId: sender.identityId };
  return [
    marking("Email/set", (marker) => ({
      createdIds: { x: changed },
      calls: [["Email/set", { accountId, update: { "#x": { [`keywords/${marker}`]: true } } }, "0"]],
    })),
    {
      method: "EmailSubmission/set",
      createdIds: { x: sent },
      calls: [
        ["EmailSubmission/set", { accountId, create: { s1: { emailId: "#x", envelope, ...identity } } }, "0"],
      ],
      trace: (answer, { areForeign }) =>
        areForeign && createdIn(answer, "0") !== undefined
          ? "a submission of one of its messages"
          : undefined,
    },
    {
      method: "Email/set",
      createdIds: { x: destroyed },
      calls: [["Email/set", { accountId, destroy: ["#x"] }, "0"]],
      trace: traceOfRemoval(destroyed),
    },
  ];
}

/** A copy of a message of the other account, which is refused, and then must not destroy it. */
function attemptAtOriginal(own: Writable, other: Writable, id: string): Attempt {
  const create = { c1: { id, mailboxIds: { [own.mailboxId]: true } } };
  const accounts = { accountId: own.account, fromAccountId: other.account };
  return {
    method: "Email/copy",
    calls: [["Email/copy", { ...accounts, create, onSuccessDestroyOriginal: true }, "0"]],
    trace: traceOfRemoval(id),
  };
}

/**
 * Calls methods that write in the own account with ids of another one's mailboxes and messages.
 *
 * @throws {InconclusiveError} control-refused, when the owner of the other inbox is not shown a message in it
 */
export async function writtenByIds(own: Writable, other: Writable): Promise<readonly Written[]> {
  const sender = await senderOf(own);
  const addresses: JsonObject =
    sender === undefined ? {} : { from: [{ email: sender.email }], to: [{ email: sender.email }] };
  const mine = [await newMessage(own, {}), await newMessage(own, {})];
  const theirs: Message[] = [];
  for (let made = 0; made < 4; made += 1) theirs.push(await messageWith(other, addresses));
  const ids = theirs.map(({ id }) => id);
  const [original = "", ...named] = ids;
  const areForeign = !(await hasAny(own, named));
  const attempts = [
    ...attemptsAtMailbox(own, other.mailboxId, mine),
    attemptAtOriginal(own, other, original),
    // Accounts may count their messages alike: such an id names one of the own inbox.
    ...(areForeign ? attemptsByCreatedIds(own, named, sender) : []),
  ];
  const answers = new Map<Attempt, Exchange>();
  for (const attempt of attempts) answers.set(attempt, await own.ask(bodyOf(attempt)));
  const afterwards = { ...(await readAfterwards(other, ids)), areForeign: !(await hasAny(own, named)) };
  await removeMailboxes(own, [...answers.values()]);
  return [...answers].map(([{ method, trace }, exchange]) => ({
    method,
    exchange,
    trace: trace(exchange, afterwards),
  }));
}

/** A new message with those addresses, or with none: a target may hold another inbox's address in `from` against a draft. */
async function messageWith(inbox: Writable, addresses: JsonObject): Promise<Message> {
  try {
    return await newMessage(inbox, addresses);
  } catch (error) {
    if (error instanceof InconclusiveError && error.code === "control-refused") return newMessage(inbox, {});
    throw error;
  }
}

async function hasAny(inbox: Writable, ids: readonly string[]): Promise<boolean> {
  const found = await Promise.all(ids.map(async (id) => hasMessage(inbox, id)));
  return found.includes(true);
}

function bodyOf({ calls, createdIds }: Attempt): string {
  if (createdIds === undefined) return jmapBody(calls);
  return JSON.stringify({ using: Object.values(urn), methodCalls: calls, createdIds });
}

async function readAfterwards(
  other: Writable,
  ids: readonly string[],
): Promise<Omit<Afterwards, "areForeign">> {
  const [first = ""] = ids.slice(1);
  const contents = await contentsOf(other, first);
  const call: MethodCall = ["Email/get", { accountId: other.account, ids, properties: ["id"] }, "0"];
  const missing = responseTo(await other.ask(jmapBody([call])), "0")?.args["notFound"];
  return { contents, gone: Array.isArray(missing) ? missing : [] };
}
