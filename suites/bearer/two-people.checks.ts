import { type Check, check } from "../support/judging/check.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { type Outgoing } from "../support/wire/http.ts";
import { originOf } from "../support/wire/url.ts";
import { foreignInbox, inboxesOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  getAgents,
  inboxEntries,
  inboxQuery,
  jsonContentType,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, Violation } from "../support/verdict.ts";
import { acceptedToken, agentsEndpoint, isServed, jmapEndpoint } from "./endpoints.ts";
import { brokenSignature } from "./forgeries.ts";

const twoPeople = ["human", "second-human"] as const;

/** Two Authorization lines, one of a valid token and one that claims another person without a valid signature. */
const orders = [
  { slug: "valid-first", words: "behind", order: (valid: string, forged: string) => [valid, forged] },
  { slug: "valid-last", words: "before", order: (valid: string, forged: string) => [forged, valid] },
];

async function twoLines(
  target: Target,
  order: (valid: string, forged: string) => string[],
): Promise<[string, string][]> {
  const valid = await sharedAccessToken(target);
  const forged = brokenSignature(await sharedAccessToken(target, { human: "second" }));
  return order(valid, forged).map((token) => ["Authorization", `Bearer ${token}`]);
}

const mixedList = orders.map(({ slug, words, order }) =>
  check({
    id: `BEARER-15/agents-${slug}`,
    claim: `An unverifiable token of another person ${words} a valid one in a second Authorization header never lists the other's inboxes.`,
    needs: twoPeople,
    async act(target) {
      await acceptedToken(target, agentsEndpoint);
      await foreignInbox(target);
      const others = await inboxesOf(target, "second");
      const exchange = await getAgents(target, await twoLines(target, order));
      return { exchange, others: others.map(({ accountId }) => accountId) };
    },
    assert({ exchange, others }) {
      const listed = inboxEntries(exchange).filter(({ accountId }) => others.includes(accountId));
      expectThat(listed.length === 0, "no inbox of the other person", `${listed.length} of them`);
      return observation(summary(exchange));
    },
  }),
);

const mixedJmap = orders.map(({ slug, words, order }) =>
  check({
    id: `BEARER-15/jmap-${slug}`,
    claim: `An unverifiable token of another person ${words} a valid one in a second Authorization header never opens the other's inbox.`,
    needs: twoPeople,
    async act(target) {
      await acceptedToken(target, jmapEndpoint);
      const accountId = await foreignInbox(target);
      return target.send({
        method: "POST",
        url: `${target.apiUrl}/jmap`,
        headers: [...(await twoLines(target, order)), accountHeader(target, accountId), jsonContentType],
        body: inboxQuery,
      });
    },
    assert(exchange) {
      expectThat(!isServed(exchange), "the other person's inbox to stay closed", summary(exchange));
      return observation(summary(exchange));
    },
  }),
);

const twoValid = check({
  id: "BEARER-15/agents-two-valid",
  claim: "Two Authorization headers with valid tokens of two people never list the inboxes of both.",
  needs: twoPeople,
  async act(target) {
    await acceptedToken(target, agentsEndpoint);
    await foreignInbox(target);
    const lists = [await inboxesOf(target, "first"), await inboxesOf(target, "second")];
    const tokens = [await sharedAccessToken(target), await sharedAccessToken(target, { human: "second" })];
    const exchange = await getAgents(target, tokens.map(bearer));
    return { exchange, lists: lists.map((list) => list.map(({ accountId }) => accountId)) };
  },
  assert({ exchange, lists }) {
    const listed = inboxEntries(exchange).map(({ accountId }) => accountId);
    const people = lists.filter((list) => list.some((accountId) => listed.includes(accountId)));
    expectThat(people.length < 2, "the inboxes of one person at most", "inboxes of both");
    return observation(summary(exchange));
  },
});

/** One request of one person, and what only that person's answer shows. */
interface OwnRequest {
  readonly outgoing: Outgoing;
  readonly own: string;
}

const lists = {
  slug: "agents",
  words: "inbox list",
  origin: (target: Target) => target.authUrl,
  outgoing: (target: Target, token: string): Outgoing => ({
    method: "GET",
    url: `${target.authUrl}/api/v1/agents`,
    headers: [bearer(token)],
  }),
  mark: (exchange: Exchange): string | undefined => {
    const ids = inboxEntries(exchange).map(({ accountId }) => accountId);
    return ids.length === 0 ? undefined : ids.toSorted().join(" ");
  },
};

const mailboxes = {
  slug: "jmap",
  words: "mailbox",
  origin: (target: Target) => target.apiUrl,
  outgoing: (target: Target, token: string, accountId: string): Outgoing => ({
    method: "POST",
    url: `${target.apiUrl}/jmap`,
    headers: [bearer(token), accountHeader(target, accountId), jsonContentType],
    body: inboxQuery,
  }),
  mark: (exchange: Exchange): string | undefined => {
    const answer = responseTo(exchange, "0");
    return answer && `${shown(answer.args["accountId"])} ${shown(answer.args["ids"])}`;
  },
};

/** @throws {InconclusiveError} when a person is not served, or the two answers cannot be told apart */
async function ownRequests(target: Target, kind: typeof lists | typeof mailboxes): Promise<OwnRequest[]> {
  const requests: OwnRequest[] = [];
  for (const human of ["first", "second"] as const) {
    const [{ accountId }] = await inboxesOf(target, human);
    const outgoing = kind.outgoing(target, await sharedAccessToken(target, { human }), accountId);
    const exchange = await target.send(outgoing);
    const own = kind.mark(exchange);
    if (own === undefined)
      throw new InconclusiveError(
        "control-refused",
        `the ${human} human's ${kind.words}: got ${summary(exchange)}`,
      );
    requests.push({ outgoing, own });
  }
  if (requests[0]?.own === requests[1]?.own)
    throw new InconclusiveError(
      "precondition-missing",
      `the ${kind.words} of two people look alike: cannot tell them apart`,
    );
  return requests;
}

interface Answer {
  readonly exchange: Exchange;
  readonly own: string;
  readonly seen: string | undefined;
}

function expectOwn(answers: readonly Answer[]): void {
  for (const { exchange, own, seen } of answers) {
    if (isServed(exchange) && seen !== own)
      throw new Violation(`the asker's own data, ${own}`, seen ?? "other data");
  }
}

/** @throws {InconclusiveError} rate-limited, when most were turned away, which judges nothing */
function requireMostServed(answers: readonly Answer[]): readonly Answer[] {
  const served = answers.filter(({ exchange }) => isServed(exchange)).length;
  if (served * 2 > answers.length) return answers;
  const last = answers.at(-1);
  throw new InconclusiveError(
    "rate-limited",
    `${answers.length} requests of two people: only ${served} served, the last got ${last ? summary(last.exchange) : "nothing"}`,
  );
}

const rounds = 25;

function separation(kind: typeof lists | typeof mailboxes): Check[] {
  return [
    check({
      id: `BEARER-16/${kind.slug}-one-connection`,
      claim: `On one kept-alive connection, alternating tokens of two people each get their own ${kind.words}, ${2 * rounds} times.`,
      needs: twoPeople,
      async act(target) {
        const requests = await ownRequests(target, kind);
        const connection = target.connect(originOf(kind.origin(target)));
        const answers: Answer[] = [];
        try {
          for (const { outgoing, own } of Array.from({ length: rounds }, () => requests).flat()) {
            const exchange = await connection.send(outgoing);
            answers.push({ exchange, own, seen: kind.mark(exchange) });
          }
        } finally {
          await connection.close();
        }
        return requireMostServed(answers);
      },
      assert: expectOwn,
    }),
    check({
      id: `BEARER-16/${kind.slug}-parallel`,
      claim: `Of ${2 * rounds} parallel requests of two people, each that is served shows the asker's own ${kind.words}.`,
      needs: twoPeople,
      async act(target) {
        const requests = await ownRequests(target, kind);
        const sent = Array.from({ length: rounds }, () => requests).flat();
        const answers = await Promise.all(
          sent.map(async ({ outgoing, own }): Promise<Answer> => {
            const exchange = await target.send({ ...outgoing, takeRateLimit: true });
            return { exchange, own, seen: kind.mark(exchange) };
          }),
        );
        return requireMostServed(answers);
      },
      assert: expectOwn,
    }),
  ];
}

export const twoPeopleChecks: readonly Check[] = [
  ...mixedList,
  ...mixedJmap,
  twoValid,
  ...separation(lists),
  ...separation(mailboxes),
];
