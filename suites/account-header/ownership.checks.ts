import { randomUUID } from "node:crypto";
import { claimsOf } from "../support/actors/agent.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectOAuthError, expectThat } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, inboxesOf } from "../support/material/inboxes.ts";
import { accountHeader, bearer, getAgents, jmapBody, type MethodCall, urn } from "../support/actors/jmap.ts";
import { BlockedError, observation } from "../support/verdict.ts";
import { type MarkedInbox, markedInbox, newDraft, newestSubjects } from "./marked-inboxes.ts";
import { markIn, selecting, selectingValue, servedSelection } from "./selection.ts";

function expectDenied(exchange: Exchange): void {
  expectNotServed(exchange);
  expectOAuthError(exchange, ["access_denied"]);
}

const nobodys = [
  { slug: "nil", words: "the nil UUID", value: "00000000-0000-0000-0000-000000000000" },
  { slug: "max", words: "the max UUID", value: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
].map(({ slug, words, value }) =>
  check({
    id: `HDR-10/${slug}`,
    claim: `The account header with ${words} is answered 403 access_denied, or 400.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      return selectingValue(target, token, value);
    },
    assert: (exchange) =>
      exchange.response.status === 400 ? expectNotServed(exchange) : expectDenied(exchange),
  }),
);

const unowned = [
  { id: "HDR-10/random", words: "a random UUID of version 4", value: () => randomUUID() },
  { id: "HDR-12/near-miss", words: "an owned UUID with another last digit", value: withOtherLastDigit },
].map(({ id, words, value }) =>
  check({
    id,
    claim: `The account header with ${words}, which nobody owns, is answered 403 access_denied.`,
    needs: ["human"],
    async act(target) {
      const { token, accountId } = await servedSelection(target);
      return selectingValue(target, token, value(accountId));
    },
    assert: expectDenied,
  }),
);

function withOtherLastDigit(uuid: string): string {
  return uuid.replace(/.$/u, (digit) => (digit === "7" ? "8" : "7"));
}

const noOracle = check({
  id: "HDR-12/existence",
  claim: "Whether the refusals for another person's inbox and for an accountId that nobody has differ.",
  needs: ["human", "second-human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return [
      await selectingValue(target, token, await foreignInbox(target)),
      await selectingValue(target, token, randomUUID()),
    ] as const;
  },
  assert([foreign, unknown]) {
    const isSame =
      foreign.response.status === unknown.response.status && foreign.response.body === unknown.response.body;
    return observation(
      isSame ? "the same answer" : `${summary(foreign)} and ${summary(unknown)}, bodies differ`,
    );
  },
});

const readings: readonly { slug: string; words: string; calls: (inbox: MarkedInbox) => MethodCall[] }[] = [
  {
    slug: "mailbox-query",
    words: "Mailbox/query",
    calls: () => [["Mailbox/query", { filter: { role: "inbox" } }, "0"]],
  },
  {
    slug: "email-query",
    words: "Email/query",
    calls: ({ mailboxId }) => [["Email/query", { filter: { inMailbox: mailboxId } }, "0"]],
  },
  { slug: "core-echo", words: "Core/echo", calls: () => [["Core/echo", { hello: "mailproof" }, "0"]] },
];

const foreignReading = readings.map(({ slug, words, calls }) =>
  check({
    id: `HDR-11/${slug}`,
    claim: `${words} for another person's inbox is answered 403 access_denied.`,
    needs: ["human", "second-human"],
    async act(target) {
      const { token } = await servedSelection(target);
      const foreign = await markedInbox(target, "foreign");
      const using = slug === "core-echo" ? [urn.core] : [urn.core, urn.mail];
      return selecting(target, token, [accountHeader(target, foreign.accountId)], {
        body: jmapBody(calls(foreign), using),
      });
    },
    assert: expectDenied,
  }),
);

const foreignWriting = check({
  id: "HDR-11/email-set",
  claim: "Email/set for another person's inbox is answered 403 access_denied, and nothing is created there.",
  needs: ["human", "second-human"],
  async act(target) {
    const { token } = await servedSelection(target);
    const foreign = await markedInbox(target, "foreign");
    const subject = `mailproof ${unguessable()}`;
    const exchange = await selecting(target, token, [accountHeader(target, foreign.accountId)], {
      body: jmapBody([["Email/set", { create: { d1: newDraft(foreign.mailboxId, subject) } }, "0"]]),
    });
    return { exchange, subject, there: await newestSubjects(target, foreign) };
  },
  assert({ exchange, subject, there }) {
    expectDenied(exchange);
    expectThat(
      !there.includes(subject),
      "no new message in the other inbox",
      "the message that was to be created",
    );
  },
});

const agentsInbox = check({
  id: "HDR-13",
  claim:
    "No UUID by which an agent may know its own inbox, not linked to the person, selects it: each is answered 403 access_denied.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    const capability = await freshCapability(target);
    const { accountId } = await mailSession(target, capability);
    const { inbox } = await sharedAgent(target);
    const { jti: _jti, ...claims } = claimsOf(capability) ?? {};
    const owned = (await inboxesOf(target)).map((entry) => entry.accountId);
    const candidates = [accountId, inbox, ...Object.values(claims)].filter(isUuid);
    const others = [...new Set(candidates)].filter((id) => !owned.includes(id));
    return Promise.all(others.map((id) => selectingValue(target, token, id)));
  },
  assert(exchanges) {
    if (exchanges.length === 0) return observation("nothing that the agent learns of its inbox is a UUID");
    for (const exchange of exchanges) expectDenied(exchange);
    return undefined;
  },
});

function isUuid(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu.test(value);
}

const everyListed = check({
  id: "HDR-24",
  claim: "Every accountId that the inbox list shows as active is served with 200.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    const active = (await inboxesOf(target)).filter(({ status }) => status === "active");
    if (active.length === 0) throw new BlockedError("needs an inbox with the status active");
    return Promise.all(active.map(({ accountId }) => selectingValue(target, token, accountId)));
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      expectThat(markIn(exchange) !== undefined, "200 with methodResponses", summary(exchange));
  },
});

const notAtTheList = check({
  id: "HDR-29/missing",
  claim: "The inbox list is answered 200 without the account header.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target))]),
  assert: (exchange) => expectThat(exchange.response.status === 200, "200", summary(exchange)),
});

const garbageAtTheList = check({
  id: "HDR-29/garbage",
  claim: "What the inbox list answers to a malformed account header.",
  needs: ["human"],
  act: async (target) =>
    getAgents(target, [bearer(await sharedAccessToken(target)), accountHeader(target, "garbage")]),
  assert: (exchange) => observation(summary(exchange)),
});

export const ownershipChecks = [
  ...nobodys,
  ...unowned,
  noOracle,
  ...foreignReading,
  foreignWriting,
  agentsInbox,
  everyListed,
  notAtTheList,
  garbageAtTheList,
];
