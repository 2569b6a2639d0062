import { agentResource } from "../support/actors/oauth-client.ts";
import { type Check, check } from "../support/judging/check.ts";
import { inboxOf, isActive, listedInboxes } from "../support/material/inboxes.ts";
import { freshGrant, refreshed } from "../support/material/grants.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { type Exchange, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectNotServed } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { originOf } from "../support/wire/url.ts";
import {
  accountHeader,
  bearer,
  getAgents,
  type InboxEntry,
  inboxEntries,
  inboxQuery,
  jmapAs,
  jmapBody,
  jsonContentType,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import {
  expectRefusedWith,
  markIn,
  requireSelected,
  selecting,
  selectingValue,
  servedSelection,
} from "./selection.ts";

/** Each of these fails too where a request without the header is served: by default, or for an inbox that was selected before. */
const servedWithout = { byDefault: "HDR-02", fromMemory: "HDR-06" } as const;

/** A person with the inboxes that the target lists now, and a token that has selected none of them yet. */
interface Owner {
  readonly token: string;
  /** Those that are active come first. */
  readonly inboxes: readonly [InboxEntry, ...InboxEntry[]];
}

/** @throws {InconclusiveError} control-refused, when the list cannot be had or is empty */
async function ownerWithFreshToken(target: Target, human: WhichHuman): Promise<Owner> {
  const { tokens } = await freshGrant(target, { human });
  const token = tokens.access_token;
  const exchange = await getAgents(target.setup, [bearer(token)]);
  const listed = inboxEntries(exchange);
  const [first, ...others] = [...listed.filter(isActive), ...listed.filter((entry) => !isActive(entry))];
  if (first !== undefined) return { token, inboxes: [first, ...others] };
  throw controlRefused("listing the inboxes of a person", "200 with at least one", exchange, "AGENTS-01");
}

/** A request without the header, then its control: the same with the header, which must not come first. */
async function withoutHeader(target: Target, { token, inboxes }: Owner): Promise<Exchange> {
  const exchange = await selecting(target, token, []);
  await requireSelected(target.control, token, inboxes[0].accountId);
  return exchange;
}

const missing = check({
  id: "HDR-02",
  claim:
    "A request without the account header, whose token has selected no inbox before, is refused with 400.",
  needs: ["human"],
  act: async (target) => withoutHeader(target, await ownerWithFreshToken(target, "first")),
  assert: (exchange) => expectRefusedWith(exchange, [400]),
});

const afterRefresh = check({
  id: "HDR-02/refreshed",
  claim:
    "A request without the account header is refused with 400 for a token that came with a refresh, too.",
  needs: ["human"],
  async act(target) {
    const { tokens } = await refreshed(target, await freshGrant(target));
    const accountId = await inboxOf(target);
    const exchange = await selecting(target, tokens.access_token, []);
    await requireSelected(target.control, tokens.access_token, accountId);
    return exchange;
  },
  assert: (exchange) => expectRefusedWith(exchange, [400], { status: "HDR-02", served: "HDR-02" }),
});

const missingElsewhere = [
  {
    id: "HDR-02/no-inbox-needed",
    words: "also when it calls `Core/echo` alone",
    calls: jmapBody([["Core/echo", { mailproof: true }, "0"]]),
  },
  { id: "HDR-02/no-calls", words: "also when it calls no method", calls: jmapBody([]) },
].map(({ id, words, calls }) =>
  check({
    id,
    claim: `A request without the account header is refused with 400, ${words}.`,
    needs: ["human"],
    async act(target) {
      // A token that has selected no inbox: HDR-06 judges what is remembered.
      const { token, inboxes } = await ownerWithFreshToken(target, "first");
      const exchange = await selecting(target, token, [], { body: calls });
      await requireSelected(target.control, token, inboxes[0].accountId);
      return exchange;
    },
    assert: (exchange) => expectRefusedWith(exchange, [400], { status: "HDR-02", served: "HDR-02" }),
  }),
);

// Nothing comes of them in any inbox: no mailbox and no message has such an id.
const changes = [
  {
    id: "HDR-02/draft",
    words: "creates a draft",
    calls: jmapBody([["Email/set", { create: { d1: { mailboxIds: { none: true } } } }, "0"]]),
  },
  {
    id: "HDR-02/send",
    words: "sends",
    calls: jmapBody([["EmailSubmission/set", { create: { s1: { emailId: "none" } } }, "0"]]),
  },
].map(({ id, words, calls }) =>
  check({
    id,
    claim: `A request that ${words} is refused with 400 without the account header.`,
    needs: ["human"],
    async act(target) {
      const { token, inboxes } = await ownerWithFreshToken(target, "first");
      const exchange = await selecting(target, token, [], { body: calls });
      // HDR-06 judges what is remembered: the control must not come first.
      requireServed(
        await jmapAs(target.control, token, inboxes[0].accountId, calls),
        "the same request with the account header",
      );
      return exchange;
    },
    assert: (exchange) => expectRefusedWith(exchange, [400], { status: "HDR-02", served: "HDR-02" }),
  }),
);

/**
 * Another inbox may be listed that is not active.
 *
 * @throws {BlockedError} when every human of the profile owns several inboxes
 * @throws {NotApplicableError} when they do since each consent makes one (C-87)
 */
async function ownerOfOne(target: Target): Promise<Owner> {
  const humans = target.profile.humans.length > 1 ? (["second", "first"] as const) : (["first"] as const);
  let isMade = false;
  for (const human of humans) {
    const before = (await listedInboxes(target, human)).map((entry) => entry.accountId);
    const owner = await ownerWithFreshToken(target, human);
    if (owner.inboxes.filter(isActive).length === 1) return owner;
    isMade ||= owner.inboxes.some((entry) => !before.includes(entry.accountId));
  }
  if (isMade) throw new NotApplicableError("each consent makes an inbox, so that nobody owns a single one");
  throw new BlockedError(
    "needs a human who owns one inbox; let the second human of the profile own a single one",
  );
}

const onlyOne = check({
  id: "HDR-05",
  claim: "A request without the account header is refused with 400 even when the person owns a single inbox.",
  needs: ["human"],
  act: async (target) => withoutHeader(target, await ownerOfOne(target)),
  assert: (exchange) =>
    expectRefusedWith(exchange, [400], { status: servedWithout.byDefault, served: servedWithout.byDefault }),
});

const tokenOfOneInbox = check({
  id: "HDR-05/single-inbox-token",
  claim: "A request without the account header is refused for a token for a single inbox.",
  needs: ["human"],
  async act(target) {
    const accountId = await inboxOf(target);
    const { tokens } = await freshGrant(target, { resource: agentResource(target, accountId) });
    const exchange = await selecting(target, tokens.access_token, []);
    // JMAP may refuse such a token as one of another audience (RES-30).
    const selected = await selectingValue(target.control, tokens.access_token, accountId);
    return { exchange, isServed: markIn(selected) !== undefined };
  },
  assert({ exchange, isServed }): Warning | undefined {
    explained(servedWithout.byDefault, () => expectNotServed(exchange));
    // Where the header decides whether such a token is served at all, it may be refused for its audience before (C-09).
    return isServed && exchange.response.status !== 400
      ? warning(`expected 400; observed ${summary(exchange)}`)
      : undefined;
  },
});

const notSticky = check({
  id: "HDR-06",
  claim:
    "After a request with the account header, one without it is refused with 400, on the same connection and on another.",
  needs: ["human"],
  async act(target) {
    const { token, accountId } = await servedSelection(target);
    const send = (via: Pick<Target, "send">, lines: HeaderLines): Promise<Exchange> =>
      via.send({
        method: "POST",
        url: `${target.apiUrl}/jmap`,
        headers: [bearer(token), ...lines, jsonContentType],
        body: inboxQuery,
      });
    const [one, two] = [target.connect(originOf(target.apiUrl)), target.connect(originOf(target.apiUrl))];
    try {
      const selected = await send(one, [accountHeader(target, accountId)]);
      requireServed(selected, "a request with the account header on this connection");
      return [await send(one, []), await send(two, [])];
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      expectRefusedWith(exchange, [400], {
        status: servedWithout.byDefault,
        served: servedWithout.byDefault,
      });
  },
});

const substitutes: readonly {
  slug: string;
  words: string;
  put: (target: Target, accountId: string) => { lines?: HeaderLines; url?: string; body?: string };
}[] = [
  {
    slug: "query-account-id",
    words: "in the query as `accountId`",
    put: (target, accountId) => ({ url: `${target.apiUrl}/jmap?accountId=${accountId}` }),
  },
  {
    slug: "query-header-name",
    words: "in the query under the name of the header",
    put: (target, accountId) => ({
      url: `${target.apiUrl}/jmap?${target.profile.names.account_header}=${accountId}`,
    }),
  },
  {
    slug: "body-member",
    words: "in a member of the JSON body",
    put: (_target, accountId) => ({ body: inboxQuery.replace("{", `{"accountId":"${accountId}",`) }),
  },
  {
    slug: "method-argument",
    words: "as the `accountId` of a method call",
    put: (_target, accountId) => ({
      body: inboxQuery.replace('"filter"', `"accountId":"${accountId}","filter"`),
    }),
  },
  {
    slug: "cookie",
    words: "in a cookie under the name of the header",
    put: (target, accountId) => ({
      lines: [["Cookie", `${target.profile.names.account_header}=${accountId}`]],
    }),
  },
  {
    slug: "other-header",
    words: "in a header of another name",
    put: (target, accountId) => {
      const isTaken = target.profile.names.account_header.toLowerCase() === "x-account-id";
      return { lines: [[isTaken ? "X-Inbox-Id" : "X-Account-Id", accountId]] };
    },
  },
];

const jmapAccount = check({
  id: "HDR-22/jmap-account-id",
  claim:
    "A request without the account header whose method call names the account by its JMAP id is refused with 400.",
  needs: ["human"],
  async act(target) {
    const { token, accountId } = await servedSelection(target);
    const served = await jmapAs(target.setup, token, accountId, inboxQuery);
    const { accountId: jmapAccountId } = responseTo(served, "0")?.args ?? {};
    if (typeof jmapAccountId !== "string" || jmapAccountId === accountId)
      throw new NotApplicableError("JMAP shows no account id beside the accountId of the inbox list");
    return selecting(target, token, [], {
      body: inboxQuery.replace('"filter"', `"accountId":${JSON.stringify(jmapAccountId)},"filter"`),
    });
  },
  assert: (exchange) =>
    expectRefusedWith(exchange, [400], {
      status: servedWithout.byDefault,
      served: servedWithout.fromMemory,
    }),
});

const substituted = substitutes.map(({ slug, words, put }) =>
  check({
    id: `HDR-22/${slug}`,
    claim: `An owned \`accountId\` ${words}, without the account header, is refused with 400.`,
    needs: ["human"],
    async act(target) {
      const { token, accountId } = await servedSelection(target);
      const { lines = [], ...changed } = put(target, accountId);
      return selecting(target, token, lines, changed);
    },
    assert: (exchange) =>
      expectRefusedWith(exchange, [400], {
        status: servedWithout.byDefault,
        served: servedWithout.fromMemory,
      }),
  }),
);

const underscores = check({
  id: "HDR-22/underscores",
  claim:
    "An owned `accountId` in a header whose name has underscores for hyphens, without the account header, is refused with 400.",
  needs: ["human"],
  async act(target) {
    const { token, accountId } = await servedSelection(target);
    const name = target.profile.names.account_header.replaceAll("-", "_");
    return selecting(target, token, [[name, accountId]]);
  },
  assert(exchange): Warning | undefined {
    // CGI and its heirs, WSGI and Rack among them, cannot tell the two names apart (RFC 3875 §4.1.18).
    if (markIn(exchange) !== undefined) return warning(`it selects the inbox: ${summary(exchange)}`);
    expectRefusedWith(exchange, [400]);
    return undefined;
  },
});

export const missingHeaderChecks: readonly Check[] = [
  missing,
  afterRefresh,
  ...missingElsewhere,
  ...changes,
  onlyOne,
  tokenOfOneInbox,
  notSticky,
  ...substituted,
  underscores,
  jmapAccount,
];
