import {
  bearer,
  getAgents,
  inboxQuery,
  jmapAs,
  jmapBody,
  type MethodCall,
  requireServed,
} from "../support/actors/jmap.ts";
import { agentResource, mcpResource } from "../support/actors/oauth-client.ts";
import { callHook, firstUsername } from "../support/actors/operator.ts";
import { check } from "../support/judging/check.ts";
import { expectOAuthError, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import { inboxesOf, inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, jsonMembers, summary } from "../support/wire/exchange.ts";
import { BlockedError, NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { entryIn, isServed, lists, pollUntilServed } from "./inbox-owners.ts";
import { expectRefusedWith } from "./selection.ts";
import { pollUntil } from "../support/judging/propagation.ts";

/** What an access token gets for an inbox that its person owned until a moment ago. */
interface LostInbox {
  readonly accountId: string;
  /** Until it is refused, or the operator's change has had its time. */
  readonly answers: readonly Exchange[];
  readonly agents: Exchange;
  /** For a token of the person for the MCP resource. */
  readonly agentsForMcp: Exchange;
  /** Other calls for the lost inbox. */
  readonly calls: readonly Exchange[];
  /** For another inbox of the person; undefined where there is none. */
  readonly other: Exchange | undefined;
  /** For the inbox once it is the person's again. */
  readonly restored: Exchange;
}

const otherCalls: readonly MethodCall[] = [
  ["Mailbox/get", { ids: null }, "0"],
  ["Email/get", { ids: ["mailproof"] }, "0"],
  ["Email/set", { destroy: ["mailproof"] }, "0"],
  ["EmailSubmission/set", { create: { s1: { emailId: "mailproof" } } }, "0"],
];

function lostInbox(target: Target): Promise<LostInbox> {
  return target.once("account-header:lost-inbox", async (recording) => {
    const accountId = await inboxOf(recording.setup);
    const { access_token: token } = (await freshGrant(recording)).tokens;
    const served = await jmapAs(recording.control, token, accountId, inboxQuery);
    if (!isServed(served))
      throw controlRefused("a JMAP request for an inbox that the person owns", "method responses", served);
    const ask = (account: string, call: MethodCall): Promise<Exchange> =>
      jmapAs(recording, token, account, jmapBody([call]));
    const others = (await inboxesOf(recording.setup)).filter((entry) => entry.accountId !== accountId);
    for (const call of otherCalls)
      requireServed(
        await jmapAs(recording.control, token, accountId, jmapBody([call])),
        "a call for an inbox that the person owns",
      );
    const mcp = await sharedAccessToken(recording, { resource: mcpResource(recording) });
    await getAgents(recording.control, [bearer(mcp)]);
    const details = { username: firstUsername(target), account_id: accountId };
    await callHook(recording, "unlink_inbox", details);
    let lost: Omit<LostInbox, "restored">;
    try {
      lost = {
        accountId,
        answers: await answersUntilRefused(recording, token, accountId),
        agents: await listWithout(recording, token, accountId),
        agentsForMcp: await listWithout(recording, mcp, accountId),
        calls: await Promise.all(otherCalls.map((call) => ask(accountId, call))),
        other: others[0] && (await jmapAs(recording, token, others[0].accountId, inboxQuery)),
      };
    } finally {
      await callHook(recording, "link_inbox", details);
    }
    return { ...lost, restored: await restoredFor(recording, token, accountId) };
  });
}

/** The operator's change may take as long to reach everywhere as a revocation. @returns one answer at least */
async function answersUntilRefused(
  target: Target,
  token: string,
  accountId: string,
): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  await pollUntil(
    target,
    async () => {
      const exchange = await jmapAs(target, token, accountId, inboxQuery);
      answers.push(exchange);
      return exchange;
    },
    (exchange) => !isServed(exchange),
  );
  return answers;
}

/** The inbox list, which may learn of the change later than JMAP. @returns the last answer, where it keeps the inbox */
function listWithout(target: Target, token: string, accountId: string): Promise<Exchange> {
  return pollUntil(
    target,
    () => getAgents(target, [bearer(token)]),
    (list) => entryIn(list, accountId) === undefined,
  );
}

/**
 * What the token gets for an inbox that is its person's again. Where it does not list the inbox, what a new grant gets: its own
 * may keep to what was left (C-17).
 */
async function restoredFor(target: Target, token: string, accountId: string): Promise<Exchange> {
  const exchange = await pollUntilServed(target, token, accountId);
  if (isServed(exchange) || (await lists(target.setup, token, accountId))) return exchange;
  const { tokens } = await freshGrant(target.setup);
  return pollUntilServed(target, tokens.access_token, accountId);
}

// Meanwhile nobody else may need the inbox.
const refused = check({
  id: "HDR-14/refused",
  claim:
    "A request for an inbox that the person has lost is refused with 403 `access_denied`, at the latest after the propagation time.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  act: async (target) => (await lostInbox(target)).answers,
  assert(answers): Warning | undefined {
    for (const exchange of answers.slice(-1))
      explained("HDR-11/mailbox-query", () => {
        expectRefusedWith(exchange, [403]);
        expectOAuthError(exchange, ["access_denied"]);
      });
    return answers.length > 1 ? warning(`${answers.length - 1} requests were served before`) : undefined;
  },
});

const notListed = [
  {
    id: "HDR-14/not-listed",
    words: "in the inbox list",
    list: ({ agents }: LostInbox) => agents,
    servedBy: "AGENTS-01",
    judgedBy: "AGENTS-11",
  },
  {
    id: "HDR-14/not-listed-for-mcp",
    words: "in the inbox list of a token for the MCP resource",
    list: ({ agentsForMcp }: LostInbox) => agentsForMcp,
    servedBy: "AGENTS-09",
    judgedBy: "HDR-14/not-listed",
  },
].map(({ id, words, list, servedBy, judgedBy }) =>
  check({
    id,
    claim: `An inbox that the person has lost is not ${words}, at the latest after the propagation time.`,
    needs: ["human"],
    unlockedBy: "link_inbox_hooks",
    last: true,
    async act(target) {
      const lost = await lostInbox(target);
      return { accountId: lost.accountId, listed: list(lost) };
    },
    assert({ accountId, listed }) {
      const { agents: entries } = jsonMembers(listed);
      explained(servedBy, () =>
        expectThat(Array.isArray(entries), "a list of inboxes", summary(listed), listed),
      );
      const ids = (Array.isArray(entries) ? entries : []).map((entry: unknown) =>
        isJsonObject(entry) ? entry["accountId"] : undefined,
      );
      explained(judgedBy, () =>
        expectThat(!ids.includes(accountId), `a list without ${accountId}`, "a list with it", listed),
      );
    },
  }),
);

const otherCallsRefused = check({
  id: "HDR-14/other-calls",
  claim:
    "For an inbox that the person has lost, calls that read, write or send, as were served before, are refused with 403 `access_denied`.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  act: async (target) => (await lostInbox(target)).calls,
  assert(exchanges) {
    for (const exchange of exchanges)
      explained("HDR-14/refused", () => {
        expectRefusedWith(exchange, [403]);
        expectOAuthError(exchange, ["access_denied"]);
      });
  },
});

const othersServed = check({
  id: "HDR-14/other-inbox",
  claim: "When a person has lost one inbox, another inbox of theirs is still served.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const { other } = await lostInbox(target);
    if (other !== undefined) return other;
    throw new BlockedError("needs a human with two inboxes");
  },
  assert: (exchange) =>
    explained("HDR-24", () =>
      expectThat(isServed(exchange), "method responses", summary(exchange), exchange),
    ),
});

const servedAgain = check({
  id: "HDR-14/linked-again",
  claim: "An inbox that the person has lost and got back is served again.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  act: async (target) => (await lostInbox(target)).restored,
  assert: (exchange) =>
    explained("HDR-24", () =>
      expectThat(isServed(exchange), "method responses", summary(exchange), exchange),
    ),
});

const singleInboxToken = check({
  id: "HDR-14/single-inbox",
  claim: "For an inbox that the person has lost, a token for that inbox alone is refused with 401 or 403.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const accountId = await inboxOf(target.setup);
    const { tokens } = await freshGrant(target, { resource: agentResource(target, accountId) });
    const served = await jmapAs(target.control, tokens.access_token, accountId, inboxQuery);
    if (!isServed(served))
      throw new NotApplicableError("the target serves no token for a single inbox at JMAP");
    const details = { username: firstUsername(target), account_id: accountId };
    await callHook(target, "unlink_inbox", details);
    try {
      const ask = (): Promise<Exchange> => jmapAs(target, tokens.access_token, accountId, inboxQuery);
      return await pollUntil(target, ask, (exchange) => !isServed(exchange));
    } finally {
      await callHook(target, "link_inbox", details);
    }
  },
  // A target may end the grants for an inbox that changes hands.
  assert: (exchange) => explained("HDR-14/refused", () => expectRefusedWith(exchange, [401, 403])),
});

export const ownershipLossChecks = [
  refused,
  otherCallsRefused,
  ...notListed,
  othersServed,
  servedAgain,
  singleInboxToken,
];
