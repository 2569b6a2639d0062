import { randomUUID } from "node:crypto";
import { claimsOf } from "../support/actors/agent.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { type Check, check, observe } from "../support/judging/check.ts";
import { type Exchange, jsonMembers, showsText, summary } from "../support/wire/exchange.ts";
import { expectOAuthError, expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, foreignInbox, listedInboxes } from "../support/material/inboxes.ts";
import { firstDistinct } from "../support/material/mutations.ts";
import {
  accountHeader,
  bearer,
  getAgents,
  jmapBody,
  type MethodCall,
  requireServed,
  urn,
} from "../support/actors/jmap.ts";
import type { NewestMails } from "../support/actors/newest-mails.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { hasSubject, type MarkedInbox, markedInbox, newDraft, newestOf } from "./marked-inboxes.ts";
import { expectRefusedWith, markIn, selecting, selectingValue, servedSelection } from "./selection.ts";

/** 403 with `access_denied`. */
function expectDenied(exchange: Exchange): void {
  expectRefusedWith(exchange, [403]);
  expectOAuthError(exchange, ["access_denied"]);
}

// Where this one is answered otherwise, no inbox that is not owned is refused as it should be.
const foreignDenied = "HDR-11/mailbox-query";
// Where this one is refused otherwise, so is every accountId that nobody has.
const unknownDenied = "HDR-12/near-miss";

const nobodys = [
  { slug: "nil", words: "the nil UUID", value: "00000000-0000-0000-0000-000000000000" },
  { slug: "max", words: "the max UUID", value: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
].map(({ slug, words, value }) =>
  check({
    id: `HDR-10/${slug}`,
    claim: `The account header with ${words} is refused with 400 or 403.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      return selectingValue(target, token, value);
    },
    assert: (exchange) => expectRefusedWith(exchange, [400, 403], { status: unknownDenied }),
  }),
);

const unowned = [
  {
    id: "HDR-10/random",
    words: "a random UUID of version 4",
    value: async () => randomUUID(),
    explainedBy: unknownDenied,
  },
  {
    id: unknownDenied,
    words: "an owned UUID whose last digit was changed",
    value: nearMissOf,
    explainedBy: foreignDenied,
  },
  {
    id: "HDR-12/other-beginning",
    words: "an owned UUID whose first digit was changed",
    value: otherBeginningOf,
    explainedBy: unknownDenied,
  },
].map(({ id, words, value, explainedBy }) =>
  check({
    id,
    claim: `The account header with ${words} is refused with 403 \`access_denied\`.`,
    needs: ["human"],
    async act(target) {
      const { token, accountId } = await servedSelection(target);
      return selectingValue(target, token, await value(accountId, target));
    },
    assert: (exchange) => explained(explainedBy, () => expectDenied(exchange)),
  }),
);

/** The UUID with another last digit, or the one before, that is no other inbox of the person. */
async function nearMissOf(uuid: string, target: Target): Promise<string> {
  const digits = [..."78019a"];
  const candidates = [
    ...digits.map((digit) => uuid.slice(0, -1) + digit),
    ...digits.map((digit) => uuid.slice(0, -2) + digit + uuid.slice(-1)),
  ];
  const owned = (await listedInboxes(target)).map((entry) => entry.accountId);
  return firstDistinct(uuid, candidates, "UUIDs of inboxes", owned);
}

/** The UUID with another first digit that is no other inbox of the person. */
async function otherBeginningOf(uuid: string, target: Target): Promise<string> {
  const candidates = [..."78019a"].map((digit) => digit + uuid.slice(1));
  const owned = (await listedInboxes(target)).map((entry) => entry.accountId);
  return firstDistinct(uuid, candidates, "UUIDs of inboxes", owned);
}

const existence = observe({
  id: "HDR-12/existence",
  question: "Do the refusals for another person's inbox and for an `accountId` that nobody has differ?",
  needs: ["human", "second-human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return [
      await selectingValue(target, token, await foreignInbox(target)),
      await selectingValue(target, token, randomUUID()),
    ] as const;
  },
  answer([foreign, unknown]) {
    const isSame =
      foreign.response.status === unknown.response.status && foreign.response.body === unknown.response.body;
    return isSame ? "no" : `yes: ${summary(foreign)} and ${summary(unknown)}, bodies differ`;
  },
});

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
    if (isRefusalStatus(owned.response.status))
      throw new NotApplicableError("the target takes no request without method calls");
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
    // What the refusal for nobody's inbox has too is no name.
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
    const subject = `mailproof ${unguessable()}`;
    const exchange = await selecting(recording, token, [accountHeader(recording, foreign.accountId)], {
      body: jmapBody([["Email/set", { create: { d1: newDraft(foreign.mailboxId, subject) } }, "0"]]),
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

const agentsInbox = check({
  id: "HDR-13",
  claim:
    "Every UUID that an agent learns of its own inbox is refused with 403 `access_denied` in the account header.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    const capability = await freshCapability(target);
    const { accountId } = await mailSession(target.setup, capability);
    const { inbox } = await sharedAgent(target);
    const { jti: _jti, ...claims } = claimsOf(capability) ?? {};
    const owned = (await listedInboxes(target)).map((entry) => entry.accountId);
    const candidates = [accountId, inbox, ...Object.values(claims)].filter(isUuid);
    const others = [...new Set(candidates)].filter((id) => !owned.includes(id));
    if (others.length === 0) {
      throw new InconclusiveError(
        "precondition-missing",
        "needs a UUID of the agent's inbox: nothing that the agent learns of it is one",
      );
    }
    return Promise.all(others.map((id) => selectingValue(target, token, id)));
  },
  assert(exchanges) {
    for (const exchange of exchanges) explained(foreignDenied, () => expectDenied(exchange));
  },
});

function isUuid(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu.test(value);
}

const everyListed = check({
  id: "HDR-24",
  claim: "Every `accountId` that the inbox list shows as active is answered 200 with `methodResponses`.",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target);
    const active = (await listedInboxes(target)).filter(({ status }) => status === "active");
    if (active.length === 0) throw new BlockedError("needs an inbox with the status active");
    return Promise.all(active.map(({ accountId }) => selectingValue(target, token, accountId)));
  },
  assert(exchanges) {
    for (const exchange of exchanges) {
      const isServed = markIn(exchange) !== undefined;
      explained("HDR-01", () =>
        expectThat(isServed, "200 with methodResponses", summary(exchange), exchange),
      );
    }
  },
});

const notAtTheList = check({
  id: "HDR-29/missing",
  claim: "The inbox list is answered without the account header.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target))]),
  assert: (exchange) =>
    explained("AGENTS-08", () =>
      expectThat(
        Array.isArray(jsonMembers(exchange)["agents"]),
        "a list of inboxes",
        summary(exchange),
        exchange,
      ),
    ),
});

const malformedAtTheList = observe({
  id: "HDR-29/garbage",
  question: "How does the inbox list answer a malformed account header?",
  needs: ["human"],
  act: async (target) =>
    getAgents(target, [bearer(await sharedAccessToken(target)), accountHeader(target, "garbage")]),
  answer: summary,
});

export const ownershipChecks: readonly Check[] = [
  ...nobodys,
  ...unowned,
  existence,
  ...foreignReading,
  foreignCalls,
  noCalls,
  namesNothing,
  ...foreignWriting,
  agentsInbox,
  everyListed,
  notAtTheList,
  malformedAtTheList,
];
