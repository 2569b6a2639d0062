import { expect, test } from "vitest";
import { expectOwnSessionDocument } from "./agent-inboxes.ts";
import { exampleExchange } from "./example-exchange.ts";
import type { InboxMark } from "./inbox-mark.ts";
import { pairedReads, type ReadInbox } from "./inbox-reads.ts";

const url = "https://api.example/jmap";

function inbox(name: string, more: Partial<ReadInbox> = {}): ReadInbox {
  return {
    access: {
      account: {},
      jmap: (body) => ({ method: "POST", url, headers: [["X-Service-Account-Id", name]], body }),
      ownAddress: async () => undefined,
    },
    // Two accounts may use the same ids: only the subjects differ.
    mark: { accountId: `account-${name}`, mailboxId: "m1", emailId: "e1", subject: `subject of ${name}` },
    ...more,
  };
}

function responseOf({ accountId, mailboxId, emailId, subject }: InboxMark, turn: string) {
  return {
    methodResponses: [
      ["Mailbox/query", { accountId, ids: [mailboxId] }, `${turn}-mailbox`],
      ["Email/get", { accountId, list: [{ id: emailId, subject }], notFound: [] }, `${turn}-email`],
    ],
  };
}

/** Judges one pair of reads of a and b. */
function judgePair(responseToA: object, responseToB: object, order: readonly (0 | 1)[] = [0, 1]) {
  const batch = pairedReads([inbox("a"), inbox("b")])();
  if (batch === undefined) throw new TypeError("expected a pair");
  const bodies = [responseToA, responseToB];
  batch.judge(
    order.map((at) => exampleExchange(batch.requests[at] ?? { method: "", url: "" }, { body: bodies[at] })),
  );
}

const a = inbox("a").mark;
const b = inbox("b").mark;
const ofA = responseOf(a, "r1");
const ofB = responseOf(b, "r2");

test("responses of the requested inboxes are accepted in any order", () => {
  judgePair(ofA, ofB);
  judgePair(ofA, ofB, [1]);
  judgePair(ofA, ofB, [1, 0]);
});

const [mailboxOfA, emailOfA] = ofA.methodResponses;

test.for([
  { what: "swapped responses", toA: ofB, toB: ofA, violation: /message of another inbox/u },
  {
    what: "the account of another inbox",
    toA: responseOf({ ...a, accountId: b.accountId }, "r1"),
    toB: ofB,
    violation: /accountId of the Mailbox\/query response/u,
  },
  {
    what: "the mailbox of another inbox",
    toA: responseOf({ ...a, mailboxId: "m2" }, "r1"),
    toB: ofB,
    violation: /mailbox of the requested inbox/u,
  },
  {
    what: "a missing own message",
    toA: responseOf({ ...a, emailId: "e2" }, "r1"),
    toB: ofB,
    violation: /marked message/u,
  },
  { what: "a response to another request", toA: responseOf(a, "r9"), toB: ofB, violation: /callId/u },
  {
    what: "an additional message of another inbox",
    toA: { methodResponses: [mailboxOfA, emailOfA, ["Email/get", { list: [{ subject: b.subject }] }, "x"]] },
    toB: ofB,
    violation: /message of another inbox/u,
  },
  {
    what: "a failed method",
    toA: { methodResponses: [mailboxOfA, ["error", { type: "serverFail" }, "r1-email"]] },
    toB: ofB,
    violation: /Email\/get response/u,
  },
  { what: "not a JMAP response", toA: { error: "invalid_token" }, toB: ofB, violation: /methodResponses/u },
])("$what is a violation", ({ toA, toB, violation }) => {
  expect(() => judgePair(toA, toB)).toThrow(violation);
});

test("serverUnavailable is accepted for one method, and the others are judged", () => {
  const busy = ["error", { type: "serverUnavailable" }, "r1-email"];
  judgePair({ methodResponses: [mailboxOfA, busy] }, ofB);
  expect(() => judgePair({ methodResponses: [["Mailbox/query", {}, "r1-mailbox"], busy] }, ofB)).toThrow(
    /accountId/u,
  );
});

test("400 is accepted only with the error limit", () => {
  const batch = pairedReads([inbox("a"), inbox("b")])();
  const request = batch?.requests[0] ?? { method: "", url: "" };
  const refused = (type: string) =>
    exampleExchange(request, { status: 400, body: { type: `urn:ietf:params:jmap:error:${type}` } });
  expect(batch?.isExpectedStatus(400)).toBe(true);
  expect(batch?.isExpectedStatus(403)).toBe(false);
  batch?.judge([refused("limit")]);
  expect(() => batch?.judge([refused("notRequest")])).toThrow(/methodResponses/u);
});

test("all pairs of inboxes are read", () => {
  const next = pairedReads(["a", "b", "c"].map((name) => inbox(name)));
  const pairs = Array.from({ length: 6 }, () =>
    next()
      ?.requests.map(({ headers }) => headers?.[0]?.[1])
      .join(""),
  );
  expect(pairs.toSorted()).toEqual(["ab", "ac", "ba", "bc", "ca", "cb"]);
});

const documentUrl = "https://api.example/.well-known/jmap";

test("an inbox with a session document alternates between it and mail", () => {
  const read = { request: { method: "GET", url: documentUrl }, judge: () => {} };
  const next = pairedReads([inbox("a"), inbox("b", { sessionDocument: () => read })]);
  const methods = Array.from({ length: 4 }, () =>
    next()
      ?.requests.map(({ method }) => method)
      .toSorted(),
  );
  expect(methods).toEqual([
    ["POST", "POST"],
    ["GET", "POST"],
    ["POST", "POST"],
    ["GET", "POST"],
  ]);
});

test("nothing is sent without a valid credential", () => {
  const expired = inbox("b", {
    access: { account: {}, jmap: () => undefined, ownAddress: async () => undefined },
  });
  expect(pairedReads([inbox("a"), expired])()).toBeUndefined();
});

function sessionDocument(body: unknown, status = 200) {
  return exampleExchange({ method: "GET", url: documentUrl }, { status, body });
}

test("a session document must name the agent's own account", () => {
  const mail = "urn:ietf:params:jmap:mail";
  expectOwnSessionDocument(sessionDocument({ primaryAccounts: { [mail]: "one" } }), "one");
  const judge = (body: unknown, status?: number) => () =>
    expectOwnSessionDocument(sessionDocument(body, status), "one");
  expect(judge({ primaryAccounts: { [mail]: "two" } })).toThrow(/primary mail account/u);
  expect(judge({})).toThrow(/session document/u);
  expect(judge({ primaryAccounts: { [mail]: "one" } }, 400)).toThrow(/session document/u);
});
