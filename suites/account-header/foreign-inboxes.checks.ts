import { randomUUID } from "node:crypto";
import { accountHeader, jmapBody, type MethodCall, requireServed, urn } from "../support/actors/jmap.ts";
import type { NewestMails } from "../support/actors/newest-mails.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { addressOf, foreignInbox, listedInboxes } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, showsText } from "../support/wire/exchange.ts";
import { expectDenied, foreignDenied } from "./denied.ts";
import { hasSubject, type MarkedInbox, markedInbox, newestOf } from "./marked-inboxes.ts";
import { selecting, selectingValue, servedSelection } from "./selection.ts";
import { newSubject, plainTextDraft } from "../support/material/plain-text-draft.ts";

const readings: readonly {
  slug: string;
  words: string;
  using: readonly string[];
  calls: (inbox: MarkedInbox) => MethodCall[];
}[] = [
  {
    slug: "mailbox-query",
    words: "Mailbox/query",
    using: [urn.core, urn.mail],
    calls: () => [["Mailbox/query", { filter: { role: "inbox" } }, "0"]],
  },
  {
    slug: "email-query",
    words: "Email/query",
    using: [urn.core, urn.mail],
    calls: ({ mailboxId }) => [["Email/query", { filter: { inMailbox: mailboxId } }, "0"]],
  },
  {
    slug: "core-echo",
    words: "Core/echo",
    using: [urn.core],
    calls: () => [["Core/echo", { hello: "mailproof" }, "0"]],
  },
  {
    slug: "email-submission",
    words: "EmailSubmission/set",
    using: [urn.core, urn.mail, urn.submission],
    // The draft has no recipient, so that nothing leaves even where this is served.
    calls: ({ emailId }) => [["EmailSubmission/set", { create: { s1: { emailId } } }, "0"]],
  },
];

const foreignReading = readings.map(({ slug, words, using, calls }) => {
  const id = `HDR-11/${slug}`;
  return check({
    id,
    claim: `\`${words}\` for another person's inbox is refused with 403 \`access_denied\`.`,
    needs: ["human", "second-human"],
    async act(target) {
      const { token } = await servedSelection(target);
      const foreign = await markedInbox(target, "foreign");
      return selecting(target, token, [accountHeader(target, foreign.accountId)], {
        body: jmapBody(calls(foreign), using),
      });
    },
    assert: (exchange) =>
      explained(id === foreignDenied ? undefined : foreignDenied, () => expectDenied(exchange)),
  });
});

/** Calls that no other check makes for another person's inbox; each is a request of its own. */
const otherCalls: readonly ((inbox: MarkedInbox) => MethodCall)[] = [
  () => ["Mailbox/get", { ids: null }, "0"],
  ({ emailId }) => ["Email/get", { ids: [emailId], properties: ["id", "subject"] }, "0"],
  () => ["Email/changes", { sinceState: "0" }, "0"],
  ({ emailId }) => ["Email/set", { update: { [emailId]: { "keywords/$flagged": null } } }, "0"],
  () => ["Email/set", { destroy: [] }, "0"],
  () => ["Thread/get", { ids: [] }, "0"],
  () => ["Identity/get", { ids: null }, "0"],
  () => ["EmailSubmission/get", { ids: null }, "0"],
  () => ["EmailSubmission/query", { limit: 1 }, "0"],
  () => ["Mailproof/nothing", {}, "0"],
];

const foreignCalls = check({
  id: "HDR-11/other-calls",
  claim:
    "Another person's inbox is refused with 403 `access_denied` for each of ten other calls, one of them of an unknown method.",
  needs: ["human", "second-human"],
  async act(target) {
    const { token } = await servedSelection(target);
    const foreign = await markedInbox(target, "foreign");
    const exchanges: Exchange[] = [];
    for (const call of otherCalls)
      exchanges.push(
        await selecting(target, token, [accountHeader(target, foreign.accountId)], {
          body: jmapBody([call(foreign)]),
        }),
      );
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges) explained(foreignDenied, () => expectDenied(exchange));
  },
});

const noCalls = check({
  id: "HDR-11/no-calls",
  claim:
    "Another person's inbox is refused with 403 `access_denied` for a request without method calls, which is answered for an owned one.",
  needs: ["human", "second-human"],
  async act(target) {
    const { token, accountId } = await servedSelection(target);
    const ask = (asking: Target, value: string): Promise<Exchange> =>
      selecting(asking, token, [accountHeader(asking, value)], { body: jmapBody([]) });
    const owned = await ask(target.control, accountId);
    // RFC 8620 §3.3 gives methodCalls no least length, and the document names no such request.
    if (isRefusal(owned)) throw new NotApplicableError("the target takes no request without method calls");
    requireServed(owned, "a request without method calls");
    return ask(target, await foreignInbox(target));
  },
  assert: (exchange) => explained(foreignDenied, () => expectDenied(exchange)),
});

// A name this short may stand in a sentence by chance.
const shortestName = 5;

const namesNothing = check({
  id: "HDR-11/names-nothing",
  claim:
    "The refusal for another person's inbox shows neither its `inboxId` nor its address, nor those of the person's other inboxes.",
  needs: ["human", "second-human"],
  async act(target) {
    const { token } = await servedSelection(target);
    const foreignId = await foreignInbox(target);
    const names = (await listedInboxes(target, "second")).map(({ inboxId }) => inboxId);
    names.push(await addressOf(target, foreignId, "second"));
    const owned = (await listedInboxes(target)).map(({ inboxId }) => inboxId);
    // What the refusal for nobody's inbox has too is not a name.
    const unknown = await selectingValue(target.setup, token, randomUUID());
    const isTelling = (name: string): boolean =>
      name.length >= shortestName &&
      !owned.includes(name) &&
      // A refusal may repeat what it was asked for.
      !foreignId.toLowerCase().includes(name.toLowerCase()) &&
      !showsText(unknown, name);
    const telling = names.filter(isTelling);
    return { exchange: await selectingValue(target, token, foreignId), telling };
  },
  assert({ exchange, telling }) {
    const named = telling.find((name) => showsText(exchange, name));
    explained(foreignDenied, () =>
      expectThat(named === undefined, "no name of the inbox", shown(named), exchange),
    );
  },
});

/** An attempt to create a draft in another person's inbox, and what that inbox holds afterwards. */
interface ForeignWriting {
  readonly exchange: Exchange;
  readonly subject: string;
  readonly there: NewestMails;
}

function writeToForeignInbox(target: Target): Promise<ForeignWriting> {
  return target.once("account-header:foreign-write", async (recording) => {
    const { token } = await servedSelection(recording);
    const foreign = await markedInbox(recording, "foreign");
    const subject = newSubject();
    const exchange = await selecting(recording, token, [accountHeader(recording, foreign.accountId)], {
      body: jmapBody([["Email/set", { create: { d1: plainTextDraft({ ...foreign, subject }) } }, "0"]]),
    });
    return { exchange, subject, there: await newestOf(recording, foreign) };
  });
}

const foreignWriting: readonly Check[] = [
  check({
    id: "HDR-11/email-set",
    claim: "`Email/set` for another person's inbox is refused with 403 `access_denied`.",
    needs: ["human", "second-human"],
    act: async (target) => (await writeToForeignInbox(target)).exchange,
    assert: (exchange) => explained(foreignDenied, () => expectDenied(exchange)),
  }),
  check({
    id: "HDR-11/email-set-effect",
    claim: "`Email/set` for another person's inbox creates nothing there.",
    needs: ["human", "second-human"],
    act: writeToForeignInbox,
    assert({ subject, there }) {
      const isCreated = hasSubject(there, subject);
      explained(foreignDenied, () =>
        expectThat(
          !isCreated,
          "no new message in the other inbox",
          "the message of Email/set",
          there.exchange,
        ),
      );
    },
  }),
];

/** Inboxes of another person. Document, "JMAP API", account header, and "Errors". */
export const foreignInboxChecks: readonly Check[] = [
  ...foreignReading,
  foreignCalls,
  noCalls,
  namesNothing,
  ...foreignWriting,
];
