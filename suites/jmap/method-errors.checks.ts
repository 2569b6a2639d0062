import { recommend } from "../support/judging/check.ts";
import { type Exchange, type JsonObject, jsonObjectsIn, summary } from "../support/wire/exchange.ts";
import { expectThat, isSameJson, shown } from "../support/judging/expect.ts";
import { type MethodCall, methodResponses, responseTo } from "../support/actors/jmap.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { call, requireResult, threeDrafts } from "./own-inbox.ts";

const inboxFilter = { filter: { role: "inbox" } };

/** A method-level error that RFC 8620 prescribes. */
interface MethodErrorCase {
  readonly id: string;
  /** Reads after "A call". */
  readonly words: string;
  readonly error: string;
  /** The judged call has the callId `judged`. */
  readonly calls: readonly MethodCall[];
}

// Of the methods that the document shows: a target need not have others.
const oneMessage: MethodCall = ["Email/query", { limit: 1 }, "0"];

function referring(reference: JsonObject): MethodCall[] {
  return [oneMessage, ["Email/get", { "#ids": reference }, "judged"]];
}

const right = { resultOf: "0", name: "Email/query", path: "/ids" };

const errorCases: readonly MethodErrorCase[] = [
  {
    id: "B-JMAP-10/ids-no-array",
    words: "of `Email/get` whose `ids` is a string",
    error: "invalidArguments",
    calls: [["Email/get", { ids: "x" }, "judged"]],
  },
  {
    id: "B-JMAP-10/filter-no-object",
    words: "of `Email/query` whose `filter` is a number",
    error: "invalidArguments",
    calls: [["Email/query", { filter: 5 }, "judged"]],
  },
  {
    id: "B-JMAP-10/negative-limit",
    words: "of `Email/query` with `limit` -1",
    error: "invalidArguments",
    calls: [["Email/query", { limit: -1 }, "judged"]],
  },
  {
    id: "B-JMAP-11",
    words: "of `Mailbox/query` with an unknown `accountId`",
    error: "accountNotFound",
    calls: [["Mailbox/query", { ...inboxFilter, accountId: "mailproof-none" }, "judged"]],
  },
  {
    id: "B-JMAP-13/unknown-call",
    words: "with a reference to an unknown call",
    error: "invalidResultReference",
    calls: referring({ ...right, resultOf: "none" }),
  },
  {
    id: "B-JMAP-13/other-name",
    words: "with a reference that names another method",
    error: "invalidResultReference",
    calls: referring({ ...right, name: "Mailbox/query" }),
  },
  {
    id: "B-JMAP-13/no-such-path",
    words: "with a reference whose `path` finds nothing",
    error: "invalidResultReference",
    calls: referring({ ...right, path: "/none" }),
  },
  {
    id: "B-JMAP-13/no-slash",
    words: "with a reference whose `path` has no leading slash",
    error: "invalidResultReference",
    calls: referring({ ...right, path: "ids" }),
  },
  {
    id: "B-JMAP-13/forward",
    words: "with a reference to a later call",
    error: "invalidResultReference",
    calls: referring(right).toReversed(),
  },
  {
    id: "B-JMAP-13/failed-call",
    words: "with a reference to a call of an unknown method",
    error: "invalidResultReference",
    calls: [
      ["Foo/bar", {}, "0"],
      ["Email/get", { "#ids": { ...right, name: "Foo/bar" } }, "judged"],
    ],
  },
  {
    id: "B-JMAP-14",
    words: "with both `ids` and `#ids`",
    error: "invalidArguments",
    calls: [oneMessage, ["Email/get", { ids: [], "#ids": right }, "judged"]],
  },
];

const methodErrors = errorCases.map(({ id, words, error, calls }) =>
  recommend({
    id,
    claim: `A call ${words} is answered with the method-level error \`${error}\`.`,
    needs: ["human"],
    act: (target) => call(target, calls),
    assert(exchange) {
      const response = responseTo(exchange, "judged");
      const isExpected = response?.name === "error" && response.args["type"] === error;
      expectThat(isExpected, error, answerIn(exchange, response), exchange);
    },
  }),
);

function answerIn(exchange: Exchange, response: ReturnType<typeof responseTo>): string {
  if (response === undefined) return summary(exchange);
  return response.name === "error" ? `error ${shown(response.args["type"])}` : response.name;
}

const laterCalls = recommend({
  id: "B-JMAP-09",
  claim: "A call after one of an unknown method is answered.",
  needs: ["human"],
  act: async (target) =>
    call(target, [
      ["Mailbox/query", inboxFilter, "0"],
      ["Foo/bar", {}, "1"],
      ["Mailbox/query", inboxFilter, "2"],
    ]),
  assert(exchange) {
    const ids = methodResponses(exchange)?.map(([, , id]) => id);
    const isAnswered = isSameJson(ids, ["0", "1", "2"]);
    expectThat(isAnswered, "responses to 0, 1 and 2", ids?.join(", ") ?? summary(exchange), exchange);
  },
});

const wildcard = recommend({
  id: "B-JMAP-15",
  claim: "A reference whose `path` has `*` collects a member of every item.",
  needs: ["human"],
  async act(target) {
    const { ids } = await threeDrafts(target);
    const reference = { resultOf: "0", name: "Email/get", path: "/list/*/id" };
    return call(target, [
      ["Email/get", { ids, properties: ["id"] }, "0"],
      ["Email/get", { "#ids": reference, properties: ["id"] }, "1"],
    ]);
  },
  assert(exchange) {
    const idsOf = (args: JsonObject): string =>
      shown(
        jsonObjectsIn(args["list"])
          .map((message) => message["id"])
          .toSorted(),
      );
    const all = requireResult(exchange, "0", "Email/get");
    const again = responseTo(exchange, "1");
    const isSame = again?.name === "Email/get" && idsOf(all) === idsOf(again.args);
    expectThat(isSame, "the same messages twice", answerIn(exchange, again), exchange);
  },
});

const wildcardOfNone = recommend({
  id: "B-JMAP-15/empty",
  claim: "A reference whose `path` has `*` collects nothing of an empty list, and is not an error.",
  needs: ["human"],
  act(target) {
    const reference = { resultOf: "0", name: "Email/get", path: "/list/*/id" };
    return call(target, [
      ["Email/get", { ids: [], properties: ["id"] }, "0"],
      ["Email/get", { "#ids": reference, properties: ["id"] }, "1"],
    ]);
  },
  assert(exchange) {
    requireResult(exchange, "0", "Email/get");
    const again = responseTo(exchange, "1");
    const isEmpty = again?.name === "Email/get" && jsonObjectsIn(again.args["list"]).length === 0;
    expectThat(isEmpty, "an Email/get response with an empty list", answerIn(exchange, again), exchange);
  },
});

const ofRepeatedCallId = recommend({
  id: "B-JMAP-13/repeated-call-id",
  claim: "A reference to a call id that two calls have takes the result of the first.",
  needs: ["human"],
  async act(target) {
    const { ids } = await threeDrafts(target);
    const reference = { resultOf: "0", name: "Email/get", path: "/list/*/id" };
    const exchange = await call(target, [
      ["Email/get", { ids: ids.slice(0, 1), properties: ["id"] }, "0"],
      ["Email/get", { ids: ids.slice(1, 2), properties: ["id"] }, "0"],
      ["Email/get", { "#ids": reference, properties: ["id"] }, "1"],
    ]);
    return { exchange, first: ids[0] };
  },
  assert({ exchange, first }) {
    const { list } = requireResult(exchange, "1", "Email/get");
    const found = shown(jsonObjectsIn(list).map((message) => message["id"]));
    expectThat(found === shown([first]), `the message ${shown(first)} alone`, found, exchange);
  },
});

const flattened = recommend({
  id: "B-JMAP-15/flattened",
  claim: "A reference whose `path` has `*` collects what lists of the items hold, not the lists.",
  needs: ["human"],
  act(target) {
    const reference = { resultOf: "0", name: "Core/echo", path: "/list/*/words" };
    const list = [{ words: ["one", "two"] }, { words: ["three"] }];
    return call(target, [
      ["Core/echo", { list }, "0"],
      ["Core/echo", { "#words": reference }, "1"],
    ]);
  },
  assert(exchange) {
    const echoed = responseTo(exchange, "1");
    if (echoed?.name !== "Core/echo" || !Object.hasOwn(echoed.args, "words"))
      throw new NotApplicableError("Core/echo returns no arguments that are taken from another result");
    const words = shown(echoed.args["words"]);
    expectThat(words === shown(["one", "two", "three"]), "one list of three words", words, exchange);
  },
});

export const methodErrorChecks = [
  ...methodErrors,
  laterCalls,
  wildcard,
  wildcardOfNone,
  ofRepeatedCallId,
  flattened,
];
