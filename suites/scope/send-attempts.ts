import { type Exchange, isJsonObject, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectOAuthError, expectThat } from "../support/judging/expect.ts";
import {
  jmapAs,
  jmapBody,
  methodResponses,
  type MethodCall,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { arrives } from "./mailboxes.ts";
import { type Message, newMessage, provenRoute, type Route } from "./submissions.ts";
import { readOnlyToken, sendingToken } from "./tokens.ts";

/** What a request that tries to send got, and what came of it. */
export interface SendAttempt {
  readonly exchange: Exchange;
  readonly hasArrived: boolean;
  /** The target's own list of submissions names the message; undefined where it has no such list. */
  readonly isListed: boolean | undefined;
}

/** Between the answer and the last look at the sink, where delivery is not at once. */
const deliveryMs = 1500;

/** A call that sends nothing and that every token of a person may make. */
export const harmlessCall: MethodCall = ["Mailbox/query", { filter: { role: "inbox" } }, "send"];

/** One try to send a fresh draft. */
export interface Trial {
  readonly token: string;
  readonly message: Message;
  /** Sends the request that holds this call in the place of the send. */
  readonly request: (call: MethodCall) => Promise<Exchange>;
  readonly send: MethodCall;
}

/**
 * Makes the try: first the same request with a harmless call in the place of the send, which must be served, then the
 * send. Then it looks for the message at its recipient and among the submissions.
 *
 * @throws {InconclusiveError} control-refused, when the harmless request is refused too
 */
export async function trySending(target: Target, { message, request, send }: Trial): Promise<SendAttempt> {
  requireServed(await request(harmlessCall), "the same request without the send");
  return lookingFor(target, message, await request(send));
}

/** Adds to an answer whether the message went out. */
export async function lookingFor(target: Target, message: Message, exchange: Exchange): Promise<SendAttempt> {
  const token = await sendingToken(target);
  const refused = await refusedMessages(target);
  refused.push(message);
  return {
    exchange,
    hasArrived: await arrives(target, token, message.route.sink, message.subject, deliveryMs),
    isListed: await isSubmitted(target, token, message),
  };
}

/** Every message of the run that was to be refused, for a last look when all checks are done. */
export function refusedMessages(target: Target): Promise<Message[]> {
  return target.once("scope:refused-messages", async () => []);
}

async function isSubmitted(
  target: Target,
  token: string,
  { route, emailId }: Message,
): Promise<boolean | undefined> {
  const calls: MethodCall[] = [["EmailSubmission/query", { filter: { emailIds: [emailId] } }, "0"]];
  const exchange = await jmapAs(target, token, route.from.accountId, jmapBody(calls));
  const { ids } = responseTo(exchange, "0")?.args ?? {};
  return Array.isArray(ids) ? ids.length > 0 : undefined;
}

/** Whether anything says that the message was sent. */
export function isSent({ exchange, hasArrived, isListed }: SendAttempt): boolean {
  return hasArrived || isListed === true || createsSubmission(exchange);
}

function createsSubmission(exchange: Exchange): boolean {
  return (methodResponses(exchange) ?? []).some(
    ([name, { created }]) =>
      name === "EmailSubmission/set" && isJsonObject(created) && Object.keys(created).length > 0,
  );
}

/** 403 insufficient_scope, and nothing was sent. Document, "Authentication", OAuth 2.0 path 11, and "Errors". */
export function expectSendRefused(attempt: SendAttempt): void {
  expectNotSent(attempt);
  expectNotServed(attempt.exchange);
  expectOAuthError(attempt.exchange, ["insufficient_scope"]);
}

export function expectNotSent(attempt: SendAttempt): void {
  const seen = attempt.hasArrived ? "its message at the recipient" : "a submission of it";
  expectThat(!isSent(attempt), "nothing to be sent", `${summary(attempt.exchange)} and ${seen}`);
}

/** What every try with a read-only token begins with: a way that is proven, a token that is alive, a fresh draft. */
export async function readOnlyTrial(
  target: Target,
  accountId?: string,
): Promise<{ token: string; message: Message; route: Route }> {
  const route = await provenRoute(target, accountId);
  return { route, token: await readOnlyToken(target), message: await newMessage(target, route) };
}
