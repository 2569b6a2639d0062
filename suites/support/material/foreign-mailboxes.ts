import { createdId, jmapBody, type MethodCall } from "../actors/jmap.ts";
import { unguessable } from "../actors/oauth-client.ts";
import { NotApplicableError } from "../verdict.ts";
import { type Exchange, showsText } from "../wire/exchange.ts";
import type { Writable } from "./writing-methods.ts";

/** The answer to the own credential, and the name of a mailbox that it must not show. */
export interface ForeignMailboxes {
  readonly exchange: Exchange;
  readonly name: string;
}

/**
 * Lists the mailboxes of another account under the own credential. Accounts may have mailboxes of the same ids and names:
 * only a new one tells them apart.
 *
 * @throws {NotApplicableError} when the target lets its owner make no mailbox, which is not a method of the document
 */
export async function foreignMailboxes(own: Writable, other: Writable): Promise<ForeignMailboxes> {
  const { account: accountId } = other;
  const name = `mailproof ${unguessable()}`;
  const list = jmapBody([["Mailbox/get", { accountId, ids: null }, "0"]]);
  const id = createdId(
    await other.ask(setBody({ accountId, create: { m1: { name, parentId: null } } })),
    "0",
    "m1",
  );
  if (id === undefined) throw new NotApplicableError("the target lets an owner make no mailbox");
  try {
    if (!showsText(await other.ask(list), name))
      throw new NotApplicableError("Mailbox/get shows an owner no name of a mailbox");
    return { exchange: await own.ask(list), name };
  } finally {
    await other.ask(setBody({ accountId, destroy: [id] }));
  }
}

function setBody(args: MethodCall[1]): string {
  return jmapBody([["Mailbox/set", args, "0"]]);
}
