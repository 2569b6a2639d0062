import { createdIn } from "./writing-methods.ts";
import { senderAmong } from "../actors/identities.ts";
import { jmapBody, type MethodCall, methodResponses, responseTo, urn } from "../actors/jmap.ts";
import type { DraftAddresses } from "./draft-addresses.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { type Exchange, type JsonObject } from "../wire/exchange.ts";
import { newSubject, plainTextDraft } from "./plain-text-draft.ts";

/** Sends a JMAP request object as somebody. */
export type Ask = (body: string) => Promise<Exchange>;

/** A method that reads, with arguments that find something in one inbox. */
export interface Reading {
  readonly method: string;
  /** Without `accountId`. */
  readonly args: JsonObject;
  readonly using: readonly string[];
  /** What its owner was shown. */
  readonly texts: ReadonlySet<string>;
}

type Question = Omit<Reading, "texts">;

const standard = Object.values(urn);
const blob = [urn.core, "urn:ietf:params:jmap:blob"];
const vacation = [urn.core, "urn:ietf:params:jmap:vacationresponse"];

// Fewer than any target takes in one request.
const callsAtOnce = 3;

/** Where the answer to a question is: the call of an exchange. */
interface Answer {
  readonly exchange: Exchange;
  readonly callId: string;
}

/** Asks a few questions at once, and one by one where that request fails as a whole: one method may have broken it. */
async function answers(ask: Ask, questions: readonly Question[], more: JsonObject): Promise<Answer[]> {
  const answered: Answer[] = [];
  for (let at = 0; at < questions.length; at += callsAtOnce) {
    const some = questions.slice(at, at + callsAtOnce);
    const calls = some.map(({ method, args }, index): MethodCall => [
      method,
      { ...more, ...args },
      String(index),
    ]);
    const exchange = await ask(jmapBody(calls));
    if (methodResponses(exchange) === undefined) answered.push(...(await oneByOne(ask, some, more)));
    else answered.push(...calls.map(([, , callId]) => ({ exchange, callId })));
  }
  return answered;
}

async function oneByOne(ask: Ask, questions: readonly Question[], more: JsonObject): Promise<Answer[]> {
  const answered: Answer[] = [];
  for (const question of questions)
    answered.push({ exchange: await ask(readingBody(question, more)), callId: "0" });
  return answered;
}

const statesOf = ["Email", "Thread", "Mailbox", "EmailSubmission"] as const;

/** The states of what an inbox has, by type; without those that the target does not know. */
async function states(ask: Ask, mailboxId: string, more: JsonObject): Promise<JsonObject> {
  const questions = [
    ...statesOf.map((type) => ({ method: `${type}/get`, args: { ids: [] }, using: standard })),
    { method: "Email/query", args: { filter: { inMailbox: mailboxId } }, using: standard },
  ];
  const answered = await answers(ask, questions, more);
  return Object.fromEntries(
    questions.map(({ method }, at) => {
      const answer = answered[at];
      const args = answer && responseTo(answer.exchange, answer.callId)?.args;
      return [method, args?.["state"] ?? args?.["queryState"]];
    }),
  );
}

/** A submission of a message from the inbox to itself; undefined where the target does not take it. */
async function submissionId(ask: Ask, mailboxId: string, more: JsonObject): Promise<unknown> {
  const identities = await ask(jmapBody([["Identity/get", { ...more, ids: null }, "0"]]));
  const sender = senderAmong(responseTo(identities, "0")?.args["list"], "");
  if (sender === undefined) return undefined;
  const self = { email: sender.email };
  const draft = plainTextDraft({ mailboxId, addresses: { from: [self], to: [self] }, subject: newSubject() });
  const envelope = { mailFrom: self, rcptTo: [self] };
  // RFC 8621 §7 requires an identityId, which the document's request lacks (C-21): with it, every target takes it.
  const submission = { emailId: "#d1", envelope, identityId: sender.identityId };
  const sent = await ask(
    jmapBody([
      ["Email/set", { ...more, create: { d1: draft } }, "create"],
      ["EmailSubmission/set", { ...more, create: { s1: submission } }, "send"],
    ]),
  );
  return createdIn(sent, "send")?.["id"];
}

/**
 * What methods that read show of an inbox to its owner, with a new message in it. Methods that the target does not know,
 * or that show nothing, are left out.
 *
 * @param more - the `accountId` of the calls, or nothing where it is left out
 * @throws {InconclusiveError} control-refused, when there is none
 */
export async function readings(
  ask: Ask,
  { mailboxId, addresses }: { mailboxId: string; addresses: DraftAddresses },
  more: JsonObject,
): Promise<readonly Reading[]> {
  const before = await states(ask, mailboxId, more);
  const marker = newSubject();
  const create = { d1: plainTextDraft({ mailboxId, addresses, subject: marker, text: marker }) };
  const made = await ask(jmapBody([["Email/set", { ...more, create }, "0"]]));
  const message = createdIn(made, "0");
  if (message === undefined)
    throw controlRefused("creating a draft in an inbox", "200 with created", made, "JMAP-07");
  const submission = await submissionId(ask, mailboxId, more);
  const questions = questionsAbout({ mailboxId, marker, before, message, submission });
  const plain = questions.filter(({ using }) => using === standard);
  const special = questions.filter(({ using }) => using !== standard);
  const answered = [...(await answers(ask, plain, more)), ...(await oneByOne(ask, special, more))];
  const all = [...plain, ...special].map((question, at): Reading => {
    const answer = answered[at];
    return { ...question, texts: new Set(answer && textsShown(answer.exchange, answer.callId)) };
  });
  const showing = all.filter(({ texts }) => texts.size > 0);
  if (showing.length > 0) return showing;
  throw controlRefused("reading one's own inbox", "something of it", made, "JMAP-06");
}

interface Material {
  readonly mailboxId: string;
  readonly marker: string;
  /** By method. */
  readonly before: JsonObject;
  readonly message: JsonObject;
  readonly submission: unknown;
}

function questionsAbout({ mailboxId, marker, before, message, submission }: Material): readonly Question[] {
  const { id, threadId, blobId } = message;
  const filter = { inMailbox: mailboxId };
  const since = (type: string): JsonObject => ({ sinceState: before[`${type}/get`] });
  const all: readonly (readonly [method: string, args: JsonObject, using?: readonly string[]])[] = [
    ["Mailbox/query", { filter: { role: "inbox" } }],
    ["Mailbox/get", { ids: [mailboxId] }],
    ["Mailbox/changes", since("Mailbox")],
    ["Email/query", { filter, limit: 50 }],
    ["Email/queryChanges", { filter, sinceQueryState: before["Email/query"] }],
    ["Email/get", { ids: [id], properties: ["id", "subject"] }],
    ["Email/changes", since("Email")],
    ["Email/parse", { blobIds: [blobId], properties: ["subject"] }],
    ["SearchSnippet/get", { filter: { subject: marker }, emailIds: [id] }],
    ["Thread/get", { ids: [threadId] }],
    ["Thread/changes", since("Thread")],
    ["Identity/get", { ids: null }],
    ["EmailSubmission/get", { ids: [submission] }],
    ["EmailSubmission/query", { limit: 50 }],
    ["EmailSubmission/changes", since("EmailSubmission")],
    ["Blob/get", { ids: [blobId], properties: ["data"] }, blob],
    ["VacationResponse/get", { ids: null }, vacation],
  ];
  return all
    .filter(([, args]) => !Object.values(args).flat().includes(undefined))
    .map(([method, args, using = standard]) => ({ method, args, using }));
}

/** The smallest request with that call. */
export function readingBody({ method, args, using }: Question, more: JsonObject): string {
  return jmapBody([[method, { ...more, ...args }, "0"]], using);
}

// What a response has of an inbox. Its states, and ids that were not found, are not content.
const contents = ["list", "ids", "created", "updated", "added", "parsed"] as const;

/** The texts in what a response shows of an inbox. */
function textsShown(exchange: Exchange, callId: string): readonly string[] {
  const { name, args = {} } = responseTo(exchange, callId) ?? {};
  return name === "error" ? [] : contents.flatMap((member) => textsIn(args[member]));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** What came of one method under the credential of another inbox. */
export interface Tried {
  readonly method: string;
  readonly exchange: Exchange;
  /** A text of the other inbox that it showed, and that it does not show of the own one. */
  readonly leaked: string | undefined;
}

/**
 * Calls a method for another account under the credential of an inbox. Accounts may count what they have alike: what shows
 * there counts only where the own account, asked between two such calls, does not show it.
 *
 * @param other - the member that names the other account
 * @param own - the member that names the own account, or nothing
 */
export async function triedElsewhere(
  ask: Ask,
  reading: Reading,
  { other, own }: { other: JsonObject; own: JsonObject },
): Promise<Tried> {
  const { method } = reading;
  const exchange = await ask(readingBody(reading, other));
  const suspects = textsShown(exchange, "0").filter((text) => reading.texts.has(text));
  if (suspects.length === 0) return { method, exchange, leaked: undefined };
  const owns = await ask(readingBody(reading, own));
  const again = new Set(textsShown(await ask(readingBody(reading, other)), "0"));
  const owned = new Set(textsShown(owns, "0"));
  const isKnown = methodResponses(owns) !== undefined;
  const leaked = suspects.find((text) => isKnown && again.has(text) && !owned.has(text));
  return { method, exchange, leaked };
}
