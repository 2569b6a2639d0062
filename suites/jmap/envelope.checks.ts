import { type Check, check, observe } from "../support/judging/check.ts";
import { type Exchange, isSuccess, showsText, summary } from "../support/wire/exchange.ts";
import { expectThat, isSameJson, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, inboxOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  type MethodCall,
  methodResponses,
  postJmap,
  responseTo,
  urn,
} from "../support/actors/jmap.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import type { Target } from "../support/target/target.ts";
import { foreignAccount } from "./foreign-inbox.ts";
import { call, callBody, expectResult, ownInbox, requireSeveral } from "./own-inbox.ts";

function expectMethodResponses(exchange: Exchange): void {
  const isServed = methodResponses(exchange) !== undefined;
  expectThat(isServed, "200 with methodResponses", summary(exchange), exchange);
}

const ordinary = check({
  id: "JMAP-01",
  claim:
    "A JMAP request is answered 200 with JSON whose `methodResponses` are triples of name, arguments and call id.",
  needs: ["human"],
  act: async (target) => callBody(target, inboxQuery),
  assert: expectMethodResponses,
});

const withCharset = check({
  id: "JMAP-01/charset",
  claim: "A JMAP request of `Content-Type: application/json; charset=utf-8` is answered like any other.",
  needs: ["human"],
  async act(target) {
    const accountId = await inboxOf(target);
    return postJmap(target, {
      headers: [
        bearer(await sharedAccessToken(target)),
        accountHeader(target, accountId),
        ["Content-Type", "application/json; charset=utf-8"],
      ],
      body: inboxQuery,
    });
  },
  assert: (exchange) => explained("JMAP-01", () => expectMethodResponses(exchange)),
});

const spaced = check({
  id: "JMAP-01/spaced",
  claim: "A JMAP request whose JSON has spaces and line breaks is answered like any other.",
  needs: ["human"],
  act: (target) => callBody(target, JSON.stringify(JSON.parse(inboxQuery), null, 2)),
  assert: (exchange) => explained("JMAP-01", () => expectMethodResponses(exchange)),
});

const capabilities = [
  { slug: "core", words: "capability core", using: [urn.core] },
  { slug: "core-mail", words: "capabilities core and mail", using: [urn.core, urn.mail] },
  {
    slug: "core-mail-submission",
    words: "capabilities core, mail and submission",
    using: [urn.core, urn.mail, urn.submission],
  },
  {
    slug: "submission-mail-core",
    words: "capabilities submission, mail and core, in that order,",
    using: [urn.submission, urn.mail, urn.core],
  },
].map(({ slug, words, using }) =>
  check({
    id: `JMAP-02/${slug}`,
    claim: `A request whose \`using\` names the ${words} is answered 200 with \`methodResponses\`.`,
    needs: ["human"],
    // Whether a method is of these capabilities is not the question: an error for it is an answer.
    act: async (target) => call(target, [["Mailbox/query", { filter: { role: "inbox" } }, "0"]], { using }),
    assert: (exchange) => explained("JMAP-01", () => expectMethodResponses(exchange)),
  }),
);

const unusualCallIds = ["c0", "", "é"];

const callIds = check({
  id: "JMAP-10",
  claim: "Three calls are answered in order, each under its call id, also an empty or a non-ASCII one.",
  needs: ["human"],
  async act(target) {
    const calls = unusualCallIds.map((id): MethodCall => [
      "Mailbox/query",
      { filter: { role: "inbox" } },
      id,
    ]);
    return requireSeveral(await call(target, calls));
  },
  assert(exchange) {
    const returned = methodResponses(exchange)?.map(([, , id]) => id);
    const isSame = isSameJson(returned, unusualCallIds);
    explained("JMAP-01", () =>
      expectThat(
        isSame,
        `call ids ${shown(unusualCallIds)}`,
        returned === undefined ? summary(exchange) : shown(returned),
        exchange,
      ),
    );
  },
});

const methodError = check({
  id: "JMAP-11",
  claim: "A call of an unknown method is answered 200 with the method-level error `unknownMethod`.",
  needs: ["human"],
  act: async (target) => call(target, [["Foo/bar", {}, "0"]]),
  assert(exchange) {
    const { type } = expectResult(exchange, "0", "error");
    expectThat(type === "unknownMethod", "unknownMethod", shown(type), exchange);
  },
});

const methods: readonly { slug: string; call: MethodCall }[] = [
  { slug: "mailbox-get", call: ["Mailbox/get", { ids: null }, "0"] },
  { slug: "email-changes", call: ["Email/changes", { sinceState: "0" }, "0"] },
  { slug: "thread-get", call: ["Thread/get", { ids: [] }, "0"] },
  { slug: "identity-get", call: ["Identity/get", { ids: null }, "0"] },
  { slug: "core-echo", call: ["Core/echo", { hello: true }, "0"] },
];

const furtherMethods = methods.map(({ slug, call: methodCall }) =>
  observe({
    id: `JMAP-13/${slug}`,
    question: `Is \`${methodCall[0]}\` supported?`,
    needs: ["human"],
    act: async (target) => call(target, [methodCall]),
    answer(exchange) {
      const response = responseTo(exchange, "0");
      if (response === undefined) return summary(exchange);
      return response.name === "error" ? `no: error ${shown(response.args["type"])}` : "yes";
    },
  }),
);

const getRequest = observe({
  id: "JMAP-14",
  question: "How is GET on the JMAP endpoint answered?",
  needs: ["human"],
  async act(target) {
    const accountId = await inboxOf(target);
    return target.send({
      method: "GET",
      url: `${target.apiUrl}/jmap`,
      headers: [bearer(await sharedAccessToken(target)), accountHeader(target, accountId)],
    });
  },
  answer: summary,
});

async function sessionDocument(target: Target, accountId?: string): Promise<Exchange> {
  const selection = accountId === undefined ? [] : [accountHeader(target, accountId)];
  return followedSessionDocument(target, [bearer(await sharedAccessToken(target)), ...selection]);
}

/** Which inbox the account header names when the first human asks for the session document. */
const selections = [
  {
    observed: "JMAP-12/no-header",
    rule: "BEARER-16/session-document",
    words: "and no account header",
    accountId: () => Promise.resolve(undefined),
  },
  {
    observed: "JMAP-12/foreign-header",
    rule: "BEARER-16/session-document-foreign-header",
    words: "and another person's inbox in the account header",
    accountId: (target: Target) => foreignInbox(target),
  },
];

const sessionDocuments = selections.flatMap(({ observed, rule, words, accountId }): Check[] => [
  observe({
    id: observed,
    question: `How is a request for the JMAP session document with an OAuth token ${words} answered?`,
    needs: ["human", "second-human"],
    act: async (target) => sessionDocument(target, await accountId(target)),
    answer: summary,
  }),
  check({
    id: rule,
    claim: `A request for the JMAP session document with an OAuth token ${words} shows no inbox of another person.`,
    needs: ["human", "second-human"],
    async act(target) {
      const foreign = await foreignAccount(target);
      const own = await ownInbox(target);
      const others = [foreign.accountId, foreign.jmapAccountId].filter(
        (id) => ![own.accountId, own.jmapAccountId].includes(id),
      );
      const asked = await accountId(target);
      return { exchange: await sessionDocument(target, asked), others, asked };
    },
    assert({ exchange, others, asked }) {
      // A refusal may repeat what it was asked for.
      const telling = isSuccess(exchange) ? others : others.filter((id) => id !== asked);
      const named = telling.filter((id) => showsText(exchange, id));
      explained("HDR-11/mailbox-query", () =>
        expectThat(named.length === 0, "no inbox of another person", named.join(", "), exchange),
      );
    },
  }),
]);

const ownSessionDocument = observe({
  id: "JMAP-12/own-header",
  question:
    "How is a request for the JMAP session document with an OAuth token and an owned inbox in the account header answered?",
  needs: ["human"],
  act: async (target) => sessionDocument(target, await inboxOf(target)),
  answer: summary,
});

export const envelopeChecks: readonly Check[] = [
  ordinary,
  withCharset,
  spaced,
  ...capabilities,
  callIds,
  methodError,
  ...furtherMethods,
  getRequest,
  ...sessionDocuments,
  ownSessionDocument,
];
