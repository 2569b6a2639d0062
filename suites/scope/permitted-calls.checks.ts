import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, type JsonObject, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { jmapAs, jmapBody, type MethodCall, methodResponses, responseTo } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import { createdIn } from "./mailboxes.ts";
import { draftFor, type Message, newMessage, routeFrom } from "./submissions.ts";
import { readOnlyToken } from "./scoped-tokens.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

interface Called {
  readonly exchange: Exchange;
  readonly message: Message;
}

type CallsFor = (message: Message) => readonly MethodCall[];

/** Sends calls for the first human's first inbox. */
async function callWith(target: Target, token: string, calls: CallsFor): Promise<Called> {
  const route = await routeFrom(target);
  // A draft of the check's own: some of the calls change it.
  const message = await newMessage(target, route);
  const exchange = await jmapAs(target, token, route.from.accountId, jmapBody(calls(message)));
  return { exchange, message };
}

const callReadOnly = async (target: Target, calls: CallsFor): Promise<Called> =>
  callWith(target, await readOnlyToken(target), calls);

function expectAnswered(exchange: Exchange, name: string): JsonObject {
  const response = responseTo(exchange, "0");
  if (response?.name === name) return response.args;
  const error = response === undefined ? "" : ` with ${response.name} ${shown(response.args["type"])}`;
  throw new Violation(`200 with a ${name} response`, summary(exchange) + error, { exchange });
}

function membersOf(value: unknown): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

const methods: readonly {
  slug: string;
  words: string;
  method: string;
  args: (message: Message) => JsonObject;
  /** Where the response names what was done. */
  done?: (args: JsonObject, message: Message) => boolean;
  /** The document does not show it: a target may let nobody do it, such as one that keeps all mail. */
  isNotShown?: true;
}[] = [
  {
    slug: "mailbox-query",
    words: "look for mailboxes",
    method: "Mailbox/query",
    args: () => ({ filter: { role: "inbox" } }),
  },
  {
    slug: "email-query",
    words: "look for messages",
    method: "Email/query",
    args: ({ route }) => ({ filter: { inMailbox: route.from.mailboxId }, limit: 1 }),
  },
  {
    slug: "email-get",
    words: "read messages",
    method: "Email/get",
    args: ({ emailId }) => ({ ids: [emailId], properties: ["subject"] }),
    done: (args, { subject }) => JSON.stringify(args["list"]).includes(subject),
  },
  {
    slug: "email-set-create",
    words: "create a draft",
    method: "Email/set",
    args: (message) => ({ create: { d1: draftFor(message.route, newSubject()) } }),
    done: (args) => createdIn(args, "d1") !== undefined,
  },
  {
    slug: "email-set-update",
    words: "change keywords",
    method: "Email/set",
    args: ({ emailId }) => ({ update: { [emailId]: { "keywords/$flagged": true } } }),
    done: (args, { emailId }) => membersOf(args["updated"]).includes(emailId),
    isNotShown: true,
  },
  {
    slug: "email-set-destroy",
    words: "destroy a message",
    method: "Email/set",
    args: ({ emailId }) => ({ destroy: [emailId] }),
    done: (args, { emailId }) => Array.isArray(args["destroyed"]) && args["destroyed"].includes(emailId),
    isNotShown: true,
  },
];

const everythingButSending = methods.map(({ slug, words, method, args, done = () => true, isNotShown }) =>
  check({
    id: `SCOPE-12/${slug}`,
    claim: `A \`mail.read\` token may ${words} with \`${method}\`${isNotShown ? ", where a token with both scopes may" : ""}.`,
    needs: ["human"],
    async act(target) {
      const calls: CallsFor = (message) => [[method, args(message), "0"]];
      const isDone = ({ exchange, message }: Called): boolean =>
        done(responseTo(exchange, "0")?.args ?? {}, message);
      const called = await callReadOnly(target, calls);
      if (!isNotShown || isDone(called)) return called;
      const withBoth = await callWith(target.control, await sharedAccessToken(target), calls);
      if (!isDone(withBoth)) throw new NotApplicableError(`a token with both scopes may not ${words} either`);
      return called;
    },
    assert({ exchange, message }) {
      const response = expectAnswered(exchange, method);
      expectThat(done(response, message), `${method} to do it`, shown(response), exchange);
    },
  }),
);

const send = "EmailSubmission/set";

/** Where the name of the sending method may stand without being called. */
const mentions: readonly {
  slug: string;
  words: string;
  call: (message: Message) => MethodCall;
  isCreate?: true;
}[] = [
  {
    slug: "call-id",
    words: "as a call id",
    call: () => ["Mailbox/query", { filter: { role: "inbox" } }, send],
  },
  {
    slug: "subject-and-body",
    words: "in the subject and the body of a draft",
    isCreate: true,
    call: (message) => [
      "Email/set",
      {
        create: {
          d1: {
            ...draftFor(message.route, `${send} ${newSubject()}`),
            bodyValues: { body: { value: `["${send}",{"create":{}},"0"]` } },
          },
        },
      },
      "0",
    ],
  },
  {
    slug: "creation-id",
    words: "in part as a creation id",
    isCreate: true,
    call: (message) => [
      "Email/set",
      { create: { EmailSubmission: draftFor(message.route, newSubject()) } },
      "0",
    ],
  },
  {
    slug: "echo",
    words: "in the arguments of `Core/echo`",
    call: () => ["Core/echo", { [send]: send, method: send }, "0"],
  },
];

const noFalsePositives = mentions.map(({ slug, words, call, isCreate }) =>
  check({
    id: `SCOPE-19/${slug}`,
    claim: `A request with the name of the sending method ${words} is served for a \`mail.read\` token.`,
    needs: ["human"],
    act: async (target) => callReadOnly(target, (message) => [call(message)]),
    assert({ exchange }) {
      const responses = methodResponses(exchange);
      if (responses === undefined)
        throw new Violation("200 with methodResponses", summary(exchange), { exchange });
      const created = membersOf(responses[0]?.[1]["created"]);
      if (isCreate)
        expectThat(
          created.length === 1,
          "the draft in created",
          `notCreated ${shown(responses[0]?.[1]["notCreated"])}`,
          exchange,
        );
    },
  }),
);

const submissionReads = [
  { slug: "get", method: "EmailSubmission/get", args: { ids: [] } },
  { slug: "query", method: "EmailSubmission/query", args: { limit: 1 } },
].map(({ slug, method, args }) =>
  check({
    id: `SCOPE-22/${slug}`,
    claim: `\`${method}\` is answered 200 for a \`mail.read\` token, with a result or a method error.`,
    needs: ["human"],
    act: async (target) => callReadOnly(target, () => [[method, args, "0"]]),
    assert({ exchange }) {
      if (methodResponses(exchange) === undefined)
        throw new Violation("200 with methodResponses", summary(exchange), { exchange });
    },
  }),
);

export const permittedCallChecks = [...everythingButSending, ...noFalsePositives, ...submissionReads];
