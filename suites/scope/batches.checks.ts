import { check } from "../support/judging/check.ts";
import type { JsonObject } from "../support/wire/exchange.ts";
import { jmapAs, jmapBody, type MethodCall, methodResponses } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import {
  expectSendRefused,
  harmlessCall,
  readOnlyTrial,
  type SendAttempt,
  type Trial,
  trySending,
} from "./send-attempts.ts";
import { type Message, sendCall, submission } from "./submissions.ts";

/** How a send stands among the calls of one request with a mail.read token. */
interface Batch {
  readonly id: string;
  readonly claim: string;
  readonly calls: (send: MethodCall, message: Message) => readonly MethodCall[];
  /** The send itself, where it is not the document's. */
  readonly send?: (message: Message) => MethodCall;
}

const query: MethodCall = ["Mailbox/query", { filter: { role: "inbox" } }, "0"];

function queryAndGet(message: Message): MethodCall[] {
  return [
    ["Email/query", { filter: { inMailbox: message.route.from.mailboxId }, limit: 1 }, "0"],
    ["Email/get", { "#ids": { resultOf: "0", name: "Email/query", path: "/ids" }, properties: ["id"] }, "1"],
  ];
}

const places: readonly Batch[] = [
  {
    id: "SCOPE-13",
    claim: "A send with a `mail.read` token is refused with `insufficient_scope`, and nothing is sent.",
    calls: (send) => [send],
  },
  {
    id: "SCOPE-14/after-one",
    claim: "A send after a query is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [query, send],
  },
  {
    id: "SCOPE-14/after-back-reference",
    claim:
      "A send after a query and a get of its result is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send, message) => [...queryAndGet(message), send],
  },
  {
    id: "SCOPE-14/before-others",
    claim: "A send before two queries is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [send, query, query],
  },
  {
    id: "SCOPE-17/behind-unknown-method",
    claim:
      "A send after a method that does not exist is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [["Mailproof/nothing", {}, "0"], send],
  },
  {
    id: "SCOPE-17/behind-failing-method",
    claim:
      "A send after a call with wrong arguments is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [["Email/get", { ids: 7 }, "0"], send],
  },
  {
    id: "SCOPE-17/two-sends",
    claim: "Two sends in one request are refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [[send[0], send[1], "first"], send],
  },
  {
    id: "SCOPE-14/same-call-id",
    claim:
      "A send before a query with the same call id is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [[send[0], send[1], "0"], query],
  },
  {
    id: "SCOPE-14/long-request",
    claim: "A send in a request of 20 kB is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [send, ["Core/echo", { text: "mailproof ".repeat(2000) }, "0"]],
  },
];

const onSuccess = {
  update: { onSuccessUpdateEmail: { "#s1": { "keywords/$draft": null } } },
  destroy: { onSuccessDestroyEmail: ["#s1"] },
} as const satisfies Record<string, JsonObject>;

const shapes: readonly Batch[] = [
  ...[
    { slug: "on-success-update", words: "`onSuccessUpdateEmail`", more: onSuccess.update },
    { slug: "on-success-destroy", words: "`onSuccessDestroyEmail`", more: onSuccess.destroy },
    {
      slug: "on-success-both",
      words: "`onSuccessUpdateEmail` and `onSuccessDestroyEmail`",
      more: { ...onSuccess.update, ...onSuccess.destroy },
    },
    {
      slug: "update-and-destroy",
      words: "`update` and `destroy` beside `create`",
      more: { update: {}, destroy: [] },
    },
  ].map(({ slug, words, more }) => ({
    id: `SCOPE-16/${slug}`,
    claim: `A send with ${words} is refused with \`insufficient_scope\` for a \`mail.read\` token.`,
    calls: (send: MethodCall) => [send],
    send: (message: Message) => sendCall(message, more),
  })),
  {
    id: "SCOPE-16/create-by-reference",
    claim:
      "A send that takes `create` from an earlier result is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send, message) => [["Core/echo", { create: { s1: submission(message) } }, "0"], send],
    send: () => [
      "EmailSubmission/set",
      { "#create": { resultOf: "0", name: "Core/echo", path: "/create" } },
      "send",
    ],
  },
  {
    id: "SCOPE-16/to-itself",
    claim:
      "A send from an inbox to its own address is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [send],
    send({ route, emailId }) {
      const self = { email: route.fromAddress };
      const create = { s1: { emailId, envelope: { mailFrom: self, rcptTo: [self] }, ...route.more } };
      return ["EmailSubmission/set", { create }, "send"];
    },
  },
  {
    id: "SCOPE-16/without-envelope",
    claim:
      "A send whose recipients are those of the message, without an `envelope`, is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [send],
    send: ({ route, emailId }) => [
      "EmailSubmission/set",
      { create: { s1: { emailId, ...route.more } } },
      "send",
    ],
  },
  {
    id: "SCOPE-16/account-id",
    claim: "A send that names its `accountId` is refused with `insufficient_scope` for a `mail.read` token.",
    calls: (send) => [send],
    send: (message) => sendCall(message, { accountId: message.route.from.jmapAccountId }),
  },
];

const batches = [...places, ...shapes].map(({ id, claim, calls, send = sendCall }) =>
  check({
    id,
    claim,
    needs: ["human"],
    async act(target): Promise<SendAttempt> {
      const trial = await readOnlyTrial(target);
      const { token, message, route } = trial;
      return trySending(target, trial, send(message), (sender, call) =>
        jmapAs(sender, token, route.from.accountId, jmapBody(calls(call, message))),
      );
    },
    assert: expectSendRefused,
  }),
);

function endingWith(call: MethodCall, count: number): string {
  const before = Array.from({ length: count - 1 }, (_, at): MethodCall => [query[0], query[1], `q${at}`]);
  return jmapBody([...before, call]);
}

/** As many calls as the target takes in one request: `maxCallsInRequest` is its own choice (RFC 8620 §2). */
function longestBatch(target: Target, { token, route }: Trial, most: number): Promise<number> {
  return target.setup.once(`scope:longest-batch:${most}`, async (recording) => {
    let count = most;
    for (;;) {
      const body = endingWith(harmlessCall, count);
      const exchange = await jmapAs(recording, token, route.from.accountId, body);
      if (methodResponses(exchange) !== undefined || count <= 2) return count;
      count /= 2;
    }
  });
}

// A gateway may look at so many calls alone as it thinks that anybody sends.
const lastOfMany = [
  { slug: "sixteenth", most: 16 },
  { slug: "sixty-fourth", most: 64 },
].map(({ slug, most }) =>
  check({
    id: `SCOPE-14/${slug}`,
    claim: `A send as the last of ${most} calls, or of as many as the target takes, is refused with \`insufficient_scope\` for a \`mail.read\` token.`,
    needs: ["human"],
    async act(target): Promise<SendAttempt> {
      const trial = await readOnlyTrial(target);
      const { token, message, route } = trial;
      const count = await longestBatch(target, trial, most);
      return trySending(target, trial, sendCall(message), (sender, call) =>
        jmapAs(sender, token, route.from.accountId, endingWith(call, count)),
      );
    },
    assert: expectSendRefused,
  }),
);

/** A send at any place and in any shape. Document, "Authentication", OAuth 2.0 path 11. */
export const batchChecks = [...batches, ...lastOfMany];
