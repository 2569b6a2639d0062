import { createdId, createdIdIn, inboxQuery, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isSameJson, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { addressOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import {
  call,
  callBody,
  draft,
  draftInbox,
  expectResult,
  ownInbox,
  requireResult,
  strings,
  threeDrafts,
  withLowerCaseHost,
} from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

/** Creates a draft, and reads it when that succeeded. */
interface MadeDraft {
  readonly made: Exchange;
  readonly read: Exchange;
}

async function makeDraft(
  target: Target,
  message: JsonObject,
  properties: readonly string[],
): Promise<MadeDraft> {
  const made = await call(target, [["Email/set", { create: { d1: message } }, "0"]]);
  const id = createdId(made, "0", "d1") ?? "";
  return { made, read: await call(target, [["Email/get", { ids: [id], properties }, "0"]]) };
}

function isMade({ made }: MadeDraft): boolean {
  return createdId(made, "0", "d1") !== undefined;
}

/** The draft as `Email/get` returned it. JMAP-07 judges whether one can be created at all. */
function draftIn({ made, read }: MadeDraft): JsonObject {
  const id = createdIdIn(requireResult(made, "0", "Email/set"), "d1");
  explained("JMAP-07", () => expectThat(id !== undefined, "created.d1.id", "none", made));
  const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
  return message;
}

/** The mailbox of drafts and another one, where the inbox has two that take a draft together (RFC 8621 §1.2). */
async function draftInTwoMailboxes(
  target: Target,
): Promise<MadeDraft & { readonly sent: readonly string[] }> {
  const place = await draftInbox(target);
  const { mailboxId } = place;
  const [inbox, all] = await Promise.all([
    callBody(target.setup, inboxQuery),
    call(target.setup, [["Mailbox/query", {}, "0"]]),
  ]);
  const ids = [inbox, all].flatMap((exchange) => strings(responseTo(exchange, "0")?.args["ids"]));
  const other = ids.find((id) => id !== mailboxId);
  const createIn = async (sent: readonly string[]): Promise<MadeDraft & { sent: readonly string[] }> => {
    const mailboxIds = Object.fromEntries(sent.map((id) => [id, true]));
    const message = draft(place, newSubject(), { mailboxIds });
    return { ...(await makeDraft(target, message, ["mailboxIds"])), sent };
  };
  if (other === undefined) return createIn([mailboxId]);
  const inBoth = await createIn([mailboxId, other]);
  // maxMailboxesPerEmail may be 1 (RFC 8621 §1.3.1).
  return isMade(inBoth) ? inBoth : createIn([mailboxId]);
}

const twoMailboxes = check({
  id: "JMAP-07/mailboxes",
  claim: "A draft that `Email/set` creates in two mailboxes, where the account lets it, is in both of them.",
  needs: ["human"],
  act: draftInTwoMailboxes,
  assert(drafted) {
    const { mailboxIds } = draftIn(drafted);
    const isIn = (id: string): boolean => isJsonObject(mailboxIds) && mailboxIds[id] === true;
    expectThat(
      drafted.sent.every(isIn),
      `mailboxIds with ${drafted.sent.join(" and ")}`,
      shown(mailboxIds),
      drafted.read,
    );
  },
});

const keywords = { $draft: true, $flagged: true };

const secondKeyword = check({
  id: "JMAP-07/second-keyword",
  claim: "A draft that `Email/set` creates with `$draft` and `$flagged` has the keyword `$draft`.",
  needs: ["human"],
  async act(target) {
    const place = await draftInbox(target);
    const drafted = await makeDraft(target, draft(place, newSubject(), { keywords }), ["keywords"]);
    // The document shows `$draft` alone, and a target may take no other.
    if (!isMade(drafted) && isMade(await makeDraft(target.setup, draft(place, newSubject()), [])))
      throw new NotApplicableError("the target creates no draft with a keyword beside `$draft`");
    return drafted;
  },
  assert(drafted) {
    const { keywords: read } = draftIn(drafted);
    const isDraft = isJsonObject(read) && read["$draft"] === true;
    explained("JMAP-07", () => expectThat(isDraft, "the keyword $draft", shown(read), drafted.read));
  },
});

interface Address {
  readonly name: string | null;
  readonly email: unknown;
}

type Addresses = Readonly<Record<string, readonly Address[]>>;

const to: readonly Address[] = [{ name: "Zo\u{EB} Example", email: "zoe@example.test" }];

const copies: Addresses = {
  cc: [
    { name: "Second, With a Comma", email: "second@example.test" },
    { name: null, email: "third@example.test" },
  ],
  bcc: [{ name: "Fourth", email: "fourth@example.test" }],
};

/**
 * The draft with the most addresses that the target takes. The document shows `from` and `to` alone, and who may write which
 * name into `from` is the target's own choice.
 */
async function addressedDraft(target: Target): Promise<MadeDraft & { readonly sent: Addresses }> {
  const { accountId, mailboxId } = await ownInbox(target);
  const email = await addressOf(target, accountId);
  const makeWith = async (sent: Addresses): Promise<MadeDraft & { readonly sent: Addresses }> => {
    const message = draft({ mailboxId, addresses: sent }, newSubject());
    return { ...(await makeDraft(target, message, Object.keys(sent))), sent };
  };
  const named = [{ name: "Mail Proof", email }];
  const unnamed = [{ name: null, email }];
  const whole = await makeWith({ from: named, to, ...copies });
  if (isMade(whole)) return whole;
  for (const sent of [
    { from: named, to },
    { from: unnamed, to, ...copies },
    { from: unnamed, to },
  ]) {
    const drafted = await makeWith(sent);
    if (isMade(drafted)) return drafted;
  }
  return whole;
}

// An empty name is none, as in a header that has an address alone.
const asRead = (list: unknown): readonly Address[] =>
  jsonObjectsIn(list).map(({ name, email }) => ({
    name: typeof name === "string" && name !== "" ? name : null,
    email: withLowerCaseHost(email),
  }));

const addresses = check({
  id: "JMAP-07/addresses",
  claim:
    "The names and addresses in `from`, `to` and, where taken, `cc` and `bcc` of a draft are read by `Email/get` as `Email/set` got them.",
  needs: ["human"],
  act: addressedDraft,
  assert(drafted): Warning | undefined {
    const message = draftIn(drafted);
    const { from, ...others } = drafted.sent;
    for (const [property, sent] of Object.entries(others)) {
      const [read, expected] = [asRead(message[property]), asRead(sent)];
      expectThat(isSameJson(read, expected), `${property} ${shown(expected)}`, shown(read), drafted.read);
    }
    const [read, expected] = [asRead(message["from"]), asRead(from)];
    const emailsOf = (list: readonly Address[]): readonly unknown[] => list.map(({ email }) => email);
    expectThat(
      isSameJson(emailsOf(read), emailsOf(expected)),
      `from ${shown(expected)}`,
      shown(read),
      drafted.read,
    );
    return isSameJson(read, expected)
      ? undefined
      : warning(`the name in \`from\` ${shown(expected)} was read as ${shown(read)}`);
  },
});

/** Properties that every message has, with their types (RFC 8621 §4.1). */
const always: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => typeof value === "string",
  subject: (value) => typeof value === "string",
  receivedAt: (value) => typeof value === "string" && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/u.test(value),
  preview: (value) => typeof value === "string",
};

const severalRead = check({
  id: "JMAP-06/several",
  claim:
    "`Email/get` of three messages with a subject returns each with `id`, `subject` and `preview` as texts and `receivedAt` as a UTC date.",
  needs: ["human"],
  async act(target) {
    const { ids } = await threeDrafts(target);
    return call(target, [["Email/get", { ids, properties: Object.keys(always) }, "0"]]);
  },
  assert(exchange) {
    const messages = jsonObjectsIn(expectResult(exchange, "0", "Email/get")["list"]);
    expectThat(messages.length === 3, "three messages", `${messages.length}`, exchange);
    for (const message of messages) {
      for (const [property, isRight] of Object.entries(always)) {
        const value = message[property];
        explained("JMAP-06/properties", () => expectThat(value !== undefined, property, "none", exchange));
        expectThat(isRight(value), `${property} of each message`, shown(value), exchange);
      }
    }
  },
});

/** What a draft keeps, and what is read of each of several. Document, "Endpoints", JMAP API; RFC 8621 §4. */
export const draftChecks = [twoMailboxes, secondKeyword, addresses, severalRead];
