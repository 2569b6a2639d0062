import { observe, recommend } from "../support/judging/check.ts";
import { type Exchange, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  type MethodCall,
  methodResponses,
  postJmap,
  requireServed,
  responseTo,
  urn,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { call, callBody, ownInbox } from "./own-inbox.ts";

/** The control of every refusal: the well-formed request is served. */
async function requireOrdinary(target: Target): Promise<void> {
  await target.control.once("control:jmap:ordinary", async (recording) => {
    requireServed(await callBody(recording, inboxQuery), "an ordinary JMAP request");
  });
}

function withMembers(members: string): string {
  return `{"using":["${urn.core}","${urn.mail}"],${members}}`;
}

/** A body that is not a JMAP request. RFC 8620 §3.6.1. */
const bodies: readonly { requirement: string; slug: string; words: string; body: string }[] = [
  { requirement: "B-JMAP-03", slug: "text", words: "is not JSON", body: "this is not json" },
  { requirement: "B-JMAP-03", slug: "truncated", words: "is JSON cut short", body: inboxQuery.slice(0, -3) },
  { requirement: "B-JMAP-03", slug: "empty", words: "is empty", body: "" },
  { requirement: "B-JMAP-05", slug: "empty-object", words: "is `{}`", body: "{}" },
  { requirement: "B-JMAP-05", slug: "array", words: "is `[]`", body: "[]" },
  { requirement: "B-JMAP-05", slug: "null", words: "is `null`", body: "null" },
  { requirement: "B-JMAP-05", slug: "other-object", words: "is another JSON object", body: '{"foo":"bar"}' },
  {
    requirement: "B-JMAP-05",
    slug: "calls-no-array",
    words: "has a `methodCalls` that is not an array",
    body: withMembers('"methodCalls":{}'),
  },
  {
    requirement: "B-JMAP-05",
    slug: "call-of-two",
    words: "has a call of two elements",
    body: withMembers('"methodCalls":[["Mailbox/query",{}]]'),
  },
  {
    requirement: "B-JMAP-05",
    slug: "call-id-number",
    words: "has a call whose id is a number",
    body: withMembers('"methodCalls":[["Mailbox/query",{},0]]'),
  },
  {
    requirement: "B-JMAP-06",
    slug: "unknown-capability",
    words: "uses an unknown capability",
    body: `{"using":["${urn.core}","urn:mailproof:none"],"methodCalls":[]}`,
  },
];

const refusedBodies = bodies.map(({ requirement, slug, words, body }) =>
  recommend({
    id: `${requirement}/${slug}`,
    claim: `A JMAP request whose body ${words} is refused with 400.`,
    needs: ["human"],
    async act(target) {
      await requireOrdinary(target);
      return callBody(target, body);
    },
    assert: (exchange) => expectThat(exchange.response.status === 400, "400", summary(exchange), exchange),
  }),
);

const problemType = recommend({
  id: "B-JMAP-08",
  claim:
    "The refusal of a JMAP request whose body is not JSON is a problem document or has the OAuth error shape.",
  needs: ["human"],
  async act(target) {
    await requireOrdinary(target);
    return callBody(target, "this is not json");
  },
  assert(exchange) {
    const { type, error } = jsonMembers(exchange);
    const isProblem = typeof type === "string" && mediaType(exchange) === "application/problem+json";
    expectThat(
      isProblem || typeof error === "string",
      "one of the two",
      `${mediaType(exchange) || "no media type"} with type ${shown(type)}`,
      exchange,
    );
  },
});

const otherMediaType = recommend({
  id: "B-JMAP-04",
  claim: "A valid JMAP request sent as `text/plain` is refused with 4xx.",
  needs: ["human"],
  async act(target) {
    await requireOrdinary(target);
    const { accountId } = await ownInbox(target);
    return postJmap(target, {
      headers: [
        bearer(await sharedAccessToken(target)),
        accountHeader(target, accountId),
        ["Content-Type", "text/plain"],
      ],
      body: inboxQuery,
    });
  },
  assert(exchange) {
    const { status } = exchange.response;
    expectThat(status >= 400 && status < 500, "4xx", summary(exchange), exchange);
  },
});

const unusualBodies = [
  {
    slug: "lone-surrogate",
    words: "a lone surrogate",
    body: withMembers('"methodCalls":[["Core/echo",{"a":"\\ud800"},"0"]]'),
  },
  {
    slug: "duplicate-member",
    words: "a member twice",
    body: withMembers('"methodCalls":[["Core/echo",{"a":1,"a":2},"0"]]'),
  },
].map(({ slug, words, body }) =>
  observe({
    id: `B-JMAP-03/${slug}`,
    question: `How is a JMAP request whose body has ${words} answered?`,
    needs: ["human"],
    act: (target) => callBody(target, body),
    answer: summary,
  }),
);

const unknownMember = recommend({
  id: "B-JMAP-18",
  claim: "A JMAP request with an unknown member is served.",
  needs: ["human"],
  act: async (target) => callBody(target, inboxQuery.replace("{", '{"mailproof":1,')),
  assert(exchange) {
    const isServed = methodResponses(exchange) !== undefined;
    expectThat(isServed, "200 with methodResponses", summary(exchange), exchange);
  },
});

const notInUsing = recommend({
  id: "B-JMAP-20",
  claim: "A method of a capability that is not in `using` is answered `unknownMethod`.",
  needs: ["human"],
  act: async (target) =>
    call(target, [["Mailbox/query", { filter: { role: "inbox" } }, "0"]], { using: [urn.core] }),
  assert: expectUnknownMethod,
});

function expectUnknownMethod(exchange: Exchange): void {
  const [name, args] = methodResponses(exchange)?.[0] ?? [];
  const isUnknown = name === "error" && args?.["type"] === "unknownMethod";
  expectThat(isUnknown, "unknownMethod", name ?? summary(exchange), exchange);
}

const submissionNotInUsing = recommend({
  id: "B-JMAP-20/submission",
  claim: "A submission is answered `unknownMethod` in a request whose `using` leaves out its capability.",
  needs: ["human"],
  act: async (target) => {
    const calls: readonly MethodCall[] = [["EmailSubmission/set", { create: {} }, "0"]];
    const used = responseTo(await call(target.control, calls), "0");
    if (used?.name !== "EmailSubmission/set")
      throw new NotApplicableError("EmailSubmission/set is not answered where its capability is used either");
    return call(target, calls, { using: [urn.core, urn.mail] });
  },
  assert: expectUnknownMethod,
});

export const requestErrorChecks = [
  ...refusedBodies,
  ...unusualBodies,
  otherMediaType,
  problemType,
  unknownMember,
  notInUsing,
  submissionNotInUsing,
];
