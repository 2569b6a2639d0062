import { createdId, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { addressOf, senderOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, type JsonObject } from "../support/wire/exchange.ts";
import { type MarkedInbox } from "./marked-inboxes.ts";
import {
  ask,
  foreignMessage,
  type Parties,
  parties,
  requireAnswered,
  requireForeign,
} from "./two-inboxes.ts";
import { newSubject, plainTextDraft } from "../support/material/plain-text-draft.ts";

type Pair = Pick<Parties, "own" | "other">;

/** Submits a message of the selected inbox to the person's other one, as the document shows it. */
async function submit(
  target: Target,
  { own, other }: Pair,
  emailId: string,
  more: JsonObject,
): Promise<Exchange> {
  const { email } = await senderOf(target, own.accountId);
  const rcptTo = [{ email: await addressOf(target, other.accountId) }];
  const create = { s1: { emailId, envelope: { mailFrom: { email }, rcptTo }, ...more } };
  return ask(target, own, [["EmailSubmission/set", { create }, "send"]]);
}

/**
 * What a submission needs beside the document's members, once a submission of the inbox's own message was created with it (C-21).
 *
 * @throws {InconclusiveError} control-refused, when none is
 */
async function sendingMembers(target: Target, both: Pair): Promise<JsonObject> {
  return target.control.once(`account-header:sending:${both.own.accountId}`, async (recording) => {
    const emailId = await addressed(recording, both.own, both);
    const plain = await submit(recording, both, emailId, {});
    if (createdId(plain, "send", "s1") !== undefined) return {};
    const { identityId } = await senderOf(recording, both.own.accountId);
    const identified = await submit(recording, both, emailId, { identityId });
    if (createdId(identified, "send", "s1") !== undefined) return { identityId };
    throw controlRefused(
      "sending a message of the selected inbox",
      "200 with created",
      identified,
      "JMAP-08",
    );
  });
}

/**
 * Two inboxes of a person, the selected one or the other of which sends: either may be active and read only (C-86).
 *
 * @throws {InconclusiveError} control-refused, when neither sends
 */
async function sendingParties(
  target: Target,
  sender: keyof Pair,
): Promise<Pair & { readonly more: JsonObject }> {
  const { own, other } = await parties(target);
  const [usual, swapped] = [
    { own, other },
    { own: other, other: own },
  ];
  const [first, second] = sender === "own" ? [usual, swapped] : [swapped, usual];
  try {
    return { ...usual, more: await sendingMembers(target, first) };
  } catch (error) {
    if (!(error instanceof InconclusiveError) || error.code !== "control-refused") throw error;
    return { ...swapped, more: await sendingMembers(target, second) };
  }
}

/**
 * A draft with the addresses of a message that could be sent from the selected inbox.
 *
 * @throws {InconclusiveError} control-refused, when the inbox takes no draft
 * @throws {NotApplicableError} when it takes none with another inbox's address in `from`
 */
async function addressed(
  target: Target,
  inbox: MarkedInbox,
  { own, other }: Pair,
  creationId = "d1",
): Promise<string> {
  const { email } = await senderOf(target, own.accountId);
  const message = {
    ...plainTextDraft({ ...inbox, subject: newSubject() }),
    from: [{ email }],
    to: [{ email: await addressOf(target, other.accountId) }],
  };
  const made = await ask(target.setup, inbox, [["Email/set", { create: { [creationId]: message } }, "0"]]);
  const id = createdId(made, "0", creationId);
  if (id !== undefined) return id;
  if (inbox.accountId !== own.accountId) {
    const create = { d1: plainTextDraft({ ...inbox, subject: newSubject() }) };
    const plain = await ask(target.setup, inbox, [["Email/set", { create }, "0"]]);
    if (createdId(plain, "0", "d1") !== undefined)
      throw new NotApplicableError("the target takes no draft with the address of another inbox in `from`");
  }
  throw controlRefused("creating a draft in an inbox", "200 with created", made, "JMAP-07");
}

function expectNoSubmission(exchange: Exchange): void {
  requireAnswered(exchange);
  const id = createdId(exchange, "send", "s1");
  expectThat(id === undefined, "no submission", `created.s1.id ${shown(id)}`, exchange);
}

const submissions = [
  {
    slug: "submission",
    words: "the id of another owned inbox's message",
    nameOf: (emailId: string, _creationId: string) => emailId,
  },
  {
    slug: "creation-id",
    words: "a creation id of an earlier request in another owned inbox",
    nameOf: (_emailId: string, creationId: string) => `#${creationId}`,
  },
].map(({ slug, words, nameOf }) =>
  check({
    id: `HDR-17/${slug}`,
    claim: `Under the header of one inbox, \`EmailSubmission/set\` with ${words} creates no submission.`,
    needs: ["human"],
    async act(target) {
      const { own, other, more } = await sendingParties(target, "own");
      const creationId = `k${unguessable()}`;
      const emailId = await foreignMessage(target, own, () =>
        addressed(target, other, { own, other }, creationId),
      );
      const exchange = await submit(target, { own, other }, nameOf(emailId, creationId), more);
      await requireForeign(target, { own, other, emailId });
      return exchange;
    },
    assert: expectNoSubmission,
  }),
);

const submittedThere = check({
  id: "HDR-15/submission",
  claim:
    "Under the header of one inbox, `EmailSubmission/set` with the `accountId` of another owned inbox sends no message of that one.",
  needs: ["human"],
  async act(target) {
    const { own, other, more } = await sendingParties(target, "other");
    // All that the other inbox could send by itself.
    const emailId = await foreignMessage(target, own, () =>
      addressed(target, other, { own: other, other: own }),
    );
    const { email, identityId } = await senderOf(target, other.accountId);
    const rcptTo = [{ email: await addressOf(target, own.accountId) }];
    const identity = "identityId" in more ? { identityId } : {};
    const create = { s1: { emailId, envelope: { mailFrom: { email }, rcptTo }, ...identity } };
    const exchange = await ask(target, own, [
      ["EmailSubmission/set", { accountId: other.jmapAccountId, create }, "send"],
    ]);
    await requireForeign(target, { own, other, emailId });
    return exchange;
  },
  // Where the body selects any inbox, it selects this one.
  assert: (exchange) => explained("HDR-16/get", () => expectNoSubmission(exchange)),
});

const listedThere = check({
  id: "HDR-17/all-submissions",
  claim:
    "Under the header of one inbox, `EmailSubmission/get` of all submissions returns none of another owned inbox.",
  needs: ["human"],
  async act(target) {
    const { own, other, more } = await sendingParties(target, "other");
    const { email: mailFrom } = await senderOf(target, other.accountId);
    if (mailFrom === (await senderOf(target, own.accountId)).email)
      throw new NotApplicableError("both inboxes send under one address");
    const sender = { own: other, other: own };
    const made = await submit(target.setup, sender, await addressed(target, other, sender), more);
    const id = createdId(made, "send", "s1");
    if (id === undefined) throw controlRefused("sending a message", "200 with created", made, "JMAP-08");
    const all: MethodCall = ["EmailSubmission/get", { ids: null }, "0"];
    if (!submissionsIn(await ask(target.control, other, [all]))?.some((each) => each["id"] === id))
      throw new NotApplicableError("the target does not list what an inbox has submitted");
    return { exchange: await ask(target, own, [all]), id, mailFrom };
  },
  assert({ exchange, id, mailFrom }) {
    requireAnswered(exchange);
    const list = submissionsIn(exchange);
    if (list === undefined) throw new NotApplicableError("the target lists no submissions for the inbox");
    // Accounts may count their submissions alike: the sender tells them apart.
    const foreign = list.find((each) => each["id"] === id && senderIn(each) === mailFrom);
    expectThat(foreign === undefined, "no submission of the other inbox", "its submission", exchange);
  },
});

/** Undefined where the call was not carried out. */
function submissionsIn(exchange: Exchange): JsonObject[] | undefined {
  const { name, args } = responseTo(exchange, "0") ?? {};
  const list = name === "EmailSubmission/get" ? args?.["list"] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : undefined;
}

function senderIn({ envelope }: JsonObject): unknown {
  const mailFrom = isJsonObject(envelope) ? envelope["mailFrom"] : undefined;
  return isJsonObject(mailFrom) ? mailFrom["email"] : undefined;
}

/** What is in another inbox is not sent under the selected one's header. Document, "Authentication", OAuth 2.0 path 9. */
export const submissionChecks = [...submissions, submittedThere, listedThere];
