import { claimsOf } from "../support/actors/agent.ts";
import { agentResource } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { type Exchange, type HeaderLines, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusal } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, inboxOf } from "../support/material/inboxes.ts";
import { accountHeader, bearer, getAgents } from "../support/actors/jmap.ts";
import { encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import { personLines } from "../support/material/named-elsewhere.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { accountIdsIn, isListed, requireListed } from "../support/material/inbox-lists.ts";

const twoPeople = ["human", "second-human"] as const;

const separate = check({
  id: "AGENTS-11",
  claim: "Of two people, neither is listed an inbox of the other.",
  needs: twoPeople,
  async act(target) {
    const tokens = [
      await sharedAccessToken(target),
      await sharedAccessToken(target, { human: "second" }),
    ] as const;
    const [first, second] = await Promise.all([
      getAgents(target, [bearer(tokens[0])]),
      getAgents(target, [bearer(tokens[1])]),
    ]);
    requireListed(first, "the inbox list of the first human");
    requireListed(second, "the inbox list of the second human");
    return { first, second };
  },
  assert({ first, second }) {
    const common = accountIdsIn(first).filter((accountId) => accountIdsIn(second).includes(accountId));
    expectThat(common.length === 0, "no inbox in both lists", common.join(", "), second);
  },
});

async function listForSingleInbox(target: Target): Promise<Exchange> {
  const resource = agentResource(target, await inboxOf(target));
  return getAgents(target, [bearer(await sharedAccessToken(target, { resource }))]);
}

const singleInbox = observe({
  id: "AGENTS-10",
  question: "What does the inbox list answer to an access token for a single inbox?",
  needs: ["human"],
  act: listForSingleInbox,
  answer: (exchange) => (isListed(exchange) ? `${accountIdsIn(exchange).length} inboxes` : summary(exchange)),
});

const singleInboxOwner = check({
  id: "AGENTS-11/single-inbox-token",
  claim: "An access token for a single inbox lists no inbox that its owner does not have.",
  needs: twoPeople,
  async act(target) {
    // What a target keeps of lists that it has answered must not stand in this one.
    const other = await getAgents(target.setup, [
      bearer(await sharedAccessToken(target.setup, { human: "second" })),
    ]);
    requireListed(other, "the inbox list of the second human");
    const exchange = await listForSingleInbox(target);
    // Last: a consent may have added inboxes, which a grant from before may never list (C-17).
    const { tokens } = await freshGrant(target.control);
    const whole = await getAgents(target.control, [bearer(tokens.access_token)]);
    requireListed(whole, "the inbox list with a token for JMAP");
    return { exchange, owned: accountIdsIn(whole) };
  },
  assert({ exchange, owned }) {
    const foreign = accountIdsIn(exchange).filter((accountId) => !owned.includes(accountId));
    expectThat(foreign.length === 0, "inboxes of the token's owner alone", foreign.join(", "), exchange);
  },
});

/** A way to ask for another person's list with one's own token. */
const selections: readonly {
  slug: string;
  words: string;
  ask: (
    target: Target,
    other: { userId: string; username: string; accountId: string },
  ) => { query?: Parameters; lines?: HeaderLines };
}[] = [
  {
    slug: "user-id",
    words: "query parameter `userId`",
    ask: (_target, { userId }) => ({ query: [["userId", userId]] }),
  },
  {
    slug: "owner",
    words: "query parameter `owner`",
    ask: (_target, { userId }) => ({ query: [["owner", userId]] }),
  },
  {
    slug: "account-id",
    words: "query parameter `accountId`",
    ask: (_target, { accountId }) => ({ query: [["accountId", accountId]] }),
  },
  {
    slug: "other-parameters",
    words: "query parameters `sub`, `user`, `user_id`, `ownerId` and `email`",
    ask: (_target, { userId, username }) => ({
      query: [
        ...["sub", "user", "user_id", "ownerId"].map((name) => [name, userId] as const),
        ["email", username],
      ],
    }),
  },
  {
    slug: "username",
    words: "query parameters `username`, `login` and `name`",
    ask: (_target, { username }) => ({
      query: ["username", "login", "name"].map((name) => [name, username] as const),
    }),
  },
  {
    slug: "x-user-id",
    words: "header `X-User-Id`",
    ask: (_target, { userId }) => ({ lines: [["X-User-Id", userId]] }),
  },
  {
    slug: "gateway-headers",
    words: "headers that gateways set, such as `X-Forwarded-User`,",
    ask: (_target, { userId }) => ({ lines: personLines(userId) }),
  },
  {
    slug: "account-header",
    words: "account header",
    ask: (target, { accountId }) => ({ lines: [accountHeader(target, accountId)] }),
  },
];

const notSelectable = selections.map(({ slug, words, ask }) =>
  check({
    id: `AGENTS-15/${slug}`,
    claim: `Another person's identifier in the ${words} lists none of that person's inboxes.`,
    needs: twoPeople,
    async act(target) {
      const [token, others] = [
        await sharedAccessToken(target),
        await sharedAccessToken(target, { human: "second" }),
      ];
      const accountId = await foreignInbox(target);
      // Tokens may name nobody; then an identifier of the inbox is what is left to ask with.
      const { sub } = claimsOf(others) ?? {};
      const { query, lines = [] } = ask(target, {
        userId: typeof sub === "string" ? sub : accountId,
        username: target.profile.humans[1]?.consent.username ?? accountId,
        accountId,
      });
      const search = query === undefined ? "" : `?${encodeParameters(query)}`;
      const exchange = await target.send({
        method: "GET",
        url: `${target.authUrl}/api/v1/agents${search}`,
        headers: [bearer(token), ...lines],
      });
      const own = await getAgents(target.control, [bearer(token)]);
      requireListed(own, "the same list without the identifier");
      const theirs = await getAgents(target.setup, [bearer(others)]);
      const foreign = accountIdsIn(theirs).filter((id) => !accountIdsIn(own).includes(id));
      return { exchange, foreign };
    },
    assert({ exchange, foreign }) {
      // Of what is not theirs, a list may also say that there is no such thing.
      if (!isSuccess(exchange) && !isRefusal(exchange) && exchange.response.status !== 404) {
        throw new InconclusiveError(
          "precondition-missing",
          `needs a list or a refusal, got ${summary(exchange)}`,
          {
            exchange,
            explainedBy: "ERR-11",
          },
        );
      }
      const listed = accountIdsIn(exchange).filter((accountId) => foreign.includes(accountId));
      explained("AGENTS-11", () =>
        expectThat(listed.length === 0, "no inbox of the other person", listed.join(", "), exchange),
      );
    },
  }),
);

const twoClients = observe({
  id: "AGENTS-17",
  question: "Do two clients of one person see the same inbox list?",
  needs: ["human"],
  async act(target) {
    const tokens = [
      await sharedAccessToken(target),
      await sharedAccessToken(target, { client: "confidential" }),
    ];
    return Promise.all(tokens.map((token) => getAgents(target, [bearer(token)])));
  },
  answer(exchanges) {
    const [one, two] = exchanges.map((exchange) => accountIdsIn(exchange).join());
    return one === two ? "yes" : `no: ${exchanges.map(summary).join(" and ")}, other accountIds`;
  },
});

const otherMethods = ["POST", "PUT", "DELETE"].map((method) =>
  observe({
    id: `AGENTS-18/${method.toLowerCase()}`,
    question: `How is ${method} on the inbox list answered?`,
    needs: ["human"],
    act: async (target) =>
      target.send({
        method,
        url: `${target.authUrl}/api/v1/agents`,
        headers: [bearer(await sharedAccessToken(target))],
      }),
    answer: summary,
  }),
);

export const ownerChecks = [
  separate,
  singleInbox,
  singleInboxOwner,
  ...notSelectable,
  twoClients,
  ...otherMethods,
];
