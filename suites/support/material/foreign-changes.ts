import { jmapBody, type MethodCall, responseTo } from "../actors/jmap.ts";
import { type Exchange, type JsonObject, jsonObjectsIn } from "../wire/exchange.ts";
import { NotApplicableError } from "../verdict.ts";
import { createdIn, hasMessage, newMessage, type Writable } from "./writing-methods.ts";
import { newSubject, plainTextDraft } from "./plain-text-draft.ts";

/** What an answer in the own inbox reported of a message of another one. */
export interface Told {
  readonly exchange: Exchange;
  readonly isForeign: boolean;
}

function textsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Asks the own inbox for its changes since before two messages came into another one. Accounts may count their messages
 * alike: an id that the own inbox has, or not both ids, tells nothing.
 *
 * @throws {InconclusiveError} control-refused, when a message cannot be created
 * @throws {NotApplicableError} when the target shows no state
 */
export async function changesOfOthers(own: Writable, other: Writable): Promise<Told> {
  const before = await own.ask(
    jmapBody([["Email/get", { accountId: own.account, ids: [], properties: ["id"] }, "0"]]),
  );
  const sinceState = responseTo(before, "0")?.args["state"];
  if (typeof sinceState !== "string")
    throw new NotApplicableError("Email/get shows no state to ask for changes since");
  const ids = [(await newMessage(other, {})).id, (await newMessage(other, {})).id];
  const changes: MethodCall = ["Email/changes", { accountId: own.account, sinceState }, "0"];
  const exchange = await own.ask(jmapBody([changes]));
  const { created, updated } = responseTo(exchange, "0")?.args ?? {};
  const told = [...textsIn(created), ...textsIn(updated)];
  const isNamed = ids.every((id) => told.includes(id));
  const isOwn = isNamed && (await Promise.all(ids.map((id) => hasMessage(own, id)))).some(Boolean);
  return { exchange, isForeign: isNamed && !isOwn };
}

/**
 * Answers a message of another inbox by a draft in the own one, and asks for the thread of the draft.
 *
 * @throws {InconclusiveError} control-refused, when the message of the other inbox cannot be created
 * @throws {NotApplicableError} when such a draft, or its thread, cannot be had
 */
export async function threadWithOthers(own: Writable, other: Writable): Promise<Told> {
  const subject = newSubject();
  const { id } = await newMessage(other, {}, subject);
  const read = await other.ask(
    jmapBody([["Email/get", { accountId: other.account, ids: [id], properties: ["messageId"] }, "0"]]),
  );
  const messageId = jsonObjectsIn(responseTo(read, "0")?.args["list"])[0]?.["messageId"];
  if (!Array.isArray(messageId)) throw new NotApplicableError("a draft has no messageId to answer");
  const made = await own.ask(jmapBody([["Email/set", answerTo(own, messageId, `Re: ${subject}`), "0"]]));
  const threadId = createdIn(made, "0")?.["threadId"];
  if (typeof threadId !== "string")
    throw new NotApplicableError("a draft that answers a message has no threadId");
  const exchange = await own.ask(
    jmapBody([["Thread/get", { accountId: own.account, ids: [threadId] }, "0"]]),
  );
  const isNamed = jsonObjectsIn(responseTo(exchange, "0")?.args["list"]).some(({ emailIds }) =>
    textsIn(emailIds).includes(id),
  );
  return { exchange, isForeign: isNamed && !(await hasMessage(own, id)) };
}

function answerTo(
  { account, mailboxId, addresses }: Writable,
  messageId: readonly unknown[],
  subject: string,
): JsonObject {
  const draft = {
    ...plainTextDraft({ mailboxId, addresses, subject }),
    inReplyTo: messageId,
    references: messageId,
  };
  return { accountId: account, create: { d1: draft } };
}
