import { check, recommend } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import {
  type Exchange,
  isJsonObject,
  jsonMembers,
  type JsonObject,
  jsonObjectsIn,
  summary,
} from "../support/wire/exchange.ts";
import { expectThat, isRefusalStatus, isSameJson, shown } from "../support/judging/expect.ts";
import { createdId, createdIdIn, jmapBody, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import {
  call,
  callBody,
  draft,
  draftInbox,
  requireResult,
  requireSeveral,
  strings,
  threeDrafts,
} from "./own-inbox.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

const inboxFilter = { filter: { role: "inbox" } };

/** A draft created in a request with that `createdIds`; not sent when undefined. */
async function creating(target: Target, createdIds: JsonObject | undefined): Promise<Exchange> {
  const create = { d1: draft(await draftInbox(target), newSubject()) };
  const body = jmapBody([["Email/set", { create }, "0"]]);
  const member = createdIds === undefined ? "{" : `{"createdIds":${JSON.stringify(createdIds)},`;
  return callBody(target, body.replace("{", member));
}

const createdIdsCases: readonly {
  slug: string;
  claim: string;
  expected: string;
  sent: JsonObject | undefined;
  holds: (returned: unknown, newId: string | undefined) => boolean;
}[] = [
  {
    slug: "absent",
    claim: "A request without `createdIds` is answered without it.",
    expected: "no createdIds",
    sent: undefined,
    holds: (returned) => returned === undefined,
  },
  {
    slug: "empty",
    claim: "A request with an empty `createdIds` is answered with the new id in it.",
    expected: "the new id as d1 in createdIds",
    sent: {},
    holds: (returned, newId) => newId !== undefined && isJsonObject(returned) && returned["d1"] === newId,
  },
  {
    slug: "given",
    claim: "A request with an id in `createdIds` is answered with that and the new id in it.",
    expected: "the old id as before and the new one as d1 in createdIds",
    sent: { before: "M1" },
    holds: (returned, newId) =>
      isJsonObject(returned) && returned["before"] === "M1" && returned["d1"] === newId,
  },
];

const createdIds = createdIdsCases.map(({ slug, claim, expected, sent, holds }) =>
  recommend({
    id: `B-JMAP-16/${slug}`,
    claim,
    needs: ["human"],
    act: async (target) => creating(target, sent),
    assert(exchange) {
      const { createdIds: returned } = jsonMembers(exchange);
      const newId = createdId(exchange, "0", "d1");
      expectThat(holds(returned, newId), expected, `${shown(returned)}, ${summary(exchange)}`, exchange);
    },
  }),
);

const noCalls = recommend({
  id: "B-JMAP-02/no-calls",
  claim: "A request without method calls is answered with an empty `methodResponses`, or refused.",
  needs: ["human"],
  act: (target) => callBody(target, jmapBody([])),
  assert(exchange) {
    const { status } = exchange.response;
    if (isRefusalStatus(status)) return;
    const { methodResponses } = jsonMembers(exchange);
    const isEmpty = Array.isArray(methodResponses) && methodResponses.length === 0;
    expectThat(status === 200 && isEmpty, "methodResponses []", shown(methodResponses), exchange);
  },
});

const echo = recommend({
  id: "B-JMAP-19",
  claim: "`Core/echo` returns its arguments.",
  needs: ["human"],
  act: async (target) => call(target, [["Core/echo", { a: [null, { b: "é" }], c: true }, "0"]]),
  assert(exchange) {
    const response = responseTo(exchange, "0");
    const isEcho = isSameJson(response?.args, { a: [null, { b: "é" }], c: true });
    expectThat(
      isEcho,
      "the arguments",
      response === undefined ? summary(exchange) : shown(response),
      exchange,
    );
  },
});

function namesOf(members: readonly string[]): string {
  return members.map((name) => `\`${name}\``).join(", ");
}

const queryMembers = ["accountId", "queryState", "canCalculateChanges", "position", "ids"];

const queryResponse = recommend({
  id: "B-JMAP-22",
  claim: `The response of \`Mailbox/query\` has ${namesOf(queryMembers)}.`,
  needs: ["human"],
  act: async (target) => call(target, [["Mailbox/query", inboxFilter, "0"]]),
  assert(exchange) {
    const args = requireResult(exchange, "0", "Mailbox/query");
    const missing = queryMembers.filter((name) => !(name in args));
    expectThat(missing.length === 0, "all of them", `none of the name ${missing.join(", ")}`, exchange);
  },
});

const total = recommend({
  id: "B-JMAP-22/total",
  claim: "The `total` of an `Email/query` counts all messages that match, also those beyond its `limit`.",
  needs: ["human"],
  async act(target) {
    const { mailboxId, ids } = await threeDrafts(target);
    const query = { filter: { inMailbox: mailboxId }, limit: 1, calculateTotal: true };
    return { drafts: ids.length, exchange: await call(target, [["Email/query", query, "0"]]) };
  },
  assert({ drafts, exchange }) {
    const { total: counted } = requireResult(exchange, "0", "Email/query");
    // The document's requests have no calculateTotal, which a target may leave out of what it knows.
    if (counted === undefined) throw new NotApplicableError("the target counts no total");
    const isEnough = typeof counted === "number" && counted >= drafts;
    expectThat(isEnough, `a total of ${drafts} at least`, shown(counted), exchange);
  },
});

const partialSet = recommend({
  id: "B-JMAP-23",
  claim:
    "`Email/set` with a valid create between two invalid ones creates it and lists the others in `notCreated`, each with a `type`.",
  needs: ["human"],
  async act(target) {
    const inbox = await draftInbox(target);
    const bad = { mailboxIds: { "mailproof-none": true } };
    const create = { bad, good: draft(inbox, newSubject()), worse: bad };
    return requireSeveral(await call(target, [["Email/set", { create }, "0"]]));
  },
  assert(exchange) {
    const args = responseTo(exchange, "0")?.args ?? {};
    const { notCreated } = args;
    const isTyped = (name: string): boolean => {
      const error = isJsonObject(notCreated) ? notCreated[name] : undefined;
      return isJsonObject(error) && typeof error["type"] === "string";
    };
    expectThat(
      createdIdIn(args, "good") !== undefined && isTyped("bad") && isTyped("worse"),
      "good in created, bad and worse in notCreated",
      `created ${shown(args["created"])}, notCreated ${shown(notCreated)}`,
      exchange,
    );
  },
});

const createdMembers = ["id", "blobId", "threadId", "size"];

const keptBesideRefused = check({
  id: "JMAP-07/beside-refused",
  claim: "A draft that `Email/set` reports as created beside two that it refused is there afterwards.",
  needs: ["human"],
  async act(target) {
    const inbox = await draftInbox(target);
    const bad = { mailboxIds: { "mailproof-none": true } };
    const create = { bad, good: draft(inbox, newSubject()), worse: bad };
    const set = requireSeveral(await call(target.setup, [["Email/set", { create }, "0"]]));
    const id = createdId(set, "0", "good");
    if (id === undefined) throw controlRefused("creating a draft", "its id in created", set, "B-JMAP-23");
    return { id, exchange: await call(target, [["Email/get", { ids: [id], properties: ["id"] }, "0"]]) };
  },
  assert({ id, exchange }) {
    const list = jsonObjectsIn(requireResult(exchange, "0", "Email/get")["list"]);
    explained("JMAP-07", () =>
      expectThat(
        list.some((email) => email["id"] === id),
        `${id} in list`,
        shown(list),
        exchange,
      ),
    );
  },
});

const createdEmail = recommend({
  id: "B-JMAP-24",
  claim: `\`Email/set\` returns a created message with ${namesOf(createdMembers)}.`,
  needs: ["human"],
  act: async (target) => creating(target, undefined),
  assert(exchange) {
    const { created } = responseTo(exchange, "0")?.args ?? {};
    const made = isJsonObject(created) ? created["d1"] : undefined;
    const missing = createdMembers.filter((name) => !isJsonObject(made) || !(name in made));
    expectThat(missing.length === 0, "all of them", `none of the name ${missing.join(", ")}`, exchange);
  },
});

const idFormat = recommend({
  id: "B-JMAP-31",
  claim:
    "The ids of an account, a mailbox and messages are 1 to 255 letters, digits, hyphens and underscores.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    const query: MethodCall = ["Email/query", { filter: { inMailbox: mailboxId }, limit: 3 }, "0"];
    return { mailboxId, exchange: await call(target, [query]) };
  },
  assert({ exchange, mailboxId }) {
    const args = requireResult(exchange, "0", "Email/query");
    const ids = [mailboxId, ...strings([args["accountId"]]), ...strings(args["ids"])];
    const others = ids.filter((id) => !/^[A-Za-z0-9_-]{1,255}$/u.test(id));
    expectThat(others.length === 0, "ids of these characters", others.map(shown).join(", "), exchange);
  },
});

const inOrder = recommend({
  id: "B-JMAP-33",
  claim: "A query after a create in the same request finds the new message.",
  needs: ["human"],
  async act(target) {
    const inbox = await draftInbox(target);
    const { mailboxId } = inbox;
    const sort = [{ property: "receivedAt", isAscending: false }];
    const query: MethodCall = ["Email/query", { filter: { inMailbox: mailboxId }, sort, limit: 50 }, "1"];
    const create = { d1: draft(inbox, newSubject()) };
    const exchange = await call(target, [["Email/set", { create }, "0"], query]);
    const id = createdIdIn(requireResult(exchange, "0", "Email/set"), "d1");
    const isFoundIn = (answer: Exchange): boolean =>
      id !== undefined && strings(requireResult(answer, "1", "Email/query")["ids"]).includes(id);
    if (!isFoundIn(exchange) && !isFoundIn(await call(target, [query])))
      throw new NotApplicableError("the index of the target lags behind what is created");
    return exchange;
  },
  assert(exchange) {
    const id = createdIdIn(requireResult(exchange, "0", "Email/set"), "d1");
    const found = strings(requireResult(exchange, "1", "Email/query")["ids"]);
    expectThat(id !== undefined && found.includes(id), "the new id among those found", shown(id), exchange);
  },
});

export const conventionChecks = [
  ...createdIds,
  noCalls,
  echo,
  queryResponse,
  total,
  partialSet,
  keptBesideRefused,
  createdEmail,
  idFormat,
  inOrder,
];
