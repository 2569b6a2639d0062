import type { WhichHuman } from "../support/actors/human.ts";
import { mcpResource } from "../support/actors/oauth-client.ts";
import { browserAccept } from "../support/actors/browser-accept.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { claimsOf } from "../support/actors/agent.ts";
import { check, observe } from "../support/judging/check.ts";
import {
  type Exchange,
  isHtml,
  isSuccess,
  type JsonObject,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { bearer, entriesIn, getAgents } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { unlocks } from "../support/target/unlocks.ts";
import {
  BlockedError,
  InconclusiveError,
  NotApplicableError,
  Violation,
  type Warning,
  warning,
} from "../support/verdict.ts";
import { expectFormat, expectNoneTwice, formats, inUsualForm } from "./entry-formats.ts";
import { isListed, requireListed } from "../support/material/inbox-lists.ts";
import { newInbox } from "../support/material/new-inbox.ts";

/** The list of the first human: one answer for all checks of its format. */
function ownList(target: Target): Promise<Exchange> {
  return target.once("agents:list", async (recording) =>
    getAgents(recording, [bearer(await sharedAccessToken(recording))]),
  );
}

const envelope = check({
  id: "AGENTS-01",
  claim: "The inbox list is answered 200 with an array `agents`.",
  needs: ["human"],
  act: ownList,
  assert(exchange) {
    const { agents } = jsonMembers(exchange);
    expectThat(exchange.response.status === 200, "200", summary(exchange), exchange);
    expectThat(Array.isArray(agents), "agents to be an array", shown(agents), exchange);
  },
});

const acceptHtml = check({
  id: "AGENTS-01/accept-html",
  claim:
    "The inbox list is answered 200 with an array `agents` to the `Accept` of a browser, or with a page, or refused with 406.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target)), browserAccept]),
  assert(exchange): Warning | undefined {
    if (exchange.response.status === 406) return warning("a client that prefers HTML is answered 406");
    if (isHtml(exchange) && isSuccess(exchange)) return warning("a client that prefers HTML gets a page");
    explained("AGENTS-01", () =>
      expectThat(isListed(exchange), "200 with an agents array", summary(exchange), exchange),
    );
    return undefined;
  },
});

const clockSkewMs = 5 * 60_000;

const nextSteps = check({
  id: "AGENTS-01/next",
  claim: "The inbox list has an array of strings `_next`.",
  needs: ["human"],
  act: ownList,
  assert: expectNextSteps,
});

function expectNextSteps(exchange: Exchange): void {
  const { _next: next } = jsonMembers(exchange);
  const isHints = Array.isArray(next) && next.every((step: unknown) => typeof step === "string");
  expectThat(isHints, "_next to be an array of strings", shown(next), exchange);
}

const otherLists: readonly { slug: string; words: string; human: WhichHuman; mcp: boolean }[] = [
  { slug: "mcp", words: "for a token of the MCP resource", human: "first", mcp: true },
  { slug: "second-person", words: "of the second person", human: "second", mcp: false },
];

const otherNextSteps = otherLists.map(({ slug, words, human, mcp }) =>
  check({
    id: `AGENTS-01/next-${slug}`,
    claim: `The inbox list ${words} has an array of strings \`_next\`.`,
    needs: human === "second" ? ["human", "second-human"] : ["human"],
    async act(target) {
      const spec = { human, ...(mcp && { resource: mcpResource(target) }) };
      const list = await getAgents(target, [bearer(await sharedAccessToken(target, spec))]);
      requireListed(list, `the inbox list ${words}`);
      return list;
    },
    assert: (exchange) => explained("AGENTS-01/next", () => expectNextSteps(exchange)),
  }),
);

const entryFields = ["accountId", "inboxId", "status", "reputation", "linkedAt", "activatedAt"];

const mcpEntries = check({
  id: "AGENTS-09/entries",
  claim:
    "The fields of the entry of an active inbox have the same types for an MCP token as for a JMAP token.",
  needs: ["human"],
  async act(target) {
    const jmap = await getAgents(target.control, [bearer(await sharedAccessToken(target))]);
    const token = await sharedAccessToken(target, { resource: mcpResource(target) });
    const mcp = await getAgents(target, [bearer(token)]);
    for (const list of [jmap, mcp]) requireListed(list, "the inbox list");
    const others = new Map(activeIn(jmap).map((entry) => [entry["accountId"], entry]));
    // Inboxes come and go (C-87).
    const pairs = activeIn(mcp).flatMap((entry) => {
      const other = others.get(entry["accountId"]);
      return other === undefined ? [] : [{ entry, other }];
    });
    if (pairs.length === 0) throw new NotApplicableError("no active inbox is listed for both tokens");
    return { pairs, mcp };
  },
  assert({ pairs, mcp }) {
    for (const { entry, other } of pairs) {
      for (const field of entryFields)
        expectThat(
          typeof entry[field] === typeof other[field],
          `${field} to be a ${typeof other[field]}`,
          shown(entry[field]),
          mcp,
        );
    }
  },
});

/** The times of an inbox that is not active may be null (C-86). */
function activeIn(list: Exchange): readonly JsonObject[] {
  return entriesIn(list).filter(({ status }) => status === "active");
}

interface ListWithEntries {
  readonly exchange: Exchange;
  readonly entries: readonly JsonObject[];
}

/** @throws {InconclusiveError} control-refused, when there is no entry to look at */
async function listWithEntries(target: Target): Promise<ListWithEntries> {
  const exchange = await ownList(target);
  const entries = entriesIn(exchange);
  if (entries.length > 0) return { exchange, entries };
  throw controlRefused("listing inboxes", "200 with at least one", exchange, "AGENTS-01");
}

/**
 * Every inbox list of the run, that of the first person among them, and where the profile tells how a person creates an inbox
 * at a consent, the lists after one: a new inbox is listed like any other.
 *
 * @throws {InconclusiveError} control-refused, when there is no entry to look at
 */
async function listsOfRun(target: Target): Promise<readonly Exchange[]> {
  const { exchange } = await listWithEntries(target);
  if (unlocks.new_inbox.isGiven(target.profile)) await newInboxIfAny(target.setup);
  const url = `${target.authUrl}/api/v1/agents`;
  const others = target
    .runExchanges()
    .filter(
      ({ request, response }) =>
        request.method === "GET" && request.url.split("?", 1)[0] === url && response.cut === undefined,
    );
  return [exchange, ...others.filter(isListed)];
}

async function newInboxIfAny(target: Target): Promise<void> {
  try {
    await newInbox(target);
  } catch (error) {
    // AGENTS-11/after-consent reports it.
    if (!(error instanceof InconclusiveError) && !(error instanceof BlockedError)) throw error;
  }
}

const fields = formats.map((format) =>
  check({
    id: format.id,
    claim: `In every inbox list of the run, \`${format.field}\` of each ${format.activeAlone ? "active " : ""}inbox is ${format.words}.`,
    needs: ["human"],
    last: true,
    act: listsOfRun,
    assert: (lists) => lists.map((list) => expectFormat(format, list)).find((tolerated) => tolerated),
  }),
);

const unique = check({
  id: "AGENTS-02/unique",
  claim: "No `accountId` appears twice in an inbox list of the run.",
  needs: ["human"],
  last: true,
  act: listsOfRun,
  assert: (lists) => lists.forEach(expectNoneTwice),
});

const past = check({
  id: "AGENTS-06/past",
  claim: "No inbox was linked in the future.",
  needs: ["human"],
  async act(target) {
    const list = await listWithEntries(target);
    // The target's clock may be moved: it shows in when it issued a token.
    const { iat } = claimsOf(await sharedAccessToken(target)) ?? {};
    const issuedAtMs = typeof iat === "number" ? iat * 1000 : 0;
    return { ...list, nowMs: Math.max(Date.now(), issuedAtMs) + target.elapsedSeconds() * 1000 };
  },
  assert({ exchange, entries, nowMs }) {
    for (const { linkedAt } of entries) {
      const time = typeof linkedAt === "string" ? Date.parse(inUsualForm(linkedAt) ?? linkedAt) : NaN;
      const isFuture = time > nowMs + clockSkewMs;
      if (isFuture) {
        throw new Violation("linkedAt at most five minutes ahead", shown(linkedAt), { exchange });
      }
    }
  },
});

const linkedAtConsent = check({
  id: "AGENTS-06/new-inbox",
  claim:
    "`linkedAt` of an inbox that the person created at a consent is within five minutes of the issue of its access token.",
  needs: ["human"],
  unlockedBy: "new_inbox",
  act: newInbox,
  assert({ had, newer, lists: [list] }) {
    const { iat } = claimsOf(newer) ?? {};
    // Times that cannot be read are judged by AGENTS-06.
    const times = entriesIn(list).flatMap(({ accountId, linkedAt }) => {
      const time = typeof linkedAt === "string" ? Date.parse(inUsualForm(linkedAt) ?? linkedAt) : NaN;
      return had.includes(String(accountId)) || Number.isNaN(time) ? [] : [time];
    });
    if (times.length === 0 || typeof iat !== "number")
      throw new NotApplicableError(
        "no inbox with linkedAt was listed after the consent, or no token has iat",
      );
    // A grant that keeps the inboxes of its consent (C-17) lists those of other consents of the run for the first time too.
    const isNear = times.some((time) => Math.abs(time - iat * 1000) <= clockSkewMs);
    const seen = times.map((time) => new Date(time).toISOString()).join(", ");
    expectThat(isNear, `linkedAt near ${new Date(iat * 1000).toISOString()}`, seen, list);
  },
});

const newInboxNamed = check({
  id: "AGENTS-03/new-inbox",
  claim:
    "`inboxId` of an inbox that the person created at a consent is a name and not its `accountId`, as for other inboxes; otherwise a warning.",
  needs: ["human"],
  unlockedBy: "new_inbox",
  async act(target) {
    const { had, lists } = await newInbox(target);
    const entries = entriesIn(lists[0]);
    const isNew = ({ accountId }: JsonObject): boolean => !had.includes(String(accountId));
    const isNamed = ({ accountId, inboxId }: JsonObject): boolean => accountId !== inboxId;
    const created = entries.filter(isNew);
    if (created.length === 0) throw new NotApplicableError("no inbox was listed after the consent");
    if (!entries.some((entry) => !isNew(entry) && isNamed(entry)))
      throw new NotApplicableError("the name of every inbox is its accountId");
    return { list: lists[0], nameless: created.find((entry) => !isNamed(entry)) };
  },
  assert: ({ nameless }): Warning | undefined =>
    nameless && warning(`the name of the new inbox is its accountId, ${shown(nameless["accountId"])}`),
});

const statuses = observe({
  id: "AGENTS-04/values",
  question: "Which values does `status` of the listed inboxes take?",
  needs: ["human"],
  act: listWithEntries,
  answer: ({ entries }) => [...new Set(entries.map((entry) => shown(entry["status"])))].join(", "),
});

export const listFormatChecks = [
  envelope,
  acceptHtml,
  nextSteps,
  ...otherNextSteps,
  ...fields,
  mcpEntries,
  unique,
  past,
  linkedAtConsent,
  newInboxNamed,
  statuses,
];
