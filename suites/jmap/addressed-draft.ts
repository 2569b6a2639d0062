import { ifShown } from "../support/material/draft-addresses.ts";
import { addressOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { call, draft, ownInbox } from "./own-inbox.ts";
import { createdId } from "../support/actors/jmap.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

/** In `to` of the draft. */
export const recipients = ["to@example.test", "second@example.test"];

/** A draft as the document shows it, and what came of it. */
interface AddressedDraft {
  readonly made: Exchange;
  readonly subject: string;
  readonly mailboxId: string;
  readonly from: string;
}

/** Created once a run. @throws {BlockedError} when nothing shows the address of the inbox */
export function addressedDraft(target: Target): Promise<AddressedDraft> {
  return target.once("jmap:addressed-draft", async (recording) => {
    const { accountId, mailboxId } = await ownInbox(recording);
    const subject = newSubject();
    const from = await addressOf(recording, accountId);
    const addresses = { from: [{ email: from }], to: recipients.map((email) => ({ email })) };
    const create = { d1: draft({ mailboxId, addresses }, subject) };
    return { made: await call(recording, [["Email/set", { create }, "0"]]), subject, mailboxId, from };
  });
}

/** The id of a message that has a sender, where the target takes one and shows the address of the inbox. */
export async function idOfAddressed(target: Target): Promise<string | undefined> {
  const drafted = await ifShown(() => addressedDraft(target));
  return drafted && createdId(drafted.made, "0", "d1");
}
