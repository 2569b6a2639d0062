import { controlRefused } from "../support/wire/control-refused.ts";
import { decodeJwt } from "jose";
import { check } from "../support/judging/check.ts";
import {
  type Exchange,
  isJsonObject,
  type JsonObject,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { bearer, getAgents } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, Violation } from "../support/verdict.ts";

/** The list of the first human. The format checks read one answer. */
function ownList(target: Target): Promise<Exchange> {
  return target.once("agents:list", async (recording) =>
    getAgents(recording, [bearer(await sharedAccessToken(recording))]),
  );
}

const envelope = check({
  id: "AGENTS-01",
  claim: "The list is answered 200 with an agents array and a _next array of strings.",
  needs: ["human"],
  act: ownList,
  assert(exchange) {
    const { agents, _next: next } = jsonMembers(exchange);
    expectThat(exchange.response.status === 200, "200", summary(exchange));
    expectThat(Array.isArray(agents), "agents to be an array", shown(agents));
    const isHints = Array.isArray(next) && next.every((step: unknown) => typeof step === "string");
    expectThat(isHints, "_next to be an array of strings", shown(next));
  },
});

/** The format of one field of an inbox entry. Document, "Resources", inbox entry. */
interface FieldFormat {
  readonly requirement: string;
  readonly field: string;
  /** Reads after "is". */
  readonly words: string;
  readonly holds: (value: unknown, entry: JsonObject) => boolean;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;
const utcWithMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;
const clockSkewMs = 5 * 60_000;

/** A real moment, written as the document shows it, and not in the future. */
function isPastTimestamp(value: unknown): boolean {
  if (typeof value !== "string" || !utcWithMilliseconds.test(value)) return false;
  const time = Date.parse(value);
  // A date such as 30 February is no date or another one when it is written again.
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

const formats: readonly FieldFormat[] = [
  {
    requirement: "AGENTS-02/format",
    field: "accountId",
    words: "a UUID",
    holds: (value) => typeof value === "string" && uuid.test(value),
  },
  {
    requirement: "AGENTS-03",
    field: "inboxId",
    words: "a string that is not empty",
    holds: (value) => typeof value === "string" && value !== "",
  },
  {
    requirement: "AGENTS-04/format",
    field: "status",
    words: "a string",
    holds: (value) => typeof value === "string",
  },
  {
    requirement: "AGENTS-05",
    field: "reputation",
    words: "a number",
    holds: (value) => typeof value === "number" && Number.isFinite(value),
  },
  {
    requirement: "AGENTS-06/format",
    field: "linkedAt",
    words: "an ISO 8601 time in UTC with milliseconds",
    holds: isPastTimestamp,
  },
  {
    requirement: "AGENTS-07",
    field: "activatedAt",
    words: "an ISO 8601 time in UTC with milliseconds, where the status is active",
    // What an inbox that was never activated shows is not said.
    holds: (value, entry) => entry["status"] !== "active" || isPastTimestamp(value),
  },
];

/** @throws {InconclusiveError} control-refused, when there is no entry to look at */
async function entries(target: Target): Promise<readonly JsonObject[]> {
  const exchange = await ownList(target);
  const { agents } = jsonMembers(exchange);
  const found: unknown[] = Array.isArray(agents) ? agents : [];
  if (found.length > 0) return found.map((entry) => (isJsonObject(entry) ? entry : {}));
  throw controlRefused("listing inboxes", "one at least", exchange);
}

const fields = formats.map(({ requirement, field, words, holds }) =>
  check({
    id: requirement,
    claim: `The ${field} of every listed inbox is ${words}.`,
    needs: ["human"],
    act: entries,
    assert(list) {
      for (const entry of list)
        if (!holds(entry[field], entry)) throw new Violation(`${field} to be ${words}`, shown(entry[field]));
    },
  }),
);

const unique = check({
  id: "AGENTS-02/unique",
  claim: "No accountId is listed twice.",
  needs: ["human"],
  act: entries,
  assert(list) {
    const ids = list.map((entry) => entry["accountId"]);
    expectThat(new Set(ids).size === ids.length, "accountIds that differ", shown(ids));
  },
});

const past = check({
  id: "AGENTS-06/past",
  claim: "No inbox was linked in the future.",
  needs: ["human"],
  async act(target) {
    const list = await entries(target);
    // The target's clock may be moved: it shows in when it issued a token.
    const { iat = 0 } = decodeJwt(await sharedAccessToken(target));
    const nowMs = Math.max(Date.now(), iat * 1000) + target.elapsedSeconds() * 1000;
    return list.map((entry) => ({ linkedAt: entry["linkedAt"], nowMs }));
  },
  assert(list) {
    for (const { linkedAt, nowMs } of list) {
      const isFuture = typeof linkedAt === "string" && Date.parse(linkedAt) > nowMs + clockSkewMs;
      expectThat(!isFuture, "linkedAt not more than five minutes ahead", shown(linkedAt));
    }
  },
});

const statuses = check({
  id: "AGENTS-04/values",
  claim: "Which values status takes; active is the one that the document shows.",
  needs: ["human"],
  act: entries,
  assert: (list): Finding =>
    observation([...new Set(list.map((entry) => shown(entry["status"])))].join(", ")),
});

export const listFormatChecks = [envelope, ...fields, unique, past, statuses];
