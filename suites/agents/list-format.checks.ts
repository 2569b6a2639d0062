import type { WhichHuman } from "../support/actors/human.ts";
import { mcpResource } from "../support/actors/oauth-client.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { claimsOf } from "../support/actors/agent.ts";
import { check, observe } from "../support/judging/check.ts";
import {
  type Exchange,
  isJsonObject,
  type JsonObject,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { bearer, getAgents } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation, warning } from "../support/verdict.ts";
import { requireListed } from "./inbox-lists.ts";

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

const apartMs = 20;

const timesStay = [
  { id: "AGENTS-06/same-again", field: "linkedAt" },
  { id: "AGENTS-07/same-again", field: "activatedAt" },
].map(({ id, field }) =>
  check({
    id,
    claim: `An inbox that is listed twice has the same \`${field}\` both times.`,
    needs: ["human"],
    async act(target) {
      const credential = [bearer(await sharedAccessToken(target))];
      const first = await getAgents(target, credential);
      await target.pause(apartMs);
      return { first, second: await getAgents(target, credential) };
    },
    assert({ first, second }) {
      const before = timesById(first, field);
      for (const [accountId, time] of timesById(second, field)) {
        // What is not active yet may be activated in between.
        const earlier = before.get(accountId) ?? time;
        expectThat(time === earlier, shown(earlier), shown(time), second);
      }
    },
  }),
);

function timesById(exchange: Exchange, field: string): ReadonlyMap<unknown, unknown> {
  return new Map(entriesIn(exchange).map((entry) => [entry["accountId"], entry[field]]));
}

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
    "The fields of the entry of an active inbox have the same types for a token of the MCP resource as for one of the JMAP resource.",
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

function entriesIn(exchange: Exchange): readonly JsonObject[] {
  const { agents } = jsonMembers(exchange);
  return Array.isArray(agents) ? agents.filter(isJsonObject) : [];
}

/** The format of one field of an inbox entry. Document, "Resources", inbox entry. */
interface FieldFormat {
  readonly id: string;
  readonly field: string;
  /** Reads after "is". */
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
  /** Only for active inboxes: the document does not say what the others show. */
  readonly activeAlone?: true;
  /** A null of an inbox that is not active warns. */
  readonly mayBeNull?: true;
  /** A value that holds, but is written as few clients read it, warns. */
  readonly isUsual?: (value: unknown) => boolean;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;
// Both forms of ISO 8601, each with either of its decimal signs, and both ways to write UTC.
const utcWithMilliseconds =
  /^(\d{4})(?:-(\d\d)-(\d\d)T(\d\d):(\d\d):|(\d\d)(\d\d)T(\d\d)(\d\d))(\d\d)[.,](\d{3})(?:Z|\+00(?::?00)?)$/u;
const usualTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;
const clockSkewMs = 5 * 60_000;

/** A real moment in UTC with milliseconds, in any form of ISO 8601. */
function isTimestamp(value: unknown): boolean {
  const usual = typeof value === "string" ? inUsualForm(value) : undefined;
  if (usual === undefined) return false;
  const time = Date.parse(usual);
  // A date such as 30 February is no date or another one when it is written again.
  return !Number.isNaN(time) && new Date(time).toISOString() === usual;
}

function inUsualForm(value: string): string | undefined {
  const parts = utcWithMilliseconds
    .exec(value)
    ?.slice(1)
    .filter((part) => part !== undefined);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second, milliseconds] = parts;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`;
}

const isUsualTime = (value: unknown): boolean => usualTime.test(String(value));

const formats: readonly FieldFormat[] = [
  {
    id: "AGENTS-02/format",
    field: "accountId",
    words: "a UUID",
    holds: (value) => typeof value === "string" && uuid.test(value),
  },
  {
    id: "AGENTS-03",
    field: "inboxId",
    words: "a string that is not empty",
    holds: (value) => typeof value === "string" && value !== "",
  },
  {
    id: "AGENTS-04/format",
    field: "status",
    words: "a string",
    holds: (value) => typeof value === "string",
  },
  {
    id: "AGENTS-05",
    field: "reputation",
    words: "a number",
    holds: (value) => typeof value === "number" && Number.isFinite(value),
  },
  {
    id: "AGENTS-06/format",
    field: "linkedAt",
    words: "an ISO 8601 time in UTC with milliseconds",
    holds: isTimestamp,
    isUsual: isUsualTime,
    mayBeNull: true,
  },
  {
    id: "AGENTS-07",
    field: "activatedAt",
    words: "an ISO 8601 time in UTC with milliseconds",
    holds: isTimestamp,
    isUsual: isUsualTime,
    activeAlone: true,
    mayBeNull: true,
  },
];

interface ListWithEntries {
  readonly exchange: Exchange;
  readonly entries: readonly JsonObject[];
}

/** @throws {InconclusiveError} control-refused, when there is no entry to look at */
async function listWithEntries(target: Target): Promise<ListWithEntries> {
  const exchange = await ownList(target);
  const { agents } = jsonMembers(exchange);
  const found: unknown[] = Array.isArray(agents) ? agents : [];
  if (found.length > 0)
    return { exchange, entries: found.map((entry) => (isJsonObject(entry) ? entry : {})) };
  throw controlRefused("listing inboxes", "200 with at least one", exchange, "AGENTS-01");
}

const fields = formats.map(({ id, field, words, holds, isUsual, activeAlone, mayBeNull }) =>
  check({
    id,
    claim: `\`${field}\` of every ${activeAlone ? "active" : "listed"} inbox is ${words}.`,
    needs: ["human"],
    act: listWithEntries,
    assert({ exchange, entries }) {
      const isActive = (entry: JsonObject): boolean => entry["status"] === "active";
      const missing = entries.filter((entry) => mayBeNull && !isActive(entry) && entry[field] === null);
      const judged = entries.filter((entry) => !missing.includes(entry) && (!activeAlone || isActive(entry)));
      for (const entry of judged)
        expectThat(holds(entry[field]), `${field} to be ${words}`, shown(entry[field]), exchange);
      if (missing.length > 0)
        return warning(`${field} is null in ${missing.length} inboxes that are not active`);
      const unusual = judged.find((entry) => isUsual?.(entry[field]) === false);
      return unusual && warning(`${field} is written as ${shown(unusual[field])}, which few clients read`);
    },
  }),
);

const unique = check({
  id: "AGENTS-02/unique",
  claim: "No `accountId` is listed twice.",
  needs: ["human"],
  act: listWithEntries,
  assert({ exchange, entries }) {
    const ids = entries.map((entry) => entry["accountId"]);
    expectThat(new Set(ids).size === ids.length, "accountIds that differ", shown(ids), exchange);
  },
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

const statuses = observe({
  id: "AGENTS-04/values",
  question: "Which values does `status` of the listed inboxes take?",
  needs: ["human"],
  act: listWithEntries,
  answer: ({ entries }) => [...new Set(entries.map((entry) => shown(entry["status"])))].join(", "),
});

export const listFormatChecks = [
  envelope,
  nextSteps,
  ...otherNextSteps,
  ...fields,
  mcpEntries,
  unique,
  past,
  ...timesStay,
  statuses,
];
