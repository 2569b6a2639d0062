import { jmapAs, jmapBody, type MethodCall, methodResponses, responseTo } from "../support/actors/jmap.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { isRefusalStatus } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, summary } from "../support/wire/exchange.ts";
import { type MarkedInbox, markedInbox, newDraft } from "./marked-inboxes.ts";

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

/** The id of what a call created, or undefined when it was not made. */
export function idIn(exchange: Exchange, callId: string, creationId: string): string | undefined {
  const created = responseTo(exchange, callId)?.args["created"];
  const made = isJsonObject(created) ? created[creationId] : undefined;
  const id = isJsonObject(made) ? made["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/**
 * A new message in an inbox.
 *
 * @throws {InconclusiveError} control-refused, when it cannot be created
 */
async function newMessage(target: Target, inbox: MarkedInbox, creationId = "d1"): Promise<string> {
  const create = { [creationId]: newDraft(inbox.mailboxId, `mailproof ${unguessable()}`) };
  const made = await ask(target.setup, inbox, [["Email/set", { create }, "0"]]);
  const id = idIn(made, "0", creationId);
  if (id !== undefined) return id;
  throw controlRefused("creating a draft in an inbox", "200 with created", made, "JMAP-07");
}

/** @throws {InconclusiveError} precondition-missing, when the selected inbox has a message of that id too */
export async function parties(target: Target): Promise<Parties> {
  const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
  const emailId = await newMessage(target, other);
  const found = await ask(target.setup, own, [["Email/get", { ids: [emailId], properties: ["id"] }, "0"]]);
  const list = responseTo(found, "0")?.args["list"];
  if (Array.isArray(list) && list.length > 0)
    throw new InconclusiveError(
      "precondition-missing",
      "needs a message whose id no message of the selected inbox has",
      { exchange: found, explainedBy: "HDR-17/email-id" },
    );
  return { own, other, emailId };
}

/** @throws {InconclusiveError} precondition-missing, when neither method responses nor a refusal came */
export function requireAnswered(exchange: Exchange): void {
  if (methodResponses(exchange) !== undefined || isRefusalStatus(exchange.response.status)) return;
  throw new InconclusiveError(
    "precondition-missing",
    `needs method responses or a refusal, got ${summary(exchange)}`,
    { exchange, explainedBy: "ERR-11" },
  );
}
