import type { Exchange } from "../../wire/exchange.ts";
import type { Outgoing } from "../../wire/http.ts";
import { jmapBody, urn } from "../../actors/jmap.ts";
import type { Batch } from "../load-step.ts";
import { expectOwnMail, type InboxAccess, type InboxMark, readingCalls } from "./inbox-mark.ts";

/** A request for one inbox, with the check of its response. */
export interface Read {
  readonly request: Outgoing;
  /** @throws {Violation} */
  judge(exchange: Exchange): void;
}

/** An inbox that load profiles read. */
export interface ReadInbox {
  readonly access: InboxAccess;
  readonly mark: InboxMark;
  /** A request for its session document, for agents; undefined while there is no valid credential. */
  sessionDocument?(): Read | undefined;
  close?(): void;
}

const using = [urn.core, urn.mail];

/**
 * Pairs of concurrent requests for different inboxes. Cycles through all pairs; an inbox with a session document alternates
 * between it and its mail.
 *
 * @param inboxes - at least two
 * @returns creates the next pair; undefined while one of them has no valid credential
 */
export function pairedReads(inboxes: readonly ReadInbox[]): () => Batch | undefined {
  const turns = inboxes.map(() => 0);
  let pair = 0;
  let turn = 0;

  function nextRead(at: number): Read | undefined {
    const inbox = inboxes[at];
    if (inbox === undefined) return undefined;
    const count = turns[at] ?? 0;
    turns[at] = count + 1;
    if (inbox.sessionDocument !== undefined && count % 2 === 1) return inbox.sessionDocument();
    turn += 1;
    const callId = `r${turn}`;
    const others = inboxes.filter((other) => other !== inbox).map(({ mark }) => mark);
    const request = inbox.access.jmap(
      jmapBody(readingCalls(inbox.access.account, inbox.mark, others, callId), using),
    );
    return request && { request, judge: (exchange) => expectOwnMail(exchange, inbox.mark, others, callId) };
  }

  return () => {
    const first = pair % inboxes.length;
    const distance = 1 + (Math.floor(pair / inboxes.length) % (inboxes.length - 1));
    pair += 1;
    const reads = [nextRead(first), nextRead((first + distance) % inboxes.length)];
    const [a, b] = reads;
    return a === undefined || b === undefined ? undefined : batchOf([a, b]);
  };
}

function batchOf(reads: readonly Read[]): Batch {
  return {
    requests: reads.map(({ request }) => request),
    // `judge` accepts 400 only for the error `limit`.
    isExpectedStatus: (status) => status === 200 || status === 400,
    judgesAll: true,
    judge(exchanges) {
      // One of a pair may have been shed, so exchanges are matched by request, not by position.
      for (const exchange of exchanges)
        reads.find(({ request }) => isSameRequest(request, exchange))?.judge(exchange);
    },
  };
}

function isSameRequest({ url, headers, body = "" }: Outgoing, { request }: Exchange): boolean {
  return (
    request.url === url &&
    request.body === body &&
    JSON.stringify(request.headers) === JSON.stringify(headers)
  );
}
