import type { Exchange } from "../../wire/exchange.ts";
import type { Outgoing } from "../../wire/http.ts";
import { jmapBody, urn } from "../../actors/jmap.ts";
import type { Volley } from "../load-step.ts";
import { expectOwnMail, type InboxAccess, type InboxMark, readingCalls } from "./inbox-mark.ts";

/** A request for one inbox, and what its answer must be. */
export interface Read {
  readonly request: Outgoing;
  /** @throws {Violation} */
  judge(exchange: Exchange): void;
}

/** An inbox as load reads it. */
export interface ReadInbox {
  readonly access: InboxAccess;
  readonly mark: InboxMark;
  /** A request for its session document, on the proof-of-work path; undefined while there is no credential that is fresh. */
  document?(): Read | undefined;
  close?(): void;
}

const using = [urn.core, urn.mail];

/**
 * Two requests at the same moment, each for another inbox; in turn all pairs meet, and an inbox with a session document is
 * asked for it every other time.
 *
 * @param inboxes - two or more
 * @returns what makes the next pair; it gives undefined while one of them has no fresh credential
 */
export function pairedReads(inboxes: readonly ReadInbox[]): () => Volley | undefined {
  const turns = inboxes.map(() => 0);
  let pair = 0;
  let turn = 0;

  function readOf(at: number): Read | undefined {
    const inbox = inboxes[at];
    if (inbox === undefined) return undefined;
    const count = turns[at] ?? 0;
    turns[at] = count + 1;
    if (inbox.document !== undefined && count % 2 === 1) return inbox.document();
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
    const reads = [readOf(first), readOf((first + distance) % inboxes.length)];
    const [one, other] = reads;
    return one === undefined || other === undefined ? undefined : volleyOf([one, other]);
  };
}

function volleyOf(reads: readonly Read[]): Volley {
  return {
    requests: reads.map(({ request }) => request),
    // 400 is planned for one error alone, which `judge` looks at.
    isPlanned: (status) => status === 200 || status === 400,
    judgesAll: true,
    judge(exchanges) {
      // Of a pair one may have been turned away, so that an answer's place says nothing.
      for (const exchange of exchanges) reads.find(({ request }) => isOf(request, exchange))?.judge(exchange);
    },
  };
}

function isOf({ url, headers, body = "" }: Outgoing, { request }: Exchange): boolean {
  return (
    request.url === url &&
    request.body === body &&
    JSON.stringify(request.headers) === JSON.stringify(headers)
  );
}
