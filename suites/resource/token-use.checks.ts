import { agentResource, mcpResource } from "../support/actors/oauth-client.ts";
import { check, type Check, type Need, observe } from "../support/judging/check.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, inboxOf, twoInboxes } from "../support/material/inboxes.ts";
import {
  bearer,
  getAgents,
  inboxQuery,
  jmapAs,
  jmapBody,
  jsonContentType,
  postJmap,
  responseTo,
  urn,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { requireJmapToken } from "./jmap-control.ts";

const bodies: readonly { slug: string; words: string; body: string }[] = [
  { slug: "mailbox-query", words: "`Mailbox/query`", body: inboxQuery },
  {
    slug: "core-echo",
    words: "`Core/echo`",
    body: jmapBody([["Core/echo", { hello: "mailproof" }, "0"]], [urn.core]),
  },
];

const mcpAtJmap = bodies.map(({ slug, words, body }) =>
  check({
    id: `RES-29/${slug}`,
    claim: `${words} with a token for the MCP resource is refused with 401 or 403.`,
    needs: ["human"],
    async act(target) {
      const accountId = await inboxOf(target);
      const token = await sharedAccessToken(target, { resource: mcpResource(target) });
      await requireJmapToken(target, accountId, body);
      return jmapAs(target, token, accountId, body);
    },
    assert: expectWrongAudience,
  }),
);

/** The document shows no status for it: 401 as RFC 9068 §4 has it, or 403. */
function expectWrongAudience(exchange: Exchange): Warning | undefined {
  expectNotServed(exchange);
  const { status } = exchange.response;
  if (status === 400) return warning("a token for another audience is refused with 400; RFC 9068 §4 has 401");
  if (status !== 401 && status !== 403)
    throw new Violation("a refusal with 401 or 403", summary(exchange), { exchange });
  return undefined;
}

const itsOwnInbox = observe({
  id: "RES-30/own-inbox",
  question: "How does JMAP answer a token for a single inbox when that inbox is selected?",
  needs: ["human"],
  async act(target) {
    const accountId = await inboxOf(target);
    const token = await sharedAccessToken(target, { resource: agentResource(target, accountId) });
    return jmapAs(target, token, accountId, inboxQuery);
  },
  answer: summary,
});

/** What a token for a single inbox gets without the account header, and what that inbox answers to a token for JMAP. */
function useWithoutHeader(target: Target): Promise<{ ownAccountId: unknown; exchange: Exchange }> {
  return target.once("resource:agent-token-without-header", async (recording) => {
    const accountId = await inboxOf(recording);
    const token = await sharedAccessToken(recording, { resource: agentResource(recording, accountId) });
    const control = await requireJmapToken(recording, accountId, inboxQuery);
    return {
      ownAccountId: answeringAccount(control),
      exchange: await postJmap(recording, { headers: [bearer(token), jsonContentType], body: inboxQuery }),
    };
  });
}

function answeringAccount(exchange: Exchange): unknown {
  return responseTo(exchange, "0")?.args["accountId"];
}

const withoutHeader = observe({
  id: "RES-30/without-header",
  question: "How does JMAP answer a token for a single inbox without the account header?",
  needs: ["human"],
  act: useWithoutHeader,
  answer: ({ exchange }) => summary(exchange),
});

const noOtherInbox = check({
  id: "RES-30/no-default-inbox",
  claim: "A token for a single inbox reaches no other inbox at JMAP when the account header is left out.",
  needs: ["human"],
  act: useWithoutHeader,
  assert({ ownAccountId, exchange }) {
    const reached = answeringAccount(exchange);
    const isOther = isSuccess(exchange) && reached !== undefined && reached !== ownAccountId;
    expectThat(!isOther, `accountId ${shown(ownAccountId)} or none`, shown(reached), exchange);
  },
});

const otherInboxes: readonly {
  slug: string;
  words: string;
  needs: readonly Need[];
  /** Of the inbox that the header selects. */
  owner: WhichHuman;
  /** The inbox of the token's resource and the one that the header selects. */
  inboxes: (target: Target) => Promise<readonly [named: string, selected: string]>;
}[] = [
  {
    slug: "second-inbox",
    words: "the person's second inbox",
    needs: ["human"],
    owner: "first",
    inboxes: twoInboxes,
  },
  {
    slug: "other-person",
    words: "an inbox of another person",
    needs: ["human", "second-human"],
    owner: "second",
    inboxes: async (target) => [await inboxOf(target), await foreignInbox(target)],
  },
];

const elsewhere = otherInboxes.map(({ slug, words, needs, owner, inboxes }) =>
  check({
    id: `RES-30/${slug}`,
    claim: `A token for a single inbox is refused at JMAP when ${words} is selected.`,
    needs,
    async act(target) {
      const [named, selected] = await inboxes(target);
      const token = await sharedAccessToken(target, { resource: agentResource(target, named) });
      await requireJmapToken(target, selected, inboxQuery, owner);
      return jmapAs(target, token, selected, inboxQuery);
    },
    assert(exchange) {
      expectNotServed(exchange);
      expectThat(
        isRefusal(exchange),
        "a refusal with 4xx (not 404, 405 or 429)",
        summary(exchange),
        exchange,
      );
    },
  }),
);

const listing = [
  { slug: "jmap", words: "JMAP", spec: () => ({}) },
  { slug: "mcp", words: "MCP", spec: (target: Target) => ({ resource: mcpResource(target) }) },
].map(({ slug, words, spec }) =>
  check({
    id: `RES-31/${slug}`,
    claim: `The inbox list is served for a token for the ${words} resource.`,
    needs: ["human"],
    act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target, spec(target)))]),
    assert(exchange) {
      const { agents } = jsonMembers(exchange);
      expectThat(
        exchange.response.status === 200 && Array.isArray(agents),
        "200 with agents",
        summary(exchange),
        exchange,
      );
    },
  }),
);

export const tokenUseChecks: readonly Check[] = [
  ...mcpAtJmap,
  itsOwnInbox,
  withoutHeader,
  noOtherInbox,
  ...elsewhere,
  ...listing,
];
