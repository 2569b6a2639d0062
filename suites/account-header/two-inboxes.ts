import {
  createdId,
  jmapAs,
  jmapBody,
  type MethodCall,
  methodResponses,
  responseTo,
} from "../support/actors/jmap.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, summary } from "../support/wire/exchange.ts";
import { type MarkedInbox, markedInbox } from "./marked-inboxes.ts";
import { newSubject, plainTextDraft } from "../support/material/plain-text-draft.ts";

/** The selected inbox, another one of the same person, and a message in that one. */
export interface Parties {
  readonly own: MarkedInbox;
  readonly other: MarkedInbox;
  readonly emailId: string;
}

export async function ask(
  target: Target,
  inbox: MarkedInbox,
  calls: readonly MethodCall[],
): Promise<Exchange> {
  return jmapAs(target, await sharedAccessToken(target), inbox.accountId, jmapBody(calls));
}

/**
 * A new message in an inbox.
 *
 * @throws {InconclusiveError} control-refused, when it cannot be created
 */
async function newMessage(target: Target, inbox: MarkedInbox, creationId = "d1"): Promise<string> {
  const create = { [creationId]: plainTextDraft({ ...inbox, subject: newSubject() }) };
  const made = await ask(target.setup, inbox, [["Email/set", { create }, "0"]]);
  const id = createdId(made, "0", creationId);
  if (id !== undefined) return id;
  throw controlRefused("creating a draft in an inbox", "200 with created", made, "JMAP-07");
}

/**
 * Two inboxes of a person. Where accounts count their messages alike, the one that has fewer is selected: the other has a
 * message whose id is unknown in it.
 *
 * @throws {InconclusiveError} precondition-missing, when either inbox has a message of the id that is new in the other
 */
export async function parties(target: Target): Promise<Parties> {
  const [first, second] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
  const usual = { own: first, other: second, emailId: await newMessage(target, second) };
  if (!hasMessage(await reading(target, usual))) return usual;
  const emailId = await foreignMessage(target, second, () => newMessage(target, first));
  return { own: second, other: first, emailId };
}

const mostMessages = 4;

/**
 * A message of another inbox whose id no message of the selected one has.
 *
 * @param create - makes a message in the other inbox, and returns its id
 * @throws {InconclusiveError} precondition-missing, when every new message has an id of the selected inbox
 */
export async function foreignMessage(
  target: Target,
  own: MarkedInbox,
  create: () => Promise<string>,
): Promise<string> {
  for (let made = 1; ; made += 1) {
    const emailId = await create();
    const exchange = await reading(target, { own, emailId });
    if (!hasMessage(exchange)) return emailId;
    if (made === mostMessages) throw notForeign(exchange);
  }
}

function reading(target: Target, { own, emailId }: Pick<Parties, "own" | "emailId">): Promise<Exchange> {
  return ask(target.setup, own, [["Email/get", { ids: [emailId], properties: ["id", "subject"] }, "0"]]);
}

function hasMessage(found: Exchange): boolean {
  const list = responseTo(found, "0")?.args["list"];
  return Array.isArray(list) && list.length > 0;
}

/**
 * Accounts may count their messages alike, and other checks write to them: what names a message of both shows nothing.
 *
 * @throws {InconclusiveError} precondition-missing, when the selected inbox has a message of its own under that id
 */
export async function requireForeign(target: Target, { own, other, emailId }: Parties): Promise<void> {
  const exchange = await reading(target, { own, emailId });
  if (!hasMessage(exchange)) return;
  // Under the header of one inbox a defective target may show the other's message: each has a subject that no other has.
  const owners = await reading(target, { own: other, emailId });
  if (subjectIn(exchange) === subjectIn(owners)) return;
  throw notForeign(exchange);
}

function notForeign(exchange: Exchange): InconclusiveError {
  return new InconclusiveError(
    "precondition-missing",
    "needs a message whose id no message of the selected inbox has",
    { exchange, explainedBy: "HDR-17/email-id" },
  );
}

function subjectIn(found: Exchange): unknown {
  const list = responseTo(found, "0")?.args["list"];
  const message: unknown = Array.isArray(list) ? list[0] : undefined;
  return isJsonObject(message) ? message["subject"] : undefined;
}

/** @throws {InconclusiveError} precondition-missing, when neither method responses nor a refusal came */
export function requireAnswered(exchange: Exchange): void {
  if (methodResponses(exchange) !== undefined || isRefusal(exchange)) return;
  throw new InconclusiveError(
    "precondition-missing",
    `needs method responses or a refusal, got ${summary(exchange)}`,
    { exchange, explainedBy: "ERR-11" },
  );
}
