import { check } from "../support/judging/check.ts";
import type { JsonObject } from "../support/wire/exchange.ts";
import { inboxesOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  jmapAs,
  jmapBody,
  jsonContentType,
  type MethodCall,
  postJmap,
  urn,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { expectSendRefused, readOnlyTrial, type SendAttempt, trySending } from "./send-attempts.ts";
import { type Message, sendCall, submission } from "./submissions.ts";

/** How a send stands among the calls of one request. */
interface Batch {
  readonly id: string;
  /** Reads after "A request". */
  readonly words: string;
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
  { id: "SCOPE-13", words: "with a send alone", calls: (send) => [send] },
  { id: "SCOPE-14/after-one", words: "with a send behind a query", calls: (send) => [query, send] },
  {
    id: "SCOPE-14/after-back-reference",
    words: "with a send behind a query and a get of its result",
    calls: (send, message) => [...queryAndGet(message), send],
  },
  {
    id: "SCOPE-14/before-others",
    words: "with a send before two queries",
    calls: (send) => [send, query, query],
  },
  {
    id: "SCOPE-14/sixteenth",
    words: "with a send as the last of 16 calls",
    calls: (send) => [
      ...Array.from({ length: 15 }, (_, at): MethodCall => [query[0], query[1], `q${at}`]),
      send,
    ],
  },
  {
    id: "SCOPE-17/behind-unknown-method",
    words: "with a send behind a method that does not exist",
    calls: (send) => [["Mailproof/nothing", {}, "0"], send],
  },
  {
    id: "SCOPE-17/behind-failing-method",
    words: "with a send behind a call whose arguments are wrong",
    calls: (send) => [["Email/get", { ids: 7 }, "0"], send],
  },
  {
    id: "SCOPE-17/two-sends",
    words: "with two sends",
    calls: (send) => [[send[0], send[1], "first"], send],
  },
];

const onSuccess = {
  update: { onSuccessUpdateEmail: { "#s1": { "keywords/$draft": null } } },
  destroy: { onSuccessDestroyEmail: ["#s1"] },
} as const satisfies Record<string, JsonObject>;

const shapes: readonly Batch[] = [
  ...[
    { slug: "on-success-update", words: "onSuccessUpdateEmail", more: onSuccess.update },
    { slug: "on-success-destroy", words: "onSuccessDestroyEmail", more: onSuccess.destroy },
    {
      slug: "on-success-both",
      words: "onSuccessUpdateEmail and onSuccessDestroyEmail",
      more: { ...onSuccess.update, ...onSuccess.destroy },
    },
    {
      slug: "update-and-destroy",
      words: "update and destroy beside create",
      more: { update: {}, destroy: [] },
    },
  ].map(({ slug, words, more }) => ({
    id: `SCOPE-16/${slug}`,
    words: `with a send that has ${words}`,
    calls: (send: MethodCall) => [send],
    send: (message: Message) => sendCall(message, more),
  })),
  {
    id: "SCOPE-16/create-by-reference",
    words: "with a send that takes create from an earlier result",
    calls: (send, message) => [["Core/echo", { create: { s1: submission(message) } }, "0"], send],
    send: () => [
      "EmailSubmission/set",
      { "#create": { resultOf: "0", name: "Core/echo", path: "/create" } },
      "send",
    ],
  },
  {
    id: "SCOPE-16/account-id",
    words: "with a send that has the account's id",
    calls: (send) => [send],
    send: (message) => sendCall(message, { accountId: message.route.from.jmapAccountId }),
  },
];

const batches = [...places, ...shapes].map(({ id, words, calls, send = sendCall }) =>
  check({
    id,
    claim: `A request ${words} is refused with 403 insufficient_scope for a mail.read token, and nothing is sent.`,
    needs: ["human"],
    async act(target): Promise<SendAttempt> {
      const trial = await readOnlyTrial(target);
      const { token, message, route } = trial;
      return trySending(target, {
        ...trial,
        request: (call) => jmapAs(target, token, route.from.accountId, jmapBody(calls(call, message))),
        send: send(message),
      });
    },
    assert: expectSendRefused,
  }),
);

/** Where a request may claim a scope that its token does not have. */
const claims: readonly {
  slug: string;
  words: string;
  url?: (target: Target) => string;
  headers?: readonly (readonly [string, string])[];
  members?: JsonObject;
}[] = [
  {
    slug: "query",
    words: "in its URL",
    url: (target) => `${target.apiUrl}/jmap?scope=mail.read%20mail.send`,
  },
  { slug: "header", words: "in a header X-Scope", headers: [["X-Scope", "mail.read mail.send"]] },
  { slug: "body", words: "in its body", members: { scope: "mail.read mail.send", scopes: ["mail.send"] } },
];

const claimed = claims.map(({ slug, words, url, headers = [], members = {} }) =>
  check({
    id: `SCOPE-25/${slug}`,
    claim: `A send with a mail.read token that names mail.send ${words} is refused with 403 insufficient_scope, and nothing is sent.`,
    needs: ["human"],
    async act(target): Promise<SendAttempt> {
      const trial = await readOnlyTrial(target);
      const { token, message, route } = trial;
      const request = (call: MethodCall) =>
        postJmap(target, {
          ...(url && { url: url(target) }),
          headers: [bearer(token), accountHeader(target, route.from.accountId), jsonContentType, ...headers],
          body: JSON.stringify({ using: Object.values(urn), methodCalls: [call], ...members }),
        });
      return trySending(target, { ...trial, request, send: sendCall(message) });
    },
    assert: expectSendRefused,
  }),
);

const mostInboxes = 4;

const everyInbox = check({
  id: "SCOPE-26",
  claim: `A send with a mail.read token is refused with 403 insufficient_scope in each of the person's inboxes (at most ${mostInboxes}).`,
  needs: ["human"],
  async act(target): Promise<SendAttempt[]> {
    const owned = (await inboxesOf(target)).slice(0, mostInboxes);
    return Promise.all(
      owned.map(async ({ accountId }) => {
        const trial = await readOnlyTrial(target, accountId);
        const { token, message } = trial;
        const request = (call: MethodCall) => jmapAs(target, token, accountId, jmapBody([call]));
        return trySending(target, { ...trial, request, send: sendCall(message) });
      }),
    );
  },
  assert(attempts) {
    for (const attempt of attempts) expectSendRefused(attempt);
  },
});

export const batchChecks = [...batches, ...claimed, everyInbox];
