import { claimsOf } from "../support/actors/agent.ts";
import { accountHeader, bearer, getAgents } from "../support/actors/jmap.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { type Check, check, observe } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { freshGrant, refreshed, sharedAccessToken } from "../support/material/grants.ts";
import { listedInboxes } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectDenied, foreignDenied } from "./denied.ts";
import { markIn, selectingValue, servedSelection } from "./selection.ts";
import { versionAt } from "./uuid-forms.ts";
import { pollUntil, propagatedBy } from "../support/judging/propagation.ts";

const agentsInbox = check({
  id: "HDR-13",
  claim:
    "Every UUID that an agent learns of its own inbox is refused with 403 `access_denied` in the account header.",
  needs: ["human"],
  async act(target) {
    const selection = await servedSelection(target);
    const capability = await freshCapability(target);
    const { accountId } = await mailSession(target.setup, capability);
    const { inbox } = await sharedAgent(target);
    const { jti: _jti, ...claims } = claimsOf(capability) ?? {};
    const owned = (await listedInboxes(target)).map((entry) => entry.accountId);
    const candidates = [accountId, inbox, ...Object.values(claims)].filter(isUuid);
    const others = [...new Set(candidates)].filter((id) => !owned.includes(id));
    if (others.length === 0) {
      throw new NotApplicableError("nothing that an agent learns of its inbox is a UUID");
    }
    const versionOf = (uuid: string): string | undefined => uuid[versionAt];
    return Promise.all(
      others.map(async (id) => ({
        exchange: await selectingValue(target, selection.token, id),
        isOfOtherVersion: versionOf(id) !== versionOf(selection.accountId),
      })),
    );
  },
  assert(tries): Warning | undefined {
    // Whether a UUID of a version that no inbox has is in the format, nobody says (C-16).
    const isMalformed = ({ exchange, isOfOtherVersion }: (typeof tries)[number]): boolean =>
      isOfOtherVersion && exchange.response.status === 400;
    for (const each of tries.filter((it) => !isMalformed(it)))
      explained(foreignDenied, () => expectDenied(each.exchange));
    const malformed = tries.find(isMalformed);
    return malformed && warning(`a UUID of another version is refused: ${summary(malformed.exchange)}`);
  },
});

function isUuid(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu.test(value);
}

const longestSeconds = 5;
/** An inbox that a consent made a moment ago may be listed before it is served. */
async function servedInTime(target: Target, token: string, accountId: string): Promise<Exchange> {
  return pollUntil(
    target,
    () => selectingValue(target, token, accountId),
    (exchange) => markIn(exchange) !== undefined,
    propagatedBy(target, longestSeconds),
  );
}

/** What the token gets for each inbox that the list shows as active. */
async function listedServed(target: Target, token: string): Promise<Exchange[]> {
  const active = (await listedInboxes(target)).filter(({ status }) => status === "active");
  if (active.length === 0) throw new BlockedError("needs an inbox with the status active");
  return Promise.all(active.map(({ accountId }) => servedInTime(target, token, accountId)));
}

function expectAllServed(exchanges: readonly Exchange[], explainedBy: string): void {
  for (const exchange of exchanges) {
    const isServed = markIn(exchange) !== undefined;
    explained(explainedBy, () =>
      expectThat(isServed, "200 with methodResponses", summary(exchange), exchange),
    );
  }
}

const everyListed = check({
  id: "HDR-24",
  claim: "Every `accountId` that the inbox list shows as active is answered 200 with `methodResponses`.",
  needs: ["human"],
  act: async (target) => listedServed(target, await sharedAccessToken(target)),
  assert: (exchanges) => expectAllServed(exchanges, "HDR-01"),
});

const everyListedAfterRefresh = check({
  id: "HDR-24/refreshed",
  claim:
    "After a refresh every `accountId` that the inbox list shows as active is still answered with `methodResponses`.",
  needs: ["human"],
  async act(target) {
    const { tokens } = await refreshed(target, await freshGrant(target));
    return listedServed(target, tokens.access_token);
  },
  assert: (exchanges) => expectAllServed(exchanges, "HDR-24"),
});

const notAtTheList = check({
  id: "HDR-29/missing",
  claim: "The inbox list is answered without the account header.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target))]),
  assert: (exchange) =>
    explained("AGENTS-08", () =>
      expectThat(
        Array.isArray(jsonMembers(exchange)["agents"]),
        "a list of inboxes",
        summary(exchange),
        exchange,
      ),
    ),
});

const malformedAtTheList = observe({
  id: "HDR-29/garbage",
  question: "How does the inbox list answer a malformed account header?",
  needs: ["human"],
  act: async (target) =>
    getAgents(target, [bearer(await sharedAccessToken(target)), accountHeader(target, "garbage")]),
  answer: summary,
});

/** What the inbox list and agents say of owned inboxes. Document, "JMAP API", account header. */
export const ownershipChecks: readonly Check[] = [
  agentsInbox,
  everyListed,
  everyListedAfterRefresh,
  notAtTheList,
  malformedAtTheList,
];
