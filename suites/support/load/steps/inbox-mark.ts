import { unguessable } from "../../actors/oauth-client.ts";
import { type Exchange, isJsonObject, type JsonObject, summary } from "../../wire/exchange.ts";
import { expectEqual, expectThat, shown } from "../../judging/expect.ts";
import type { Outgoing } from "../../wire/http.ts";
import { jmapBody, type MethodCall, methodResponses, responseTo } from "../../actors/jmap.ts";
import type { Target } from "../../target/target.ts";
import { InconclusiveError, Violation } from "../../verdict.ts";

/** How its owner reaches an inbox. */
export interface InboxAccess {
  /** What the arguments of a call say of the account: nothing where it may be left out. */
  readonly account: JsonObject;
  /** Undefined while there is no credential that is fresh. */
  jmap(body: string): Outgoing | undefined;
}

/** What an inbox holds and no other does. */
export interface InboxMark {
  /** As JMAP answers name the account; inboxes of different owners may share the name. */
  readonly accountId: string;
  /** Of the mailbox with the role inbox. */
  readonly mailboxId: string;
  readonly emailId: string;
  /** Of that message. */
  readonly subject: string;
}

/**
 * Puts a draft with a subject that nobody can guess into an inbox.
 *
 * @throws {InconclusiveError} control-refused, when it cannot be created or found again
 */
export async function markInbox(target: Target, access: InboxAccess): Promise<InboxMark> {
  const { account } = access;
  const found = await ask(target, access, [
    ["Mailbox/query", { ...account, filter: { role: "inbox" } }, "0"],
  ]);
  const { accountId, ids } = responseTo(found, "0")?.args ?? {};
  const mailboxId: unknown = Array.isArray(ids) ? ids[0] : undefined;
  if (typeof accountId !== "string" || typeof mailboxId !== "string")
    throw new InconclusiveError(
      "control-refused",
      `looking for the mailbox of an inbox: got ${summary(found)}`,
    );
  const subject = `mailproof ${unguessable()}`;
  const draft = {
    mailboxIds: { [mailboxId]: true },
    keywords: { $draft: true },
    subject,
    textBody: [{ partId: "1", type: "text/plain" }],
    bodyValues: { "1": { value: "written by mailproof" } },
  };
  const made = await ask(target, access, [["Email/set", { ...account, create: { d1: draft } }, "0"]]);
  const created = responseTo(made, "0")?.args["created"];
  const email = isJsonObject(created) ? created["d1"] : undefined;
  const emailId = isJsonObject(email) ? email["id"] : undefined;
  if (typeof emailId !== "string")
    throw new InconclusiveError("control-refused", `creating a draft in an inbox: got ${summary(made)}`);
  const mark = { accountId, mailboxId, emailId, subject };
  const again = await ask(target, access, readingCalls(account, mark, [], "0"));
  try {
    expectOwnMail(again, mark, [], "0");
  } catch (cause) {
    if (!(cause instanceof Violation)) throw cause;
    throw new InconclusiveError(
      "control-refused",
      `reading a draft that was just created: ${cause.message}`,
      {
        cause,
      },
    );
  }
  return mark;
}

async function ask(target: Target, access: InboxAccess, calls: readonly MethodCall[]): Promise<Exchange> {
  const request = access.jmap(jmapBody(calls));
  if (request === undefined) throw new TypeError("an inbox is marked with a credential that is fresh");
  return target.send(request);
}

/**
 * Asks an inbox for its mailbox, and for the marked messages of itself and of others, which it does not have.
 *
 * @param turn - no two requests of a run share it, so that an answer tells whose it is
 */
export function readingCalls(
  account: JsonObject,
  mark: InboxMark,
  others: readonly InboxMark[],
  turn: string,
): readonly MethodCall[] {
  // Ids are an account's own affair: those of two may be equal.
  const ids = [...new Set([mark, ...others].map(({ emailId }) => emailId))];
  return [
    ["Mailbox/query", { ...account, filter: { role: "inbox" } }, `${turn}-mailbox`],
    ["Email/get", { ...account, ids, properties: ["subject"] }, `${turn}-email`],
  ];
}

const requestLimit = "urn:ietf:params:jmap:error:limit";
const unavailable = "serverUnavailable";

/**
 * The answer to {@link readingCalls} is of the inbox that was asked, whole and of no other. A target may also say that it is
 * too busy as RFC 8620 has it: by 400 with the error `limit` (§3.6.1), or by the method error `serverUnavailable` (§3.6.2).
 */
export function expectOwnMail(
  exchange: Exchange,
  mark: InboxMark,
  others: readonly InboxMark[],
  turn: string,
): void {
  expectNothingOf(others, exchange);
  if (isRequestLimit(exchange)) return;
  const responses = methodResponses(exchange);
  if (responses === undefined) throw new Violation("200 with methodResponses", summary(exchange));
  const mailbox = resultOf(exchange, `${turn}-mailbox`, "Mailbox/query", mark);
  if (mailbox !== undefined) {
    const { ids } = mailbox;
    expectThat(
      Array.isArray(ids) && ids.includes(mark.mailboxId),
      "the mailbox of the inbox that was asked",
      shown(ids),
    );
  }
  const email = resultOf(exchange, `${turn}-email`, "Email/get", mark);
  if (email !== undefined) {
    const list: unknown[] = Array.isArray(email["list"]) ? email["list"] : [];
    const own = list.find((item) => isJsonObject(item) && item["id"] === mark.emailId);
    expectThat(
      isJsonObject(own) && own["subject"] === mark.subject,
      "the marked message of the inbox that was asked",
      own === undefined ? "an answer without it" : "another message",
    );
  }
}

/** Whether it is the answer of a JMAP API that takes no more requests at the same time. */
function isRequestLimit(exchange: Exchange): boolean {
  return exchange.response.status === 400 && exchange.response.body.includes(`"${requestLimit}"`);
}

function expectNothingOf(others: readonly InboxMark[], { response }: Exchange): void {
  if (others.some(({ subject }) => response.body.includes(subject)))
    throw new Violation("the inbox that was asked, and no other", "a message of another one");
}

/** The arguments of the response to one call; undefined when the method was too busy. */
function resultOf(
  exchange: Exchange,
  callId: string,
  name: string,
  { accountId }: InboxMark,
): JsonObject | undefined {
  const response = responseTo(exchange, callId);
  if (response === undefined)
    throw new Violation("a response to the call that was made", "none with its callId");
  if (response.name === "error" && response.args["type"] === unavailable) return undefined;
  if (response.name !== name)
    throw new Violation(`a ${name} response`, `${response.name} ${shown(response.args["type"])}`);
  expectEqual(response.args["accountId"], accountId, `the accountId of the ${name} response`);
  return response.args;
}
