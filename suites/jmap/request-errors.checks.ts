import { check } from "../support/judging/check.ts";
import { type Exchange, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  methodResponses,
  postJmap,
  requireServed,
  urn,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, warning } from "../support/verdict.ts";
import { call, callBody, ownInbox } from "./own-inbox.ts";

/** The control of every refusal: the well-formed request is served. */
async function requireOrdinary(target: Target): Promise<void> {
  await target.once("control:jmap:ordinary", async (recording) => {
    requireServed(await callBody(recording, inboxQuery), "an ordinary JMAP request");
  });
}

function withMembers(members: string): string {
  return `{"using":["${urn.core}","${urn.mail}"],${members}}`;
}

/** A body that is no JMAP request. RFC 8620 §3.6.1. */
const bodies: readonly { requirement: string; slug: string; words: string; body: string }[] = [
  { requirement: "B-JMAP-03", slug: "text", words: "is no JSON", body: "this is not json" },
  { requirement: "B-JMAP-03", slug: "truncated", words: "is JSON cut short", body: inboxQuery.slice(0, -3) },
  { requirement: "B-JMAP-03", slug: "empty", words: "is empty", body: "" },
  { requirement: "B-JMAP-05", slug: "empty-object", words: "is {}", body: "{}" },
  { requirement: "B-JMAP-05", slug: "array", words: "is []", body: "[]" },
  { requirement: "B-JMAP-05", slug: "null", words: "is null", body: "null" },
  { requirement: "B-JMAP-05", slug: "other-object", words: "is another object", body: '{"foo":"bar"}' },
  {
    requirement: "B-JMAP-05",
    slug: "calls-no-array",
    words: "has methodCalls that are no array",
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
    words: "has a number for callId",
    body: withMembers('"methodCalls":[["Mailbox/query",{},0]]'),
  },
  {
    requirement: "B-JMAP-06",
    slug: "unknown-capability",
    words: "uses an unknown capability",
    body: `{"using":["${urn.core}","urn:mailproof:none"],"methodCalls":[]}`,
  },
];

function expectStatus400(exchange: Exchange): Finding | undefined {
  return exchange.response.status === 400 ? undefined : warning(`RFC 8620 has 400; got ${summary(exchange)}`);
}

const refusedBodies = bodies.map(({ requirement, slug, words, body }) =>
  check({
    id: `${requirement}/${slug}`,
    claim: `A request whose body ${words} is answered 400.`,
    needs: ["human"],
    async act(target) {
      await requireOrdinary(target);
      return callBody(target, body);
    },
    assert: expectStatus400,
  }),
);

const problemType = check({
  id: "B-JMAP-08",
  claim: "The body of a refused request is a problem document or the OAuth error shape.",
  needs: ["human"],
  async act(target) {
    await requireOrdinary(target);
    return callBody(target, "this is not json");
  },
  assert(exchange) {
    const { type, error } = jsonMembers(exchange);
    if (typeof type === "string" && mediaType(exchange) === "application/problem+json") return undefined;
    if (typeof error === "string") return undefined;
    return warning(`neither of them: ${mediaType(exchange) || "no media type"}, type ${shown(type)}`);
  },
});

const otherMediaType = check({
  id: "B-JMAP-04",
  claim: "A valid body sent as text/plain is refused with 4xx.",
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
    return status >= 400 && status < 500
      ? undefined
      : warning(`RFC 8620 has a refusal; got ${summary(exchange)}`);
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
  check({
    id: `B-JMAP-03/${slug}`,
    claim: `What a body with ${words} gets.`,
    needs: ["human"],
    async act(target) {
      await requireOrdinary(target);
      return callBody(target, body);
    },
    assert: (exchange) => observation(summary(exchange)),
  }),
);

const unknownMember = check({
  id: "B-JMAP-18",
  claim: "A request with a member that no one knows is served.",
  needs: ["human"],
  act: async (target) => callBody(target, inboxQuery.replace("{", '{"mailproof":1,')),
  assert: (exchange) =>
    methodResponses(exchange) === undefined
      ? warning(`RFC 8620 has it ignored; got ${summary(exchange)}`)
      : undefined,
});

const notInUsing = check({
  id: "B-JMAP-20",
  claim: "A method of a capability that is not in using is answered unknownMethod.",
  needs: ["human"],
  act: async (target) =>
    call(target, [["Mailbox/query", { filter: { role: "inbox" } }, "0"]], { using: [urn.core] }),
  assert(exchange) {
    const [name, args] = methodResponses(exchange)?.[0] ?? [];
    const isUnknown = name === "error" && args?.["type"] === "unknownMethod";
    return isUnknown ? undefined : warning(`answered ${name ?? summary(exchange)}`);
  },
});

export const requestErrorChecks = [
  ...refusedBodies,
  ...unusualBodies,
  otherMediaType,
  problemType,
  unknownMember,
  notInUsing,
];
