import { isServed } from "../support/judging/access-token-use.ts";
import { type Check, check } from "../support/judging/check.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { requireEnoughServed } from "../support/judging/enough-served.ts";
import { shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { type Outgoing } from "../support/wire/http.ts";
import { originOf } from "../support/wire/url.ts";
import { inboxesOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxEntries,
  inboxQuery,
  jsonContentType,
  responseTo,
} from "../support/actors/jmap.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { sendInParallel } from "../support/actors/simultaneous-requests.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";

const twoPeople = ["human", "second-human"] as const;

const lists = {
  slug: "agents",
  words: "inbox list",
  control: "BEARER-01/agents",
  origin: (target: Target) => target.authUrl,
  outgoing: (target: Target, token: string): Outgoing => ({
    method: "GET",
    url: `${target.authUrl}/api/v1/agents`,
    headers: [bearer(token)],
  }),
  marks: (exchange: Exchange): string[] => inboxEntries(exchange).map(({ accountId }) => accountId),
};

const mailboxes = {
  slug: "jmap",
  words: "mailbox",
  control: "BEARER-01/jmap",
  origin: (target: Target) => target.apiUrl,
  outgoing: (target: Target, token: string, accountId: string): Outgoing => ({
    method: "POST",
    url: `${target.apiUrl}/jmap`,
    headers: [bearer(token), accountHeader(target, accountId), jsonContentType],
    body: inboxQuery,
  }),
  marks(exchange: Exchange): string[] {
    const answer = responseTo(exchange, "0");
    // A mailbox id may be the same in every account.
    return answer === undefined ? [] : [`${shown(answer.args["accountId"])} ${shown(answer.args["ids"])}`];
  },
};

type Kind = typeof lists | typeof mailboxes;

/** One request of one person. */
interface OwnRequest {
  readonly outgoing: Outgoing;
  /** What the person's answer shows. */
  readonly own: readonly string[];
  /** What only the other person's answer shows. */
  readonly others: readonly string[];
}

/**
 * @throws {InconclusiveError} control-refused, when a person is not served
 * @throws {InconclusiveError} precondition-missing, when a person's answer shows nothing that the other's does not
 */
async function ownRequests(target: Target, kind: Kind): Promise<readonly OwnRequest[]> {
  const first = await ownAnswer(target, kind, "first");
  const second = await ownAnswer(target, kind, "second");
  const requests = [
    { ...first, others: second.own.filter((mark) => !first.own.includes(mark)) },
    { ...second, others: first.own.filter((mark) => !second.own.includes(mark)) },
  ];
  if (requests.every(({ others }) => others.length > 0)) return requests;
  throw new InconclusiveError(
    "precondition-missing",
    `needs two people whose ${kind.words} differs: the answers to both look alike`,
  );
}

async function ownAnswer(target: Target, kind: Kind, human: "first" | "second") {
  const [{ accountId }] = await inboxesOf(target, human);
  const outgoing = kind.outgoing(target, await sharedAccessToken(target, { human }), accountId);
  const exchange = await target.control.send(outgoing);
  const own = kind.marks(exchange);
  if (own.length > 0) return { outgoing, own };
  throw controlRefused(`the ${kind.words} of the ${human} human`, "200 with data", exchange, kind.control);
}

interface Answer {
  readonly request: OwnRequest;
  readonly exchange: Exchange;
  readonly marks: readonly string[];
}

function expectOwn(answers: readonly Answer[]): void {
  for (const { request, exchange, marks } of answers) {
    if (!isServed(exchange)) continue;
    const foreign = marks.filter((mark) => request.others.includes(mark));
    if (foreign.length > 0)
      throw new Violation("nothing of the other person", foreign.join(", "), { exchange });
    // The list may have grown meanwhile: people choose or create inboxes when they consent.
    if (!marks.some((mark) => request.own.includes(mark)))
      throw new Violation("data of the person who asked", shown(marks), { exchange });
  }
}

function requireEnough(answers: readonly Answer[]): readonly Answer[] {
  return requireEnoughServed(answers, isServed, ({ request }) => request, "requests of two people");
}

const rounds = 25;

function separation(kind: Kind): Check[] {
  return [
    check({
      id: `BEARER-16/${kind.slug}-one-connection`,
      claim: `Of ${2 * rounds} requests that alternate between two people on one connection, each that is served shows the ${kind.words} of the person who asks.`,
      needs: twoPeople,
      async act(target) {
        const requests = await ownRequests(target, kind);
        const connection = target.connect(originOf(kind.origin(target)));
        const answers: Answer[] = [];
        try {
          for (const request of Array.from({ length: rounds }, () => requests).flat()) {
            const exchange = await connection.send(request.outgoing);
            answers.push({ request, exchange, marks: kind.marks(exchange) });
          }
        } finally {
          await connection.close();
        }
        return requireEnough(answers);
      },
      assert: expectOwn,
    }),
    check({
      id: `BEARER-16/${kind.slug}-parallel`,
      claim: `Of ${2 * rounds} parallel requests of two people, each that is served shows the ${kind.words} of the person who asks.`,
      needs: twoPeople,
      async act(target) {
        const requests = await ownRequests(target, kind);
        const sent = Array.from({ length: rounds }, () => requests).flat();
        const exchanges = await sendInParallel(
          target,
          sent.map(({ outgoing }) => outgoing),
        );
        const answers = exchanges.flatMap((exchange, at): Answer[] => {
          const request = sent[at];
          return request === undefined ? [] : [{ request, exchange, marks: kind.marks(exchange) }];
        });
        return requireEnough(answers);
      },
      assert: expectOwn,
    }),
  ];
}

export const twoPeopleChecks: readonly Check[] = [...separation(lists), ...separation(mailboxes)];
