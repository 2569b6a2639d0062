import type { Target } from "../target/target.ts";
import type { HeaderLines } from "../wire/exchange.ts";
import { encodeParameters } from "../wire/parameters.ts";

/** A place of a JMAP request where a service may look for the inbox, beside the one that the document names. */
export interface OtherPlace {
  /** Reads after "named in". */
  readonly words: string;
  readonly lines?: HeaderLines;
  /** Without the question mark. */
  readonly query?: string;
  /** Of the JSON body. */
  readonly members?: Readonly<Record<string, string>>;
}

// What gateways and mail stores call the account in headers that they set for each other.
const internalHeaders = [
  "X-Account-Id",
  "X-AccountId",
  "X-JMAP-Account-Id",
  "X-JMAP-Account",
  "X-Internal-Account-Id",
  "X-Mail-Account",
  "X-Mailbox-Id",
  "X-Inbox-Id",
  "X-Agent-Id",
  "X-Tenant-Id",
];

/**
 * Requests that name an inbox everywhere but in the account header and in a method call.
 *
 * @param ids - what the inbox is known by: its accountId, and the id of its JMAP account
 */
export function otherPlaces(target: Target, ids: readonly string[]): readonly OtherPlace[] {
  const name = target.profile.names.account_header;
  return [...new Set(ids)].flatMap((id) => [
    { words: "internal headers", lines: internalHeaders.map((header) => [header, id] as const) },
    {
      words: "the query",
      query: encodeParameters([
        ["accountId", id],
        [name, id],
      ]),
    },
    { words: "a cookie", lines: [["Cookie", `${name}=${id}; accountId=${id}`] as const] },
    { words: "a member of the body", members: { accountId: id } },
  ]);
}

/** Headers by which a gateway tells a service who has signed in; a caller may send them too. */
const personHeaders = [
  "X-Forwarded-User",
  "X-Forwarded-Email",
  "X-Forwarded-Preferred-Username",
  "X-Auth-Request-User",
  "X-Auth-Request-Email",
  "X-Remote-User",
  "Remote-User",
  "X-Authenticated-User",
  "X-Authenticated-Userid",
  "X-Subject",
  "X-Sub",
];

/** @param person - what the headers name them by: a `sub`, or a user name */
export function personLines(person: string): HeaderLines {
  return personHeaders.map((header) => [header, person] as const);
}
