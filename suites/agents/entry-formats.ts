import { expectThat, shown } from "../support/judging/expect.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { entriesIn } from "../support/actors/jmap.ts";
import type { Exchange, JsonObject } from "../support/wire/exchange.ts";

/** The format of one field of an inbox entry. Document, "Resources", inbox entry. */
export interface FieldFormat {
  readonly id: string;
  readonly field: string;
  /** Reads after "is". */
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
  /** Only for active inboxes: the document does not say what the others show. */
  readonly activeAlone?: true;
  /** A null of an inbox that is not active warns. */
  readonly mayBeNull?: true;
  /** A value that holds, but is written otherwise than JavaScript writes it, warns. */
  readonly isUsual?: (value: unknown) => boolean;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;
// Both forms of ISO 8601, each with either of its decimal signs, and both ways to write UTC.
const utcWithMilliseconds =
  /^(\d{4})(?:-(\d\d)-(\d\d)T(\d\d):(\d\d):|(\d\d)(\d\d)T(\d\d)(\d\d))(\d\d)[.,](\d{3})(?:Z|\+00(?::?00)?)$/u;
const usualTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;

/** A real moment in UTC with milliseconds, in any form of ISO 8601. */
function isTimestamp(value: unknown): boolean {
  const usual = typeof value === "string" ? inUsualForm(value) : undefined;
  if (usual === undefined) return false;
  const time = Date.parse(usual);
  // A date such as 30 February is not a date or another one when it is written again.
  return !Number.isNaN(time) && new Date(time).toISOString() === usual;
}

/** A time as `new Date().toISOString()` writes it; undefined when it is no such time. */
export function inUsualForm(value: string): string | undefined {
  const parts = utcWithMilliseconds
    .exec(value)
    ?.slice(1)
    .filter((part) => part !== undefined);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second, milliseconds] = parts;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`;
}

const isUsualTime = (value: unknown): boolean => usualTime.test(String(value));

export const formats: readonly FieldFormat[] = [
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

/**
 * @returns a warning where a value is tolerated
 * @throws {Violation} when the field of an entry has another format
 */
export function expectFormat(
  { field, words, holds, isUsual, activeAlone, mayBeNull }: FieldFormat,
  exchange: Exchange,
): Warning | undefined {
  const entries = entriesIn(exchange);
  const isActive = (entry: JsonObject): boolean => entry["status"] === "active";
  const missing = entries.filter((entry) => mayBeNull && !isActive(entry) && (entry[field] ?? null) === null);
  const judged = entries.filter((entry) => !missing.includes(entry) && (!activeAlone || isActive(entry)));
  for (const entry of judged)
    expectThat(holds(entry[field]), `${field} to be ${words}`, shown(entry[field]), exchange);
  if (missing.length > 0)
    return warning(`${field} is missing in ${missing.length} inboxes that are not active`);
  const unusual = judged.find((entry) => isUsual?.(entry[field]) === false);
  return (
    unusual && warning(`${field} is written as ${shown(unusual[field])}, not as "2024-01-31T09:08:07.654Z"`)
  );
}

export function expectNoneTwice(exchange: Exchange): void {
  const ids = entriesIn(exchange).map((entry) => entry["accountId"]);
  expectThat(new Set(ids).size === ids.length, "accountIds that differ", shown(ids), exchange);
}
