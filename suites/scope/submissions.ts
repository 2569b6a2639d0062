import { controlRefused } from "../support/wire/control-refused.ts";
import type { Exchange, JsonObject } from "../support/wire/exchange.ts";
import { provingDelivery } from "../support/material/delivery.ts";
import { addressOf, inboxesOf, inboxOf, senderOf, twoInboxes } from "../support/material/inboxes.ts";
import { createdId, jmapAs, jmapBody, type MethodCall, methodResponses } from "../support/actors/jmap.ts";
import { InconclusiveError } from "../support/verdict.ts";
import type { Target } from "../support/target/target.ts";
import { arrivalMs, type Mailbox, mailboxOf } from "./mailboxes.ts";
import { sendingToken } from "./scoped-tokens.ts";
import { newSubject, plainTextDraft } from "../support/material/plain-text-draft.ts";

/** From one inbox of the first human to another: what is sent stays with the tester. */
export interface Route {
  readonly from: Mailbox;
  readonly fromAddress: string;
  readonly sink: Mailbox;
  readonly sinkAddress: string;
  /** What this target wants in a submission beside the document's members. */
  readonly more: JsonObject;
}

/**
 * The way from an inbox of the first human, its first unless given, to another of their inboxes, or to itself where
 * there is no other. Nothing is sent.
 */
export async function routeFrom(target: Target, accountId?: string): Promise<Route> {
  const owned = (await inboxesOf(target)).map((entry) => entry.accountId);
  const from = accountId ?? (await inboxOf(target));
  const sink = owned.find((candidate) => candidate !== from) ?? from;
  const token = await sendingToken(target);
  return {
    from: await mailboxOf(target, token, from),
    fromAddress: await addressOf(target, from),
    sink: await mailboxOf(target, token, sink),
    sinkAddress: await addressOf(target, sink),
    more: {},
  };
}

/** A way over which a token with mail.send has sent in this run. */
export interface ProvenRoute extends Route {
  /** How long that message took to its recipient; undefined when it was not seen there. */
  readonly deliveryMs: number | undefined;
  /** Of that message. */
  readonly provenSubject: string;
}

/**
 * The same way, over which a token with mail.send has sent in this run: the control of every refused send.
 *
 * @throws {BlockedError} when the first human owns a single inbox: what arrived could not be told from what was drafted
 * @throws {InconclusiveError} control-refused, when that send is refused too
 */
export async function provenRoute(target: Target, accountId?: string): Promise<ProvenRoute> {
  await twoInboxes(target);
  if (accountId === undefined) return provenRouteFromAny(target);
  return target.control.once(`scope:route:${accountId}`, async (recording) =>
    prove(recording, await routeFrom(recording, accountId)),
  );
}

/** From the first inbox that sends: another may be active and read only (C-86). */
async function provenRouteFromAny(target: Target): Promise<ProvenRoute> {
  const refusals: InconclusiveError[] = [];
  for (const { accountId } of await inboxesOf(target)) {
    try {
      return await provenRoute(target, accountId);
    } catch (error) {
      if (!(error instanceof InconclusiveError) || error.code !== "control-refused") throw error;
      refusals.push(error);
    }
  }
  throw refusals[0] ?? new TypeError("a person with two inboxes has one to send from");
}

async function prove(target: Target, route: Route): Promise<ProvenRoute> {
  const token = await sendingToken(target);
  const { message, exchange } = await sendNew(target, token, route);
  if (submissionIn(exchange) === undefined)
    throw controlRefused("sending with a token that has mail.send", "200 with created", exchange, "SCOPE-23");
  const { sink } = message.route;
  const deliveryMs = await provingDelivery(target, (withinMs) =>
    arrivalMs(target, token, sink, message.subject, withinMs),
  );
  return { ...message.route, deliveryMs, provenSubject: message.subject };
}

/** Sends a fresh draft, with an identityId when it is not sent without (C-21). */
export async function sendNew(
  target: Target,
  token: string,
  route: Route,
): Promise<{ message: Message; exchange: Exchange }> {
  const { accountId } = route.from;
  const message = await newMessage(target, route);
  const exchange = await jmapAs(target, token, accountId, jmapBody([sendCall(message)]));
  if (methodResponses(exchange) === undefined || submissionIn(exchange) !== undefined)
    return { message, exchange };
  // RFC 8621 §7 requires identityId, which the document's request lacks.
  const { identityId } = await senderOf(target, accountId);
  if (identityId === undefined) return { message, exchange };
  const more = { identityId };
  const again = { ...message, route: { ...route, more } };
  return { message: again, exchange: await jmapAs(target, token, accountId, jmapBody([sendCall(again)])) };
}

/** The id of the submission that call `send` made, or undefined. */
export function submissionIn(exchange: Exchange): string | undefined {
  const id = createdId(exchange, "send", "s1");
  return typeof id === "string" ? id : undefined;
}

/** A draft that waits to be sent. */
export interface Message {
  readonly route: Route;
  readonly emailId: string;
  /** In no other message. */
  readonly subject: string;
}

/** @throws {InconclusiveError} control-refused, when the draft cannot be created */
export async function newMessage(target: Target, route: Route): Promise<Message> {
  const subject = newSubject();
  const body = jmapBody([["Email/set", { create: { d1: draftFor(route, subject) } }, "0"]]);
  const exchange = await jmapAs(target.setup, await sendingToken(target), route.from.accountId, body);
  const emailId = createdId(exchange, "0", "d1");
  if (typeof emailId === "string") return { route, emailId, subject };
  throw controlRefused("creating a draft to be sent", "200 with created", exchange, "JMAP-07");
}

/** A draft of a message that takes the route. */
export function draftFor({ from, fromAddress, sinkAddress }: Route, subject: string): JsonObject {
  const addresses = { from: [{ email: fromAddress }], to: [{ email: sinkAddress }] };
  return plainTextDraft({ mailboxId: from.draftsId, addresses, subject });
}

/** The creation of a submission as the document shows it. */
export function submission({ route, emailId }: Pick<Message, "route" | "emailId">): JsonObject {
  return {
    emailId,
    envelope: { mailFrom: { email: route.fromAddress }, rcptTo: [{ email: route.sinkAddress }] },
    ...route.more,
  };
}

/** EmailSubmission/set that sends the message. */
export function sendCall(message: Pick<Message, "route" | "emailId">, more: JsonObject = {}): MethodCall {
  return ["EmailSubmission/set", { create: { s1: submission(message) }, ...more }, "send"];
}
