import { expect, test } from "vitest";
import { expectOwnDocument } from "./agent-inboxes.ts";
import { exampleExchange } from "./example-exchange.ts";
import type { InboxMark } from "./inbox-mark.ts";
import { pairedReads, type ReadInbox } from "./inbox-reads.ts";

const url = "https://api.example/jmap";

function inbox(name: string, more: Partial<ReadInbox> = {}): ReadInbox {
  return {
    access: {
      account: {},
      jmap: (body) => ({ method: "POST", url, headers: [["X-Service-Account-Id", name]], body }),
    },
    // Ids that two accounts share are allowed: only the subjects differ.
    mark: { accountId: `account-${name}`, mailboxId: "m1", emailId: "e1", subject: `subject of ${name}` },
    ...more,
  };
}

function answerOf({ accountId, mailboxId, emailId, subject }: InboxMark, turn: string) {
  return {
    methodResponses: [
      ["Mailbox/query", { accountId, ids: [mailboxId] }, `${turn}-mailbox`],
      ["Email/get", { accountId, list: [{ id: emailId, subject }], notFound: [] }, `${turn}-email`],
    ],
  };
}

/** One pair of reads of a and b, with what each is answered. */
function judgePair(answerToA: object, answerToB: object, order: readonly (0 | 1)[] = [0, 1]) {
  const volley = pairedReads([inbox("a"), inbox("b")])();
  if (volley === undefined) throw new TypeError("expected a pair");
  const answers = [answerToA, answerToB];
  volley.judge(
    order.map((at) => exampleExchange(volley.requests[at] ?? { method: "", url: "" }, { body: answers[at] })),
  );
}

const a = inbox("a").mark;
const b = inbox("b").mark;
const ofA = answerOf(a, "r1");
const ofB = answerOf(b, "r2");

test("answers of the inboxes that were asked are right, in whichever place they come", () => {
  judgePair(ofA, ofB);
  judgePair(ofA, ofB, [1]);
  judgePair(ofA, ofB, [1, 0]);
});

const [mailboxOfA, emailOfA] = ofA.methodResponses;

test.for([
  { what: "the two answers swapped", one: ofB, other: ofA, violation: /message of another one/u },
  {
    what: "the account of another inbox",
    one: answerOf({ ...a, accountId: b.accountId }, "r1"),
    other: ofB,
    violation: /accountId of the Mailbox\/query response/u,
  },
  {
    what: "the mailbox of another inbox",
    one: answerOf({ ...a, mailboxId: "m2" }, "r1"),
    other: ofB,
    violation: /mailbox of the inbox/u,
  },
  {
    what: "its own message missing",
    one: answerOf({ ...a, emailId: "e2" }, "r1"),
    other: ofB,
    violation: /marked message/u,
  },
  { what: "an answer to another request", one: answerOf(a, "r9"), other: ofB, violation: /callId/u },
  {
    what: "a message of another inbox beside its own",
    one: { methodResponses: [mailboxOfA, emailOfA, ["Email/get", { list: [{ subject: b.subject }] }, "x"]] },
    other: ofB,
    violation: /message of another one/u,
  },
  {
    what: "a method that failed",
    one: { methodResponses: [mailboxOfA, ["error", { type: "serverFail" }, "r1-email"]] },
    other: ofB,
    violation: /Email\/get response/u,
  },
  { what: "no JMAP response", one: { error: "invalid_token" }, other: ofB, violation: /methodResponses/u },
])("$what is a violation", ({ one, other, violation }) => {
  expect(() => judgePair(one, other)).toThrow(violation);
});

test("a method that is too busy says nothing, and the rest is judged", () => {
  const busy = ["error", { type: "serverUnavailable" }, "r1-email"];
  judgePair({ methodResponses: [mailboxOfA, busy] }, ofB);
  expect(() => judgePair({ methodResponses: [["Mailbox/query", {}, "r1-mailbox"], busy] }, ofB)).toThrow(
    /accountId/u,
  );
});

test("400 is right for the limit of concurrent requests alone", () => {
  const volley = pairedReads([inbox("a"), inbox("b")])();
  const request = volley?.requests[0] ?? { method: "", url: "" };
  const refused = (type: string) =>
    exampleExchange(request, { status: 400, body: { type: `urn:ietf:params:jmap:error:${type}` } });
  expect(volley?.isPlanned(400)).toBe(true);
  expect(volley?.isPlanned(403)).toBe(false);
  volley?.judge([refused("limit")]);
  expect(() => volley?.judge([refused("notRequest")])).toThrow(/methodResponses/u);
});

test("all pairs of inboxes meet", () => {
  const next = pairedReads(["a", "b", "c"].map((name) => inbox(name)));
  const pairs = Array.from({ length: 6 }, () =>
    next()
      ?.requests.map(({ headers }) => headers?.[0]?.[1])
      .join(""),
  );
  expect(pairs.toSorted()).toEqual(["ab", "ac", "ba", "bc", "ca", "cb"]);
});

const documentUrl = "https://api.example/.well-known/jmap";

test("an inbox with a session document is asked for it every other time", () => {
  const read = { request: { method: "GET", url: documentUrl }, judge: () => {} };
  const next = pairedReads([inbox("a"), inbox("b", { document: () => read })]);
  const asked = Array.from({ length: 4 }, () =>
    next()
      ?.requests.map(({ method }) => method)
      .toSorted(),
  );
  expect(asked).toEqual([
    ["POST", "POST"],
    ["GET", "POST"],
    ["POST", "POST"],
    ["GET", "POST"],
  ]);
});

test("nothing is sent without a fresh credential", () => {
  const expired = inbox("b", { access: { account: {}, jmap: () => undefined } });
  expect(pairedReads([inbox("a"), expired])()).toBeUndefined();
});

function sessionDocument(body: unknown, status = 200) {
  return exampleExchange({ method: "GET", url: documentUrl }, { status, body });
}

test("a session document names the account of its own agent", () => {
  const mail = "urn:ietf:params:jmap:mail";
  expectOwnDocument(sessionDocument({ primaryAccounts: { [mail]: "one" } }), "one");
  const judge = (body: unknown, status?: number) => () =>
    expectOwnDocument(sessionDocument(body, status), "one");
  expect(judge({ primaryAccounts: { [mail]: "two" } })).toThrow(/primary mail account/u);
  expect(judge({})).toThrow(/session document/u);
  expect(judge({ primaryAccounts: { [mail]: "one" } }, 400)).toThrow(/session document/u);
});
