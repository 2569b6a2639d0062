import { decodeJwt } from "jose";
import { check } from "../support/judging/check.ts";
import { type HeaderLines, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, inboxesOf } from "../support/material/inboxes.ts";
import { accountHeader, bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import { encodeParameters } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { observation, Violation } from "../support/verdict.ts";

const twoPeople = ["human", "second-human"] as const;

async function accountIdsOf(target: Target, human: "first" | "second"): Promise<readonly string[]> {
  return (await inboxesOf(target, human)).map(({ accountId }) => accountId);
}

const separate = check({
  id: "AGENTS-11",
  claim: "Of two people, neither is listed an inbox of the other.",
  needs: twoPeople,
  act: async (target) => [await accountIdsOf(target, "first"), await accountIdsOf(target, "second")] as const,
  assert([first, second]) {
    const shared = first.filter((accountId) => second.includes(accountId));
    expectThat(shared.length === 0, "lists without a common inbox", `both hold ${shared.join(", ")}`);
  },
});

/** A way to ask for another person's list with one's own token. */
const selections: readonly {
  slug: string;
  words: string;
  ask: (
    target: Target,
    other: { userId: string; accountId: string },
  ) => { query?: readonly [string, string]; lines?: HeaderLines };
}[] = [
  {
    slug: "user-id",
    words: "userId in the query",
    ask: (_target, { userId }) => ({ query: ["userId", userId] }),
  },
  {
    slug: "owner",
    words: "owner in the query",
    ask: (_target, { userId }) => ({ query: ["owner", userId] }),
  },
  {
    slug: "account-id",
    words: "accountId in the query",
    ask: (_target, { accountId }) => ({ query: ["accountId", accountId] }),
  },
  {
    slug: "x-user-id",
    words: "X-User-Id",
    ask: (_target, { userId }) => ({ lines: [["X-User-Id", userId]] }),
  },
  {
    slug: "account-header",
    words: "the account header",
    ask: (target, { accountId }) => ({ lines: [accountHeader(target, accountId)] }),
  },
];

const notSelectable = selections.map(({ slug, words, ask }) =>
  check({
    id: `AGENTS-15/${slug}`,
    claim: `Another person's identifier as ${words} lists the token's user's own inboxes or is refused.`,
    needs: twoPeople,
    async act(target) {
      const token = await sharedAccessToken(target);
      const userId = decodeJwt(await sharedAccessToken(target, { human: "second" })).sub ?? "";
      const { query, lines = [] } = ask(target, { userId, accountId: await foreignInbox(target) });
      const search = query === undefined ? "" : `?${encodeParameters([query])}`;
      const exchange = await target.send({
        method: "GET",
        url: `${target.authUrl}/api/v1/agents${search}`,
        headers: [bearer(token), ...lines],
      });
      return { exchange, own: await accountIdsOf(target, "first") };
    },
    assert({ exchange, own }) {
      if (isRefusalStatus(exchange.response.status)) return;
      if (exchange.response.status !== 200) throw new Violation("200 or a refusal", summary(exchange));
      const foreign = inboxEntries(exchange).filter(({ accountId }) => !own.includes(accountId));
      expectThat(
        foreign.length === 0,
        "the token's user's inboxes alone",
        shown(foreign.map((entry) => entry.accountId)),
      );
    },
  }),
);

const twoConnections = check({
  id: "AGENTS-17",
  claim: "Whether two clients of one person see the same list.",
  needs: ["human"],
  async act(target) {
    const tokens = [
      await sharedAccessToken(target),
      await sharedAccessToken(target, { client: "confidential" }),
    ];
    return Promise.all(tokens.map((token) => getAgents(target, [bearer(token)])));
  },
  assert(exchanges) {
    const [one, two] = exchanges.map((exchange) =>
      inboxEntries(exchange)
        .map(({ accountId }) => accountId)
        .toSorted()
        .join(),
    );
    return observation(
      one === two ? "the same list" : `lists that differ (${exchanges.map(summary).join(", ")})`,
    );
  },
});

const otherMethods = ["POST", "PUT", "DELETE"].map((method) =>
  check({
    id: `AGENTS-18/${method.toLowerCase()}`,
    claim: `What ${method} on the list gets; it is not answered 2xx.`,
    needs: ["human"],
    act: async (target) =>
      target.send({
        method,
        url: `${target.authUrl}/api/v1/agents`,
        headers: [bearer(await sharedAccessToken(target))],
      }),
    assert(exchange) {
      expectThat(!isSuccess(exchange), "no 2xx", summary(exchange));
      return observation(summary(exchange));
    },
  }),
);

export const ownerChecks = [separate, ...notSelectable, twoConnections, ...otherMethods];
