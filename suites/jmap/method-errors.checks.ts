import { check } from "../support/judging/check.ts";
import { type JsonObject, summary } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { type MethodCall, methodResponses, responseTo } from "../support/actors/jmap.ts";
import { warning } from "../support/verdict.ts";
import { call, ownInbox } from "./own-inbox.ts";

const inboxFilter = { filter: { role: "inbox" } };

/** A method-level error that RFC 8620 prescribes. */
interface MethodErrorCase {
  readonly id: string;
  readonly words: string;
  readonly errors: readonly string[];
  /** The judged call has the callId `judged`. */
  readonly calls: readonly MethodCall[];
}

function referring(reference: JsonObject): MethodCall[] {
  return [
    ["Mailbox/query", inboxFilter, "0"],
    ["Mailbox/get", { "#ids": reference }, "judged"],
  ];
}

const right = { resultOf: "0", name: "Mailbox/query", path: "/ids" };

const errorCases: readonly MethodErrorCase[] = [
  {
    id: "B-JMAP-10/ids-no-array",
    words: "Email/get whose ids is a string",
    errors: ["invalidArguments"],
    calls: [["Email/get", { ids: "x" }, "judged"]],
  },
  {
    id: "B-JMAP-10/filter-no-object",
    words: "Email/query whose filter is a number",
    errors: ["invalidArguments"],
    calls: [["Email/query", { filter: 5 }, "judged"]],
  },
  {
    id: "B-JMAP-10/negative-limit",
    words: "Email/query with limit -1",
    errors: ["invalidArguments"],
    calls: [["Email/query", { limit: -1 }, "judged"]],
  },
  {
    id: "B-JMAP-11",
    words: "Mailbox/query with an unknown accountId",
    errors: ["accountNotFound"],
    calls: [["Mailbox/query", { ...inboxFilter, accountId: "mailproof-none" }, "judged"]],
  },
  {
    id: "B-JMAP-13/unknown-call",
    words: "a reference to an unknown call",
    errors: ["invalidResultReference"],
    calls: referring({ ...right, resultOf: "none" }),
  },
  {
    id: "B-JMAP-13/other-name",
    words: "a reference with another method's name",
    errors: ["invalidResultReference"],
    calls: referring({ ...right, name: "Email/query" }),
  },
  {
    id: "B-JMAP-13/no-such-path",
    words: "a reference with a path that leads nowhere",
    errors: ["invalidResultReference"],
    calls: referring({ ...right, path: "/none" }),
  },
  {
    id: "B-JMAP-13/no-slash",
    words: "a reference with a path without slash",
    errors: ["invalidResultReference"],
    calls: referring({ ...right, path: "ids" }),
  },
  {
    id: "B-JMAP-13/forward",
    words: "a reference to a later call",
    errors: ["invalidResultReference"],
    calls: referring(right).toReversed(),
  },
  {
    id: "B-JMAP-14",
    words: "ids beside #ids",
    errors: ["invalidArguments"],
    calls: [
      ["Mailbox/query", inboxFilter, "0"],
      ["Mailbox/get", { ids: [], "#ids": right }, "judged"],
    ],
  },
];

const methodErrors = errorCases.map(({ id, words, errors, calls }) =>
  check({
    id,
    claim: `The call ${words} is answered with the method-level error ${errors.join(" or ")}.`,
    needs: ["human"],
    async act(target) {
      await ownInbox(target);
      return call(target, calls);
    },
    assert(exchange) {
      const response = responseTo(exchange, "judged");
      const type = response?.name === "error" ? response.args["type"] : undefined;
      if (typeof type === "string" && errors.includes(type)) return undefined;
      const got = response === undefined ? summary(exchange) : `${response.name} ${shown(type ?? "")}`;
      return warning(`RFC 8620 has ${errors.join(" or ")}; got ${got}`);
    },
  }),
);

const laterCalls = check({
  id: "B-JMAP-09",
  claim: "Calls behind one of an unknown method are carried out.",
  needs: ["human"],
  act: async (target) =>
    call(target, [
      ["Mailbox/query", inboxFilter, "0"],
      ["Foo/bar", {}, "1"],
      ["Mailbox/query", inboxFilter, "2"],
    ]),
  assert(exchange) {
    const names = methodResponses(exchange)?.map(([name]) => name);
    const expected = ["Mailbox/query", "error", "Mailbox/query"];
    return shown(names) === shown(expected)
      ? undefined
      : warning(`got ${names?.join(", ") ?? summary(exchange)}`);
  },
});

const wildcard = check({
  id: "B-JMAP-15",
  claim: "A reference path with * collects a member of every item.",
  needs: ["human"],
  act: async (target) =>
    call(target, [
      ["Mailbox/get", { ids: null, properties: ["id"] }, "0"],
      [
        "Mailbox/get",
        { "#ids": { resultOf: "0", name: "Mailbox/get", path: "/list/*/id" }, properties: ["id"] },
        "1",
      ],
    ]),
  assert(exchange) {
    const [all, again] = ["0", "1"].map((id) => responseTo(exchange, id));
    const isSame = again?.name === "Mailbox/get" && shown(all?.args["list"]) === shown(again.args["list"]);
    return isSame ? undefined : warning(`got ${again === undefined ? summary(exchange) : shown(again)}`);
  },
});

export const methodErrorChecks = [...methodErrors, laterCalls, wildcard];
