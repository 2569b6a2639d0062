import { unguessable } from "../actors/oauth-client.ts";
import type { JsonObject } from "../wire/exchange.ts";

interface PlainText {
  readonly mailboxId: string;
  /** `from`, `to` and the like; a target may take a draft without them. */
  readonly addresses?: JsonObject;
  readonly subject: string;
  /** The whole body. */
  readonly text?: string;
}

/** A draft of the document's shape, for `create` of an `Email/set`. Its text is the value of the part `body`. */
export function plainTextDraft({
  mailboxId,
  addresses = {},
  subject,
  text = "written by mailproof",
}: PlainText): JsonObject {
  return {
    mailboxIds: { [mailboxId]: true },
    keywords: { $draft: true },
    ...addresses,
    subject,
    textBody: [{ partId: "body", type: "text/plain" }],
    bodyValues: { body: { value: text } },
  };
}

/** A subject that no other message has. */
export function newSubject(): string {
  return `mailproof ${unguessable()}`;
}
