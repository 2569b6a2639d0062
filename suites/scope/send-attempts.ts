import { type Exchange, isJsonObject, jsonMembers, summary } from "../support/wire/exchange.ts";
import { isRefusal } from "../support/judging/expect.ts";
import {
  jmapAs,
  jmapBody,
  methodResponses,
  type MethodCall,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { arrivalMs } from "./mailboxes.ts";
import { type Message, newMessage, provenRoute, type ProvenRoute } from "./submissions.ts";
import { readOnlyToken, sendingToken } from "./scoped-tokens.ts";

/** What a request that tries to send got, and whether the message left. */
export interface SendAttempt {
  readonly exchange: Exchange;
  readonly hasArrived: boolean;
  /** The target's own list of submissions names the message; undefined where it has no such list. */
  readonly isListed: boolean | undefined;
}

/** A call that sends nothing and that every token of a person may make. */
export const harmlessCall: MethodCall = ["Mailbox/query", { filter: { role: "inbox" } }, "send"];

/** One try to send a fresh draft. */
export interface Trial {
  readonly token: string;
  readonly message: Message;
  readonly route: ProvenRoute;
  /** The token grants sending after all, so that its message may arrive. */
  readonly maySend?: boolean;
}

/**
 * What every try with a read-only token begins with: a route over which a message was sent, a token that is alive, a fresh
 * draft.
 *
 * @throws {InconclusiveError} control-refused, when a token with mail.send cannot send either
 */
export async function readOnlyTrial(target: Target, accountId?: string): Promise<Trial> {
  const route = await provenRoute(target, accountId);
  return { route, token: await readOnlyToken(target), message: await newMessage(target, route) };
}

/**
 * Tries to send: first the same request with a harmless call in the place of the send, which must be served, then the
 * send. Then it looks for the message at its recipient and among the submissions.
 *
 * @param request - sends the request that holds this call in the place of the send
 * @throws {InconclusiveError} control-refused, when the harmless request is refused too
 */
export async function trySending(
  target: Target,
  trial: Trial,
  send: MethodCall,
  request: (target: Target, call: MethodCall) => Promise<Exchange>,
): Promise<SendAttempt> {
  requireServed(await request(target.control, harmlessCall), "the same request without the send");
  return withDelivery(target, trial, await request(target, send));
}

/** {@link trySending} with the send as the only call of an ordinary request. */
export function trySendingAlone(target: Target, trial: Trial, send: MethodCall): Promise<SendAttempt> {
  const { token, route } = trial;
  return trySending(target, trial, send, (sender, call) =>
    jmapAs(sender, token, route.from.accountId, jmapBody([call])),
  );
}

// A look takes a moment too, so that a quick target is not asked again.
const shortestLookMs = 1500;

/** Adds to an answer whether the message went out. */
export async function withDelivery(
  target: Target,
  { message, route, maySend = false }: Omit<Trial, "token">,
  exchange: Exchange,
): Promise<SendAttempt> {
  const token = await sendingToken(target);
  const attempted = await attemptedMessages(target);
  if (!maySend) attempted.push(message);
  const withinMs = Math.max(shortestLookMs, 2 * (route.deliveryMs ?? 0));
  const arrival = await arrivalMs(target, token, message.route.sink, message.subject, withinMs);
  return {
    exchange,
    hasArrived: arrival !== undefined,
    isListed: await isSubmitted(target.setup, token, message),
  };
}

/** Every message of the run that a mail.read token tried to send, for a last look when all checks are done. */
export function attemptedMessages(target: Target): Promise<Message[]> {
  return target.once("scope:attempted-messages", async () => []);
}

async function isSubmitted(
  target: Target,
  token: string,
  { route, emailId }: Message,
): Promise<boolean | undefined> {
  const found = { resultOf: "0", name: "EmailSubmission/query", path: "/ids" };
  const calls: MethodCall[] = [
    ["EmailSubmission/query", { filter: { emailIds: [emailId] } }, "0"],
    ["EmailSubmission/get", { "#ids": found, properties: ["emailId"] }, "1"],
  ];
  const exchange = await jmapAs(target, token, route.from.accountId, jmapBody(calls));
  const { ids } = responseTo(exchange, "0")?.args ?? {};
  const { list } = responseTo(exchange, "1")?.args ?? {};
  if (!Array.isArray(ids) || !Array.isArray(list)) return undefined;
  // The document does not name the method: a target may take the filter and not use it.
  return list.some((submission) => isJsonObject(submission) && submission["emailId"] === emailId);
}

function createsSubmission(exchange: Exchange): boolean {
  return (methodResponses(exchange) ?? []).some(
    ([name, { created }]) =>
      name === "EmailSubmission/set" && isJsonObject(created) && Object.keys(created).length > 0,
  );
}

// A service that lets a plain send through lets every variant of it through.
const plainSend = "SCOPE-13";

/** A refusal with `insufficient_scope`, and nothing was sent. Document, "Authentication", OAuth 2.0 path 11. */
export function expectSendRefused(attempt: SendAttempt): void {
  expectNotSent(attempt);
  expectInsufficientScope(attempt.exchange);
}

/** A refusal with `insufficient_scope`. Its status is judged over the whole run (ERR-08). */
export function expectInsufficientScope(exchange: Exchange): void {
  const { error } = jsonMembers(exchange);
  if (isRefusal(exchange) && error === "insufficient_scope") return;
  const hasNoCode = isRefusal(exchange) && typeof error !== "string";
  throw new Violation("a refusal with insufficient_scope", summary(exchange), {
    exchange,
    explainedBy: hasNoCode ? "ERR-01" : plainSend,
  });
}

/** Neither the answer, nor the recipient, nor the list of submissions says that the message was sent. */
export function expectNotSent({ exchange, hasArrived, isListed }: SendAttempt): void {
  if (!hasArrived && isListed !== true && !createsSubmission(exchange)) return;
  const seen = hasArrived ? "its message at the recipient" : "a submission of it";
  throw new Violation("nothing to be sent", `${summary(exchange)} and ${seen}`, {
    exchange,
    explainedBy: plainSend,
  });
}
