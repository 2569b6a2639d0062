import { type Exchange, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { type GrantSpec, sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapAs,
  jsonContentType,
  methodResponses,
  postJmap,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import { shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";

/** A token with an inbox that it was served for in this run. */
export interface Selection {
  readonly token: string;
  readonly accountId: string;
  /** What an answer for that inbox, and for no other, shows. */
  readonly mark: string;
}

/**
 * The control of every refusal: the same request with the header as it should be was served.
 *
 * @throws {InconclusiveError} control-refused, when it was not
 */
export async function servedSelection(target: Target, spec: GrantSpec = {}): Promise<Selection> {
  const accountId = await inboxOf(target, spec.human);
  const mark = await markOf(target, accountId, spec);
  return { token: await sharedAccessToken(target, spec), accountId, mark };
}

/**
 * What a person's own inbox answers to the inbox query.
 *
 * @throws {InconclusiveError} control-refused, when it is not served
 */
export function markOf(target: Target, accountId: string, spec: GrantSpec = {}): Promise<string> {
  const key = `control:account-header:${accountId}:${JSON.stringify(Object.entries(spec).toSorted())}`;
  return target.once(key, async (recording) => {
    const token = await sharedAccessToken(recording, spec);
    const exchange = await jmapAs(recording, token, accountId, inboxQuery);
    requireServed(exchange, "a request with an owned accountId in the account header");
    return markIn(exchange) ?? "";
  });
}

/** What tells one inbox from another in an answer to the inbox query: its JMAP account and its mailbox. */
export function markIn(exchange: Exchange): string | undefined {
  const answer = responseTo(exchange, "0");
  return answer && `account ${shown(answer.args["accountId"])}, mailboxes ${shown(answer.args["ids"])}`;
}

/** A valid request but for the lines that select the inbox, which are sent as they stand. */
export function selecting(
  target: Target,
  token: string,
  lines: HeaderLines,
  changed: { body?: string; url?: string } = {},
): Promise<Exchange> {
  const { body = inboxQuery, ...where } = changed;
  return postJmap(target, { headers: [bearer(token), ...lines, jsonContentType], body, ...where });
}

/** The account header with that value, sent byte for byte. */
export function selectingValue(target: Target, token: string, value: string): Promise<Exchange> {
  return selecting(target, token, [accountHeader(target, value)]);
}

/** 400 and nothing of an inbox. The document shows no body for it, so none is asserted. */
export function expectHeaderRefused(exchange: Exchange): void {
  if (exchange.response.status !== 400 || methodResponses(exchange) !== undefined)
    throw new Violation("400", seen(exchange));
}

/** The answer in words, with the inbox that it came from when it was served. */
export function seen(exchange: Exchange): string {
  const mark = markIn(exchange);
  return mark === undefined ? summary(exchange) : `${exchange.response.status} from ${mark}`;
}
