import { check } from "../support/judging/check.ts";
import { header, isSuccess, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, inboxesOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  type MethodCall,
  methodResponses,
  responseTo,
  urn,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { observation, Violation } from "../support/verdict.ts";
import { foreignAccount } from "./foreign-inbox.ts";
import { call, callBody, expectResult, ownInbox } from "./own-inbox.ts";

const ordinary = check({
  id: "JMAP-01",
  claim:
    "An ordinary request is answered 200 with JSON whose methodResponses are triples of name, arguments and callId.",
  needs: ["human"],
  act: async (target) => callBody(target, inboxQuery),
  assert(exchange) {
    expectThat(methodResponses(exchange) !== undefined, "200 with methodResponses", summary(exchange));
    expectThat(
      mediaType(exchange) === "application/json",
      "Content-Type application/json",
      header(exchange, "content-type") ?? "none",
    );
  },
});

const capabilities = [
  { slug: "core", using: [urn.core] },
  { slug: "core-mail", using: [urn.core, urn.mail] },
  { slug: "core-mail-submission", using: [urn.core, urn.mail, urn.submission] },
].map(({ slug, using }) =>
  check({
    id: `JMAP-02/${slug}`,
    claim: `A request whose using is ${using.join(", ")} is answered 200 with methodResponses.`,
    needs: ["human"],
    // Whether a method is of these capabilities is not the question: an error for it is an answer.
    act: async (target) => call(target, [["Mailbox/query", { filter: { role: "inbox" } }, "0"]], { using }),
    assert: (exchange) =>
      expectThat(methodResponses(exchange) !== undefined, "200 with methodResponses", summary(exchange)),
  }),
);

const oddCallIds = ["c0", "", "é"];

const callIds = check({
  id: "JMAP-10",
  claim: "Three calls are answered in their order, each under its callId, be it empty or not ASCII.",
  needs: ["human"],
  act: async (target) =>
    call(
      target,
      oddCallIds.map((id): MethodCall => ["Mailbox/query", { filter: { role: "inbox" } }, id]),
    ),
  assert(exchange) {
    const seen = methodResponses(exchange)?.map(([, , id]) => id);
    expectThat(
      shown(seen) === shown(oddCallIds),
      `callIds ${shown(oddCallIds)}`,
      seen ? shown(seen) : summary(exchange),
    );
  },
});

const methodError = check({
  id: "JMAP-11",
  claim: "A call of an unknown method is answered 200 with a method-level error unknownMethod.",
  needs: ["human"],
  act: async (target) => call(target, [["Foo/bar", {}, "0"]]),
  assert(exchange) {
    const { type } = expectResult(exchange, "0", "error");
    expectThat(type === "unknownMethod", "unknownMethod", shown(type));
  },
});

const methods: readonly { slug: string; words: string; call: MethodCall }[] = [
  { slug: "mailbox-get", words: "Mailbox/get", call: ["Mailbox/get", { ids: null }, "0"] },
  { slug: "email-changes", words: "Email/changes", call: ["Email/changes", { sinceState: "0" }, "0"] },
  { slug: "thread-get", words: "Thread/get", call: ["Thread/get", { ids: [] }, "0"] },
  { slug: "identity-get", words: "Identity/get", call: ["Identity/get", { ids: null }, "0"] },
  { slug: "core-echo", words: "Core/echo", call: ["Core/echo", { hello: true }, "0"] },
];

const furtherMethods = methods.map(({ slug, words, call: methodCall }) =>
  check({
    id: `JMAP-13/${slug}`,
    claim: `Whether ${words} is supported.`,
    needs: ["human"],
    act: async (target) => call(target, [methodCall]),
    assert(exchange) {
      const response = responseTo(exchange, "0");
      if (response === undefined) return observation(summary(exchange));
      return observation(response.name === "error" ? `error ${shown(response.args["type"])}` : "supported");
    },
  }),
);

const getRequest = check({
  id: "JMAP-14",
  claim: "What GET on the JMAP endpoint gets; no method responses and no account.",
  needs: ["human"],
  async act(target) {
    const { accountId } = await ownInbox(target);
    return target.send({
      method: "GET",
      url: `${target.apiUrl}/jmap`,
      headers: [bearer(await sharedAccessToken(target)), accountHeader(target, accountId)],
    });
  },
  assert(exchange) {
    const data = Object.keys(jsonMembers(exchange)).filter((name) =>
      ["methodResponses", "accounts", "primaryAccounts", "list"].includes(name),
    );
    if (isSuccess(exchange) && data.length > 0)
      throw new Violation("no data", `${summary(exchange)} with ${data.join(", ")}`);
    return observation(summary(exchange));
  },
});

async function sessionDocument(target: Target, accountId?: string) {
  const selection = accountId === undefined ? [] : [accountHeader(target, accountId)];
  return target.send({
    method: "GET",
    url: `${target.apiUrl}/.well-known/jmap`,
    headers: [bearer(await sharedAccessToken(target)), ...selection],
  });
}

const sessionWithout = check({
  id: "JMAP-12/no-header",
  claim:
    "What the JMAP session document gets with an OAuth token and no account header; it names no inbox of another person.",
  needs: ["human", "second-human"],
  async act(target) {
    const { accountId, jmapAccountId } = await foreignAccount(target);
    const own = await ownInbox(target);
    const others = [accountId, jmapAccountId].filter(
      (id) => ![own.accountId, own.jmapAccountId].includes(id),
    );
    return { exchange: await sessionDocument(target), others };
  },
  assert({ exchange, others }) {
    const named = others.filter((id) => exchange.response.body.includes(JSON.stringify(id)));
    expectThat(named.length === 0, "no inbox of another person", named.join(", "));
    return observation(summary(exchange));
  },
});

const sessionOwn = check({
  id: "JMAP-12/own-header",
  claim: "What the JMAP session document gets with an OAuth token and the account header of an owned inbox.",
  needs: ["human"],
  act: async (target) => sessionDocument(target, (await inboxesOf(target))[0].accountId),
  assert: (exchange) => observation(summary(exchange)),
});

const sessionForeign = check({
  id: "JMAP-12/foreign-header",
  claim:
    "The JMAP session document with an OAuth token and the account header of another person's inbox is not answered 2xx.",
  needs: ["human", "second-human"],
  act: async (target) => sessionDocument(target, await foreignInbox(target)),
  assert(exchange) {
    expectNotServed(exchange);
    return observation(summary(exchange));
  },
});

export const envelopeChecks = [
  ordinary,
  ...capabilities,
  callIds,
  methodError,
  ...furtherMethods,
  getRequest,
  sessionWithout,
  sessionOwn,
  sessionForeign,
];
