import type { WhichHuman } from "../support/actors/human.ts";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Exchange,
  isJsonObject,
  type JsonObject,
  jsonObjectsIn,
  summary,
} from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { exhaustion, isTooLarge } from "../support/judging/too-large.ts";
import { type GrantSpec, sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { type DraftAddresses, draftAddresses } from "../support/material/draft-addresses.ts";
import { draftMailboxIn, mailboxCalls } from "../support/actors/draft-mailbox.ts";
import {
  createdIdIn,
  inboxQuery,
  jmapAs,
  jmapBody,
  type MethodCall,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { newSubject, plainTextDraft } from "../support/material/plain-text-draft.ts";

/** An inbox of the first human, as JMAP knows it. */
export interface OwnInbox {
  readonly accountId: string;
  /** As the answers name the account. */
  readonly jmapAccountId: string;
  /** Of the mailbox that takes drafts. */
  readonly mailboxId: string;
}

/**
 * @param which - its `accountId`; the first that can be used unless given
 * @param human - whose it is
 * @throws {InconclusiveError} control-refused, when the inbox query is not answered
 */
export async function ownInbox(
  target: Target,
  which?: string,
  human: WhichHuman = "first",
): Promise<OwnInbox> {
  const accountId = which ?? (await inboxOf(target, human));
  return target.setup.once(`jmap:inbox:${accountId}`, async (recording) => {
    const token = await sharedAccessToken(recording, { human });
    const exchange = await jmapAs(recording, token, accountId, jmapBody(mailboxCalls()));
    const { accountId: jmapAccountId } = responseTo(exchange, "0")?.args ?? {};
    const mailboxId = draftMailboxIn(exchange);
    if (typeof jmapAccountId === "string" && mailboxId !== undefined)
      return { accountId, jmapAccountId, mailboxId };
    throw controlRefused("looking for the mailbox of an inbox", "200 with one id", exchange, "JMAP-04");
  });
}

/** Sends method calls for the first human's first inbox. */
export async function call(
  target: Target,
  calls: readonly MethodCall[],
  options: { using?: readonly string[]; grant?: GrantSpec } = {},
): Promise<Exchange> {
  return callBody(target, jmapBody(calls, options.using), options.grant);
}

/** Sends a body as it stands for the first human's first inbox. */
export async function callBody(target: Target, body: string, grant: GrantSpec = {}): Promise<Exchange> {
  return jmapAs(target, await sharedAccessToken(target, grant), await inboxOf(target), body);
}

/** Where a draft is put, and its `from`, `to` and other addresses. */
export interface DraftPlace {
  readonly mailboxId: string;
  readonly addresses: DraftAddresses;
}

/** As {@link ownInbox}, with the addresses that the target wants in its drafts. */
export async function draftInbox(target: Target, which?: string): Promise<OwnInbox & DraftPlace> {
  const inbox = await ownInbox(target, which);
  return { ...inbox, addresses: await draftAddresses(target, { ...inbox, human: "first" }) };
}

/** A draft of the document's shape. */
export function draft(
  { mailboxId, addresses }: DraftPlace,
  subject: string,
  more: JsonObject = {},
): JsonObject {
  return { ...plainTextDraft({ mailboxId, addresses, subject }), ...more };
}

/** @throws {InconclusiveError} precondition-missing, when a limit of the target refuses the request, a call or an object (C-93) */
export function requireWithinLimits(exchange: Exchange): void {
  const type = exhaustion(exchange);
  if (type !== undefined)
    throw new InconclusiveError(
      "precondition-missing",
      `the inbox takes or sends no more for now (${shown(type)}); a run puts some hundred messages into an inbox, and sends as many`,
      {
        exchange,
      },
    );
  if (!isTooLarge(exchange)) return;
  throw new InconclusiveError(
    "precondition-missing",
    "the limits of the target leave no room for what the check sends in one request",
    { exchange },
  );
}

/**
 * For a check that is about several objects in one call, or several calls: a target may take as few as it likes (RFC 8620 §2).
 *
 * @throws {NotApplicableError} when it takes fewer than there are
 */
export function requireSeveral(exchange: Exchange): Exchange {
  if (isTooLarge(exchange)) throw new NotApplicableError("the target takes fewer calls or objects at once");
  return exchange;
}

/** The arguments of the response to a call, which must have succeeded. */
export function expectResult(exchange: Exchange, callId: string, name: string): JsonObject {
  requireWithinLimits(exchange);
  const response = responseTo(exchange, callId);
  if (response?.name !== name) {
    const error = response === undefined ? "" : ` with ${response.name} ${shown(response.args["type"])}`;
    throw new Violation(`200 with a ${name} response`, `${summary(exchange)}${error}`, { exchange });
  }
  return response.args;
}

/**
 * The same for a check that is about something else of the response.
 *
 * @throws {InconclusiveError} precondition-missing, when the call failed
 */
export function requireResult(exchange: Exchange, callId: string, name: string): JsonObject {
  requireWithinLimits(exchange);
  const response = responseTo(exchange, callId);
  if (response?.name === name) return response.args;
  throw new InconclusiveError("precondition-missing", `needs a ${name} response, got ${summary(exchange)}`, {
    exchange,
    explainedBy: "JMAP-03",
  });
}

/** Whether a draft was refused for its `cc` and `bcc`, which the document does not show, or names no property at all. */
export function refusesCopies(exchange: Exchange, callId: string): boolean {
  const { notCreated } = responseTo(exchange, callId)?.args ?? {};
  const error = isJsonObject(notCreated) ? notCreated["d1"] : undefined;
  if (!isJsonObject(error) || error["type"] !== "invalidProperties") return false;
  const names = strings(error["properties"]);
  // An invalidProperties error need not name a property (RFC 8620 §5.3).
  return names.length === 0 || names.some((name) => /^b?cc(?:\/|$)/u.test(name));
}

/** The host of a mail address has no case (RFC 5321 §2.4), its local part may. */
export function withLowerCaseHost(address: unknown): unknown {
  return typeof address === "string" ? address.replace(/@.*$/u, (host) => host.toLowerCase()) : address;
}

export function strings(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item) => typeof item === "string");
}

/** Three drafts in one mailbox, each with its subject. */
export interface Drafts {
  readonly mailboxId: string;
  /** One call created them. Else each has a call of its own, which maxObjectsInSet asks for (RFC 8620 §2). */
  readonly isOneCall: boolean;
  readonly ids: readonly string[];
  readonly subjects: readonly string[];
}

// Long past, so that what else arrives meanwhile sorts apart from them. Neither the order of creation nor the minute
// tells the first two apart as their times do.
const receivedAt = ["2021-03-02T10:00:40Z", "2021-03-02T10:00:20Z", "2021-03-03T10:00:00Z"];

/**
 * Made once a run; no check changes them.
 *
 * @throws {InconclusiveError} control-refused, when they cannot be created
 */
export function threeDrafts(target: Target): Promise<Drafts> {
  return target.setup.once("jmap:drafts", async (recording) => {
    const inbox = await draftInbox(recording);
    const { mailboxId } = inbox;
    const subjects = receivedAt.map(newSubject);
    const dated = (at: number): JsonObject => ({ receivedAt: receivedAt[at] });
    let made = await createDrafts(recording, inbox, subjects, dated);
    const isOneCall = !isTooLarge(made.exchange);
    const create = isOneCall ? createDrafts : createSeparately;
    if (!isOneCall) made = await create(recording, inbox, subjects, dated);
    // The document's draft has no receivedAt: a target may refuse to take one.
    if (made.ids.length < subjects.length) made = await create(recording, inbox, subjects, () => ({}));
    if (made.ids.length !== subjects.length)
      throw controlRefused("creating three drafts", "200 with three in created", made.exchange, "JMAP-07");
    await untilFound(recording, mailboxId, made.ids);
    if (await areOfOneMoment(recording, made.ids)) await laterDraft(recording);
    return { mailboxId, isOneCall, subjects, ids: made.ids };
  });
}

// A UTCDate may be a whole second (RFC 8620 §1.4).
const betweenMomentsMs = 1100;

/** One more draft where the three are, whose receivedAt differs from that of everything before it. */
export async function laterDraft(target: Target): Promise<void> {
  const inbox = await draftInbox(target.setup);
  await delay(betweenMomentsMs);
  const { ids } = await createDrafts(target.setup, inbox, [newSubject()], () => ({}));
  await untilFound(target.setup, inbox.mailboxId, ids);
}

/** Whether all of them have the same receivedAt: a target may set it itself. What is sorted by it needs two. */
async function areOfOneMoment(target: Target, ids: readonly string[]): Promise<boolean> {
  const read = await call(target, [["Email/get", { ids, properties: ["receivedAt"] }, "0"]]);
  const times = jsonObjectsIn(responseTo(read, "0")?.args["list"]).map((message) => message["receivedAt"]);
  return times.length === ids.length && new Set(times).size === 1;
}

const pollMs = 250;
const pollsAtMost = 20;

/** Asks until a query finds these messages in the mailbox: it may lag behind what was created. */
async function untilFound(target: Target, mailboxId: string, ids: readonly string[]): Promise<void> {
  for (let poll = 0; poll < pollsAtMost; poll += 1) {
    const query: MethodCall = ["Email/query", { filter: { inMailbox: mailboxId }, limit: 50 }, "0"];
    const found = strings(responseTo(await call(target, [query]), "0")?.args["ids"]);
    if (ids.every((id) => found.includes(id))) return;
    await delay(pollMs);
  }
}

interface CreatedDrafts {
  readonly ids: string[];
  /** The last that created some. */
  readonly exchange: Exchange;
}

async function createDrafts(
  target: Target,
  place: DraftPlace,
  subjects: readonly string[],
  more: (at: number) => JsonObject,
): Promise<CreatedDrafts> {
  const create = Object.fromEntries(
    subjects.map((subject, at) => [`d${at}`, draft(place, subject, more(at))]),
  );
  const exchange = await call(target, [["Email/set", { create }, "0"]]);
  const args = responseTo(exchange, "0")?.args ?? {};
  return { exchange, ids: subjects.flatMap((_subject, at) => createdIdIn(args, `d${at}`) ?? []) };
}

async function createSeparately(
  target: Target,
  place: DraftPlace,
  subjects: readonly string[],
  more: (at: number) => JsonObject,
): Promise<CreatedDrafts> {
  const ids: string[] = [];
  for (let at = 0; ; at += 1) {
    const made = await createDrafts(target, place, subjects.slice(at, at + 1), () => more(at));
    ids.push(...made.ids);
    if (made.ids.length === 0 || at + 1 === subjects.length) return { ids, exchange: made.exchange };
  }
}

/** One more draft, in the inbox where it takes drafts and is another mailbox: what no query of `mailboxId` may find. */
export async function draftElsewhere(target: Target): Promise<void> {
  const exchange = await callBody(target.setup, inboxQuery);
  const [mailboxId] = strings(responseTo(exchange, "0")?.args["ids"]);
  if (mailboxId === undefined) return;
  const { addresses } = await draftInbox(target.setup);
  const create = { d1: draft({ mailboxId, addresses }, newSubject()) };
  await call(target.setup, [["Email/set", { create }, "0"]]);
}
