import { jmapBody, type MethodCall, responseTo, urn } from "../actors/jmap.ts";
import { NotApplicableError } from "../verdict.ts";
import { type Exchange, isJsonObject, type JsonObject } from "../wire/exchange.ts";
import type { Ask } from "./reading-methods.ts";
import { newMessage, type Writable } from "./writing-methods.ts";
import { newSubject, plainTextDraft } from "./plain-text-draft.ts";

const blobUrn = "urn:ietf:params:jmap:blob";

/** The blob of a message, for its owner; undefined where the target names none. */
export async function blobIdOf(ask: Ask, accountId: string, emailId: string): Promise<string | undefined> {
  const call: MethodCall = ["Email/get", { accountId, ids: [emailId], properties: ["id", "blobId"] }, "0"];
  const list = responseTo(await ask(jmapBody([call])), "0")?.args["list"];
  return textOf(Array.isArray(list) ? list[0] : undefined, "blobId");
}

/** Downloads a blob of the own account; undefined where the target offers no downloads. */
export type Download = (blobId: string) => Promise<Exchange | undefined>;

/** Answers to the own credential, and the subject of the message that they must not show. */
export interface BlobUses {
  readonly exchanges: readonly Exchange[];
  readonly marker: string;
}

/**
 * Parses, imports, attaches, copies and reads a new message of another account by the id of its blob, and reads what came
 * of it, by downloads too: a target need not parse messages.
 *
 * @throws {InconclusiveError} control-refused, when the message cannot be created
 * @throws {NotApplicableError} when the target names no blob of it
 */
export async function blobUses(own: Writable, other: Writable, download: Download): Promise<BlobUses> {
  const { ask, account: accountId } = own;
  const marker = newSubject();
  const { blobId } = await newMessage(other, {}, marker);
  if (typeof blobId !== "string") throw new NotApplicableError("the target names no blob of a new message");
  const mailboxIds = { [own.mailboxId]: true };
  const used = await ask(
    jmapBody([
      ["Email/parse", { accountId, blobIds: [blobId], properties: ["subject"] }, "parse"],
      ["Email/import", { accountId, emails: { i1: { blobId, mailboxIds } } }, "import"],
      ["Email/set", { accountId, create: { d1: withAttachment(own, blobId) } }, "attach"],
    ]),
  );
  const copied = await ask(
    jmapBody([["Blob/copy", { accountId, fromAccountId: other.account, blobIds: [blobId] }, "copy"]]),
  );
  const read = await ask(
    jmapBody(
      [["Blob/get", { accountId, ids: [blobId], properties: ["data:asText"] }, "get"]],
      [urn.core, blobUrn],
    ),
  );
  return { exchanges: [used, copied, read, ...(await readBack(own, { used, copied, download }))], marker };
}

function withAttachment({ mailboxId, addresses }: Writable, blobId: string): JsonObject {
  return {
    ...plainTextDraft({ mailboxId, addresses, subject: "mailproof" }),
    attachments: [{ blobId, type: "message/rfc822", name: "mail.eml", disposition: "attachment" }],
  };
}

/** Shows the own messages and blobs that were made of the other account's. */
async function readBack(
  own: Writable,
  { used, copied, download }: { used: Exchange; copied: Exchange; download: Download },
): Promise<Exchange[]> {
  const { ask, account: accountId } = own;
  const made = ["import", "attach"].flatMap((callId) => createdIds(used, callId));
  const exchanges: Exchange[] = [];
  const copies = textsOf(responseTo(copied, "copy")?.args["copied"]);
  if (made.length > 0) {
    const properties = ["subject", "attachments"];
    const messages = await ask(jmapBody([["Email/get", { accountId, ids: made, properties }, "made"]]));
    exchanges.push(messages);
    copies.push(...attachedBlobs(messages));
  }
  if (copies.length > 0)
    exchanges.push(
      await ask(
        jmapBody([["Email/parse", { accountId, blobIds: copies, properties: ["subject"] }, "copies"]]),
      ),
    );
  for (const blobId of copies)
    exchanges.push(...[await download(blobId)].filter((each) => each !== undefined));
  return exchanges;
}

function createdIds(exchange: Exchange, callId: string): string[] {
  const created = responseTo(exchange, callId)?.args["created"];
  return isJsonObject(created) ? Object.values(created).flatMap((made) => textOf(made, "id") ?? []) : [];
}

function attachedBlobs(messages: Exchange): string[] {
  return listOf(responseTo(messages, "made")?.args["list"])
    .flatMap((mail) => (isJsonObject(mail) ? listOf(mail["attachments"]) : []))
    .flatMap((part) => textOf(part, "blobId") ?? []);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(object: unknown, member: string): string | undefined {
  const value = isJsonObject(object) ? object[member] : undefined;
  return typeof value === "string" ? value : undefined;
}

function textsOf(object: unknown): string[] {
  return isJsonObject(object) ? Object.values(object).filter((value) => typeof value === "string") : [];
}
