import { check } from "../support/judging/check.ts";
import {
  type Exchange,
  isJsonObject,
  type JsonObject,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { jmapBody, responseTo } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, warning } from "../support/verdict.ts";
import { call, callBody, createdId, draft, newSubject, ownInbox, strings, threeDrafts } from "./own-inbox.ts";

const inboxFilter = { filter: { role: "inbox" } };

/** A draft created in a request with that `createdIds`; not sent when undefined. */
async function creating(target: Target, createdIds: JsonObject | undefined): Promise<Exchange> {
  const { mailboxId } = await ownInbox(target);
  const body = jmapBody([["Email/set", { create: { d1: draft(mailboxId, newSubject()) } }, "0"]]);
  const member = createdIds === undefined ? "{" : `{"createdIds":${JSON.stringify(createdIds)},`;
  return callBody(target, body.replace("{", member));
}

const createdIdsCases: readonly {
  slug: string;
  words: string;
  sent: JsonObject | undefined;
  judge: (returned: unknown, newId: string | undefined) => boolean;
}[] = [
  {
    slug: "absent",
    words: "without createdIds, none is returned",
    sent: undefined,
    judge: (returned) => returned === undefined,
  },
  {
    slug: "empty",
    words: "with empty createdIds, the new id is returned there",
    sent: {},
    judge: (returned, newId) => newId !== undefined && isJsonObject(returned) && returned["d1"] === newId,
  },
  {
    slug: "given",
    words: "with a createdIds of its own, that is returned with the new id",
    sent: { before: "M1" },
    judge: (returned, newId) =>
      isJsonObject(returned) && returned["before"] === "M1" && returned["d1"] === newId,
  },
];

const createdIds = createdIdsCases.map(({ slug, words, sent, judge }) =>
  check({
    id: `B-JMAP-16/${slug}`,
    claim: `In the answer to a request ${words}.`,
    needs: ["human"],
    act: async (target) => creating(target, sent),
    assert(exchange): Finding | undefined {
      const { createdIds: returned } = jsonMembers(exchange);
      const newId = createdId(responseTo(exchange, "0")?.args ?? {}, "d1");
      return judge(returned, newId)
        ? undefined
        : warning(`createdIds is ${shown(returned)}, ${summary(exchange)}`);
    },
  }),
);

const sessionState = check({
  id: "B-JMAP-17",
  claim: "An answer has a string sessionState.",
  needs: ["human"],
  act: async (target) => call(target, [["Mailbox/query", inboxFilter, "0"]]),
  assert(exchange) {
    const { sessionState: state } = jsonMembers(exchange);
    return typeof state === "string" ? undefined : warning(`sessionState is ${shown(state)}`);
  },
});

const echo = check({
  id: "B-JMAP-19",
  claim: "Core/echo returns its arguments.",
  needs: ["human"],
  act: async (target) => call(target, [["Core/echo", { a: [null, { b: "é" }], c: true }, "0"]]),
  assert(exchange) {
    const response = responseTo(exchange, "0");
    const isEcho = shown(response?.args) === shown({ a: [null, { b: "é" }], c: true });
    return isEcho
      ? undefined
      : warning(`got ${response === undefined ? summary(exchange) : shown(response)}`);
  },
});

const queryMembers = ["accountId", "queryState", "canCalculateChanges", "position", "ids"];

const queryResponse = check({
  id: "B-JMAP-22",
  claim: `The response of a query has ${queryMembers.join(", ")}.`,
  needs: ["human"],
  act: async (target) => call(target, [["Mailbox/query", inboxFilter, "0"]]),
  assert(exchange) {
    const args = responseTo(exchange, "0")?.args ?? {};
    const missing = queryMembers.filter((name) => !(name in args));
    return missing.length === 0 ? undefined : warning(`without ${missing.join(", ")}`);
  },
});

const partialSet = check({
  id: "B-JMAP-23",
  claim:
    "Of two creates in one Email/set, the good one is made and the bad one is in notCreated with a type.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await ownInbox(target);
    const create = { good: draft(mailboxId, newSubject()), bad: { mailboxIds: { "mailproof-none": true } } };
    return call(target, [["Email/set", { create }, "0"]]);
  },
  assert(exchange) {
    const args = responseTo(exchange, "0")?.args ?? {};
    const { notCreated } = args;
    const bad = isJsonObject(notCreated) ? notCreated["bad"] : undefined;
    const isTyped = isJsonObject(bad) && typeof bad["type"] === "string";
    const isPartial = createdId(args, "good") !== undefined && isTyped;
    return isPartial
      ? undefined
      : warning(`created ${shown(args["created"])}, notCreated ${shown(notCreated)}`);
  },
});

const createdMembers = ["id", "blobId", "threadId", "size"];

const createdEmail = check({
  id: "B-JMAP-24",
  claim: `A created message is returned with ${createdMembers.join(", ")}.`,
  needs: ["human"],
  act: async (target) => creating(target, undefined),
  assert(exchange) {
    const { created } = responseTo(exchange, "0")?.args ?? {};
    const made = isJsonObject(created) ? created["d1"] : undefined;
    const missing = createdMembers.filter((name) => !isJsonObject(made) || !(name in made));
    return missing.length === 0 ? undefined : warning(`without ${missing.join(", ")}`);
  },
});

const idFormat = check({
  id: "B-JMAP-31",
  claim: "Account, mailbox and message ids are 1 to 255 letters, digits, hyphens and underscores.",
  needs: ["human"],
  async act(target) {
    const { jmapAccountId, mailboxId } = await ownInbox(target);
    return [jmapAccountId, mailboxId, ...(await threeDrafts(target)).ids];
  },
  assert(ids) {
    const others = ids.filter((id) => !/^[A-Za-z0-9_-]{1,255}$/u.test(id));
    return others.length === 0 ? undefined : warning(`not so: ${others.map(shown).join(", ")}`);
  },
});

const inOrder = check({
  id: "B-JMAP-33",
  claim: "A query behind a create in the same request finds what was created.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await ownInbox(target);
    return call(target, [
      ["Email/set", { create: { d1: draft(mailboxId, newSubject()) } }, "0"],
      [
        "Email/query",
        {
          filter: { inMailbox: mailboxId },
          sort: [{ property: "receivedAt", isAscending: false }],
          limit: 50,
        },
        "1",
      ],
    ]);
  },
  assert(exchange) {
    const id = createdId(responseTo(exchange, "0")?.args ?? {}, "d1");
    const found = strings(responseTo(exchange, "1")?.args["ids"]);
    return id !== undefined && found.includes(id)
      ? undefined
      : warning(`${shown(id)} is not among what was found`);
  },
});

export const conventionChecks = [
  ...createdIds,
  sessionState,
  echo,
  queryResponse,
  partialSet,
  createdEmail,
  idFormat,
  inOrder,
];
