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
  responseTo,
} from "../support/actors/jmap.ts";
import { shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { isStoppedByGateway } from "../support/wire/stopped-by-gateway.ts";
import { Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";

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
  const key = `control:account-header:${accountId}:${JSON.stringify(Object.entries(spec).toSorted())}`;
  const mark = await target.control.once(key, async (recording) =>
    requireSelected(recording, await sharedAccessToken(recording, spec), accountId),
  );
  return { token: await sharedAccessToken(target, spec), accountId, mark };
}

/**
 * What an inbox shows in its answer to the inbox query.
 *
 * @throws {InconclusiveError} control-refused, when the token is not served for it
 */
export async function requireSelected(target: Target, token: string, accountId: string): Promise<string> {
  const exchange = await jmapAs(target, token, accountId, inboxQuery);
  const mark = markIn(exchange);
  if (mark !== undefined) return mark;
  throw controlRefused(
    "a request with an owned accountId in the account header",
    "200 with methodResponses",
    exchange,
    "HDR-01",
  );
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
  changed: { body?: string; url?: string; method?: string } = {},
): Promise<Exchange> {
  const { body = inboxQuery, ...where } = changed;
  return postJmap(target, { headers: [bearer(token), ...lines, jsonContentType], body, ...where });
}

/** The account header with that value, sent byte for byte. */
export function selectingValue(target: Target, token: string, value: string): Promise<Exchange> {
  return selecting(target, token, [accountHeader(target, value)]);
}

/** Which checks judge by themselves what may hide why a header is refused. */
export interface Siblings {
  /** Fails too when refusals of this kind have another status. */
  readonly status?: string | undefined;
  /** Fails too when requests of this kind are served. */
  readonly served?: string | undefined;
}

/**
 * Refused with one of the statuses, and nothing of an inbox. The document shows no body for a malformed header, so none
 * is asserted.
 */
export function expectRefusedWith(
  exchange: Exchange,
  statuses: readonly number[],
  siblings: Siblings = {},
): void {
  const { status } = exchange.response;
  const isServed = methodResponses(exchange) !== undefined;
  if ((statuses.includes(status) || isStoppedByGateway(exchange)) && !isServed) return;
  const refusedBy = status >= 500 ? "ERR-11" : siblings.status;
  throw new Violation(statuses.join(" or "), seen(exchange), {
    exchange,
    explainedBy: isServed ? siblings.served : refusedBy,
  });
}

/** The answer in words, with the inbox that it came from when it was served. */
export function seen(exchange: Exchange): string {
  const mark = markIn(exchange);
  return mark === undefined ? summary(exchange) : `${exchange.response.status} from ${mark}`;
}
