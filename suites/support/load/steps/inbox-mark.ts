import { firstDraft } from "../../material/draft-addresses.ts";
import { type Exchange, isJsonObject, type JsonObject, showsText, summary } from "../../wire/exchange.ts";
import { expectEqual, expectThat, shown } from "../../judging/expect.ts";
import type { Outgoing } from "../../wire/http.ts";
import { createdId, jmapBody, type MethodCall, methodResponses, responseTo } from "../../actors/jmap.ts";
import type { Target } from "../../target/target.ts";
import { InconclusiveError, Violation } from "../../verdict.ts";
import { newSubject, plainTextDraft } from "../../material/plain-text-draft.ts";

/** How the owner of an inbox accesses it. */
export interface InboxAccess {
  /** The account arguments of a method call; empty where `accountId` may be omitted. */
  readonly account: JsonObject;
  /** Undefined while there is no valid credential. */
  jmap(body: string): Outgoing | undefined;
  /** The mail address of the inbox; undefined where nothing shows it. */
  ownAddress(target: Target): Promise<string | undefined>;
}

/** A unique draft that identifies an inbox. */
export interface InboxMark {
  /** As in JMAP responses. Not necessarily unique across owners. */
  readonly accountId: string;
  /** The mailbox with the role `inbox`. */
  readonly mailboxId: string;
  readonly emailId: string;
  readonly subject: string;
}

/**
 * Creates a draft with an unguessable subject in an inbox.
 *
 * @throws {InconclusiveError} control-refused, when it cannot be created or read
 */
export async function markInbox(target: Target, access: InboxAccess): Promise<InboxMark> {
  const { account } = access;
  const found = await call(target, access, [
    ["Mailbox/query", { ...account, filter: { role: "inbox" } }, "0"],
  ]);
  const { accountId, ids } = responseTo(found, "0")?.args ?? {};
  const mailboxId: unknown = Array.isArray(ids) ? ids[0] : undefined;
  if (typeof accountId !== "string" || typeof mailboxId !== "string")
    throw new InconclusiveError(
      "control-refused",
      `querying the mailbox with the role inbox: got ${summary(found)}`,
    );
  const subject = newSubject();
  const { exchange: creation } = await firstDraft(
    (addresses) =>
      call(target, access, [
        ["Email/set", { ...account, create: { d1: plainTextDraft({ mailboxId, addresses, subject }) } }, "0"],
      ]),
    () => access.ownAddress(target),
  );
  const emailId = createdId(creation, "0", "d1");
  if (emailId === undefined)
    throw new InconclusiveError("control-refused", `creating a draft: got ${summary(creation)}`);
  const mark = { accountId, mailboxId, emailId, subject };
  const readBack = await call(target, access, readingCalls(account, mark, [], "0"));
  try {
    expectOwnMail(readBack, mark, [], "0");
  } catch (cause) {
    if (!(cause instanceof Violation)) throw cause;
    throw new InconclusiveError("control-refused", `reading the created draft: ${cause.message}`, {
      cause,
    });
  }
  return mark;
}

async function call(target: Target, access: InboxAccess, calls: readonly MethodCall[]): Promise<Exchange> {
  const request = access.jmap(jmapBody(calls));
  if (request === undefined) throw new TypeError("marking an inbox needs a valid credential");
  return target.send(request);
}

/**
 * Queries the mailbox of an inbox, and gets the marked messages of this inbox and of others, which must not be found.
 *
 * @param turn - unique in a run, so that a response identifies its request
 */
export function readingCalls(
  account: JsonObject,
  mark: InboxMark,
  others: readonly InboxMark[],
  turn: string,
): readonly MethodCall[] {
  // Ids are unique only within an account.
  const ids = [...new Set([mark, ...others].map(({ emailId }) => emailId))];
  return [
    ["Mailbox/query", { ...account, filter: { role: "inbox" } }, `${turn}-mailbox`],
    ["Email/get", { ...account, ids, properties: ["subject"] }, `${turn}-email`],
  ];
}

const requestLimit = "urn:ietf:params:jmap:error:limit";
const unavailable = "serverUnavailable";

/**
 * Expects a response to {@link readingCalls} with the mail of the requested inbox and of no other. An overloaded target may
 * respond with 400 and the error `limit` (RFC 8620 §3.6.1) or with the method error `serverUnavailable` (§3.6.2).
 */
export function expectOwnMail(
  exchange: Exchange,
  mark: InboxMark,
  others: readonly InboxMark[],
  turn: string,
): void {
  expectNoneOf(others, exchange);
  if (isRequestLimit(exchange)) return;
  const responses = methodResponses(exchange);
  if (responses === undefined) throw new Violation("200 with methodResponses", summary(exchange));
  const mailbox = resultOf(exchange, `${turn}-mailbox`, "Mailbox/query", mark);
  if (mailbox !== undefined) {
    const { ids } = mailbox;
    expectThat(
      Array.isArray(ids) && ids.includes(mark.mailboxId),
      "the mailbox of the requested inbox",
      shown(ids),
    );
  }
  const email = resultOf(exchange, `${turn}-email`, "Email/get", mark);
  if (email !== undefined) {
    const list: unknown[] = Array.isArray(email["list"]) ? email["list"] : [];
    const own = list.find((item) => isJsonObject(item) && item["id"] === mark.emailId);
    expectThat(
      isJsonObject(own) && own["subject"] === mark.subject,
      "the marked message of the requested inbox",
      own === undefined ? "a response without it" : "another message",
    );
  }
}

function isRequestLimit(exchange: Exchange): boolean {
  return exchange.response.status === 400 && showsText(exchange, requestLimit);
}

function expectNoneOf(others: readonly InboxMark[], exchange: Exchange): void {
  if (others.some(({ subject }) => showsText(exchange, subject)))
    throw new Violation("mail of the requested inbox only", "a message of another inbox");
}

/** The arguments of the response to one call; undefined for `serverUnavailable`. */
function resultOf(
  exchange: Exchange,
  callId: string,
  name: string,
  { accountId }: InboxMark,
): JsonObject | undefined {
  const response = responseTo(exchange, callId);
  if (response === undefined) throw new Violation("a response to every method call", "none with its callId");
  if (response.name === "error" && response.args["type"] === unavailable) return undefined;
  if (response.name !== name)
    throw new Violation(`a ${name} response`, `${response.name} ${shown(response.args["type"])}`);
  expectEqual(response.args["accountId"], accountId, `the accountId of the ${name} response`);
  return response.args;
}
