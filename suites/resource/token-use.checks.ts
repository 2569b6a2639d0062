import { agentResource, mcpResource } from "../support/actors/oauth-client.ts";
import { check, type Check, type Need } from "../support/judging/check.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import {
  expectEqual,
  expectNotServed,
  expectOAuthErrorShape,
  expectThat,
  isRefusalStatus,
} from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, inboxOf, twoInboxes } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  getAgents,
  inboxQuery,
  jmapAs,
  jmapBody,
  jsonContentType,
  postJmap,
  requireServed,
  responseTo,
  urn,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, Violation, warning } from "../support/verdict.ts";

/**
 * The control of every token that JMAP is to refuse: with a token for JMAP the same request is served. It comes right
 * before, so that whatever a target keeps for the inbox is warm.
 *
 * @throws {InconclusiveError} control-refused, when that is refused too
 */
async function requireJmapToken(target: Target, accountId: string, body: string): Promise<Exchange> {
  const exchange = await jmapAs(target, await sharedAccessToken(target), accountId, body);
  requireServed(exchange, "the same request with a token for the JMAP resource");
  return exchange;
}

const bodies: readonly { slug: string; words: string; body: string }[] = [
  { slug: "mailbox-query", words: "Mailbox/query", body: inboxQuery },
  {
    slug: "core-echo",
    words: "Core/echo",
    body: jmapBody([["Core/echo", { hello: "mailproof" }, "0"]], [urn.core]),
  },
];

const mcpAtJmap = bodies.map(({ slug, words, body }) =>
  check({
    id: `RES-29/${slug}`,
    claim: `${words} with a token for the MCP resource is refused with 401 or 403 and the OAuth error shape.`,
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
function expectWrongAudience(exchange: Exchange): Finding | undefined {
  expectNotServed(exchange);
  const { status } = exchange.response;
  if (status === 400) return warning("a token for another audience is refused with 400; RFC 9068 §4 has 401");
  if (status !== 401 && status !== 403) throw new Violation("401 or 403", summary(exchange));
  expectOAuthErrorShape(exchange);
  return undefined;
}

const itsOwnInbox = check({
  id: "RES-30/own-inbox",
  claim: "What a token for a single inbox gets at JMAP with that inbox selected is recorded.",
  needs: ["human"],
  async act(target) {
    const accountId = await inboxOf(target);
    const token = await sharedAccessToken(target, { resource: agentResource(target, accountId) });
    return jmapAs(target, token, accountId, inboxQuery);
  },
  assert: (exchange) => observation(summary(exchange)),
});

const withoutHeader = check({
  id: "RES-30/without-header",
  claim:
    "What a token for a single inbox gets at JMAP without the account header is recorded; it reaches no other inbox.",
  needs: ["human"],
  async act(target) {
    const accountId = await inboxOf(target);
    const token = await sharedAccessToken(target, { resource: agentResource(target, accountId) });
    const control = await requireJmapToken(target, accountId, inboxQuery);
    return {
      control,
      exchange: await postJmap(target, { headers: [bearer(token), jsonContentType], body: inboxQuery }),
    };
  },
  assert({ control, exchange }) {
    if (isSuccess(exchange)) {
      const accountIdOf = (answer: Exchange): unknown => responseTo(answer, "0")?.args["accountId"];
      expectEqual(accountIdOf(exchange), accountIdOf(control), "the accountId of the answer");
    }
    return observation(summary(exchange));
  },
});

const otherInboxes: readonly {
  slug: string;
  words: string;
  needs: readonly Need[];
  /** The inbox of the token's resource and the one that the header selects. */
  inboxes: (target: Target) => Promise<readonly [named: string, selected: string]>;
}[] = [
  {
    slug: "second-inbox",
    words: "the person's second inbox",
    needs: ["human"],
    inboxes: twoInboxes,
  },
  {
    slug: "other-person",
    words: "another person's inbox",
    needs: ["human", "second-human"],
    inboxes: async (target) => [await inboxOf(target), await foreignInbox(target)],
  },
];

const elsewhere = otherInboxes.map(({ slug, words, needs, inboxes }) =>
  check({
    id: `RES-30/${slug}`,
    claim: `A token for a single inbox is refused at JMAP with ${words} selected.`,
    needs,
    async act(target) {
      const [named, selected] = await inboxes(target);
      const token = await sharedAccessToken(target, { resource: agentResource(target, named) });
      const human = slug === "other-person" ? "second" : "first";
      const owners = await sharedAccessToken(target, { human });
      requireServed(
        await jmapAs(target, owners, selected, inboxQuery),
        "its owner's request for the same inbox",
      );
      return postJmap(target, {
        headers: [bearer(token), accountHeader(target, selected), jsonContentType],
        body: inboxQuery,
      });
    },
    assert(exchange) {
      expectNotServed(exchange);
      expectThat(
        isRefusalStatus(exchange.response.status),
        "a refusal with 4xx (not 404, 405 or 429)",
        summary(exchange),
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
      );
    },
  }),
);

export const tokenUseChecks: readonly Check[] = [
  ...mcpAtJmap,
  itsOwnInbox,
  withoutHeader,
  ...elsewhere,
  ...listing,
];
