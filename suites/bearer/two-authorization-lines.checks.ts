import { isServed } from "../support/judging/access-token-use.ts";
import { type Check, check, observe } from "../support/judging/check.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, listedInboxes } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  getAgents,
  inboxEntries,
  inboxQuery,
  jsonContentType,
  postJmap,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { acceptedToken, agentsEndpoint, jmapEndpoint } from "./endpoints.ts";
import { brokenSignature } from "./forgeries.ts";

const twoPeople = ["human", "second-human"] as const;

/** A valid token and one that claims another person without a valid signature, each in an `Authorization` line. */
const orders = [
  {
    slug: "valid-first",
    ruleSlug: "forged-second-line",
    words: "followed by a line with another person's forged token",
    order: (valid: string, forged: string) => [valid, forged],
  },
  {
    slug: "valid-last",
    ruleSlug: "forged-first-line",
    words: "preceded by a line with another person's forged token",
    order: (valid: string, forged: string) => [forged, valid],
  },
];

async function forgedAndValid(
  target: Target,
  order: (valid: string, forged: string) => string[],
): Promise<(readonly [string, string])[]> {
  const valid = await sharedAccessToken(target);
  const forged = brokenSignature(await sharedAccessToken(target, { human: "second" }));
  return order(valid, forged).map(bearer);
}

/** An inbox list, and the inboxes that only the other person has. */
interface MixedList {
  readonly exchange: Exchange;
  readonly others: readonly string[];
}

async function listWith(
  target: Target,
  order: (valid: string, forged: string) => string[],
): Promise<MixedList> {
  await acceptedToken(target, agentsEndpoint);
  const lines = await forgedAndValid(target, order);
  return { exchange: await getAgents(target, lines), others: await inboxesOfSecondAlone(target) };
}

/** @throws {InconclusiveError} precondition-missing, when the target lists the same inbox for both */
async function inboxesOfSecondAlone(target: Target): Promise<readonly string[]> {
  await foreignInbox(target);
  const own = (await listedInboxes(target, "first")).map(({ accountId }) => accountId);
  const others = (await listedInboxes(target, "second")).map(({ accountId }) => accountId);
  return others.filter((accountId) => !own.includes(accountId));
}

async function foreignInboxWith(
  target: Target,
  order: (valid: string, forged: string) => string[],
): Promise<Exchange> {
  await acceptedToken(target, jmapEndpoint);
  const lines = await forgedAndValid(target, order);
  return postJmap(target, {
    headers: [...lines, accountHeader(target, await foreignInbox(target)), jsonContentType],
    body: inboxQuery,
  });
}

const atTheList = orders.flatMap(({ slug, ruleSlug, words, order }): Check[] => [
  observe({
    id: `BEARER-15/agents-${slug}`,
    question: `How does the inbox list answer an \`Authorization\` line with a valid token, ${words}?`,
    needs: twoPeople,
    act: (target) => listWith(target, order),
    answer: ({ exchange }) => summary(exchange),
  }),
  check({
    id: `AGENTS-11/${ruleSlug}`,
    claim: `An \`Authorization\` line with a valid token, ${words}, lists none of that person's inboxes.`,
    needs: twoPeople,
    act: (target) => listWith(target, order),
    assert({ exchange, others }) {
      const listed = inboxEntries(exchange).filter(({ accountId }) => others.includes(accountId));
      explained("BEARER-04/agents-flipped-bit", () =>
        expectThat(listed.length === 0, "no inbox of the other person", `${listed.length} of them`, exchange),
      );
    },
  }),
]);

const atJmap = orders.flatMap(({ slug, ruleSlug, words, order }): Check[] => [
  observe({
    id: `BEARER-15/jmap-${slug}`,
    question: `How does JMAP answer an \`Authorization\` line with a valid token, ${words}, for that person's inbox?`,
    needs: twoPeople,
    act: (target) => foreignInboxWith(target, order),
    answer: summary,
  }),
  check({
    id: `HDR-11/${ruleSlug}`,
    claim: `An \`Authorization\` line with a valid token, ${words}, does not open that person's inbox.`,
    needs: twoPeople,
    act: (target) => foreignInboxWith(target, order),
    assert: (exchange) =>
      explained("HDR-11/mailbox-query", () =>
        expectThat(
          !isServed(exchange),
          "the other person's inbox to stay closed",
          summary(exchange),
          exchange,
        ),
      ),
  }),
]);

async function listOfTwo(target: Target): Promise<Exchange> {
  await acceptedToken(target, agentsEndpoint);
  const tokens = [await sharedAccessToken(target), await sharedAccessToken(target, { human: "second" })];
  return getAgents(target, tokens.map(bearer));
}

const twoValid: readonly Check[] = [
  observe({
    id: "BEARER-15/agents-two-valid",
    question: "How does the inbox list answer two `Authorization` lines with valid tokens of two people?",
    needs: twoPeople,
    act: listOfTwo,
    answer: summary,
  }),
  check({
    id: "AGENTS-11/two-tokens",
    claim: "Two `Authorization` lines with valid tokens of two people never list the inboxes of both.",
    needs: twoPeople,
    async act(target) {
      const exchange = await listOfTwo(target);
      const second = await inboxesOfSecondAlone(target);
      const own = (await listedInboxes(target, "first")).map(({ accountId }) => accountId);
      return { exchange, lists: [own, second] };
    },
    assert({ exchange, lists }) {
      const listed = inboxEntries(exchange).map(({ accountId }) => accountId);
      const people = lists.filter((list) => list.some((accountId) => listed.includes(accountId)));
      explained("AGENTS-11", () =>
        expectThat(people.length < 2, "the inboxes of one person at most", "inboxes of both", exchange),
      );
    },
  }),
];

export const twoAuthorizationLinesChecks: readonly Check[] = [...atTheList, ...atJmap, ...twoValid];
