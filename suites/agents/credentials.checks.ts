import { setTimeout as delay } from "node:timers/promises";
import { agentResource, mcpResource, postRevoke } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, type HeaderLines, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectInvalidToken, expectThat } from "../support/judging/expect.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import { inboxesOf, inboxOf } from "../support/material/inboxes.ts";
import { bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, Violation } from "../support/verdict.ts";

function isListed(exchange: Exchange): boolean {
  return exchange.response.status === 200 && Array.isArray(jsonMembers(exchange)["agents"]);
}

function expectListed(exchange: Exchange): void {
  expectThat(isListed(exchange), "200 with an agents array", summary(exchange));
}

function idsIn(exchange: Exchange): string[] {
  return inboxEntries(exchange)
    .map(({ accountId }) => accountId)
    .toSorted();
}

/** @throws {InconclusiveError} control-refused, when a valid token is not answered with the list */
async function requireListed(target: Target, token: string): Promise<void> {
  const exchange = await getAgents(target, [bearer(token)]);
  if (!isListed(exchange))
    throw new InconclusiveError(
      "control-refused",
      `listing inboxes with a valid token: got ${summary(exchange)}`,
    );
}

const jmapToken = check({
  id: "AGENTS-08",
  claim: "A token for the JMAP resource lists the inboxes.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target))]),
  assert: expectListed,
});

const mcpToken = check({
  id: "AGENTS-09",
  claim: "A token for the MCP resource lists the same inboxes as one for JMAP.",
  needs: ["human"],
  async act(target) {
    const forMcp = await sharedAccessToken(target, { resource: mcpResource(target) });
    return {
      jmap: await getAgents(target, [bearer(await sharedAccessToken(target))]),
      mcp: await getAgents(target, [bearer(forMcp)]),
    };
  },
  assert({ jmap, mcp }) {
    expectListed(mcp);
    expectThat(
      idsIn(mcp).join() === idsIn(jmap).join(),
      `the list ${idsIn(jmap).join(", ")}`,
      idsIn(mcp).join(", "),
    );
  },
});

const singleInboxToken = check({
  id: "AGENTS-10",
  claim: "What a token for a single inbox lists; never an inbox that its owner does not have.",
  needs: ["human"],
  async act(target) {
    const owned = (await inboxesOf(target)).map(({ accountId }) => accountId);
    const token = await sharedAccessToken(target, { resource: agentResource(target, await inboxOf(target)) });
    return { owned, exchange: await getAgents(target, [bearer(token)]) };
  },
  assert({ owned, exchange }) {
    const listed = idsIn(exchange);
    const foreign = listed.filter((accountId) => !owned.includes(accountId));
    expectThat(foreign.length === 0, "inboxes of the token's user alone", foreign.join(", "));
    return observation(
      isListed(exchange) ? `${listed.length} of the owner's ${owned.length} inboxes` : summary(exchange),
    );
  },
});

const bearerAlone = check({
  id: "AGENTS-12",
  claim: "A request with the Authorization header and no other lists the inboxes.",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target);
    const browser = ["User-Agent", "Mozilla/5.0 (mailproof)"] as const;
    return [
      await getAgents(target, [bearer(token)]),
      await getAgents(target, [bearer(token), browser, ["Origin", "https://app.example.test"]]),
    ];
  },
  assert(exchanges) {
    for (const exchange of exchanges) expectListed(exchange);
  },
});

const withoutCredential: readonly {
  slug: string;
  words: string;
  lines: HeaderLines;
  errors: readonly string[];
}[] = [
  { slug: "none", words: "without a token", lines: [], errors: [] },
  {
    slug: "garbage",
    words: "with a token that is none",
    lines: [["Authorization", "Bearer a.b.c"]],
    errors: ["invalid_token"],
  },
];

const refused = withoutCredential.map(({ slug, words, lines, errors }) =>
  check({
    id: `AGENTS-13/${slug}`,
    claim: `A request ${words} is answered 401${errors.map((code) => ` ${code}`).join("")} and lists nothing.`,
    needs: ["human"],
    async act(target) {
      await requireListed(target, await sharedAccessToken(target));
      return getAgents(target, lines);
    },
    assert(exchange) {
      const { error, agents } = jsonMembers(exchange);
      const isExpected = errors.length === 0 || errors.some((code) => code === error);
      if (exchange.response.status !== 401 || agents !== undefined || !isExpected)
        throw new Violation(`401 ${errors.join(" or ")} without agents`, summary(exchange));
    },
  }),
);

// 900 seconds of life and a leeway of a minute.
const expiredAfterSeconds = 961;

const expired = check({
  id: "AGENTS-14/expired",
  claim: "An expired access token is answered 401 invalid_token.",
  needs: ["human"],
  waitSeconds: expiredAfterSeconds,
  async act(target) {
    const { tokens } = await freshGrant(target);
    await requireListed(target, tokens.access_token);
    await target.wait(expiredAfterSeconds);
    const exchange = await getAgents(target, [bearer(tokens.access_token)]);
    await requireListed(target, await sharedAccessToken(target));
    return exchange;
  },
  assert: expectInvalidToken,
});

const pollEveryMs = 250;

const revoked = check({
  id: "AGENTS-14/revoked",
  claim: "An access token of a revoked grant is answered 401 invalid_token.",
  needs: ["human"],
  async act(target) {
    const { tokens, client } = await freshGrant(target);
    await requireListed(target, tokens.access_token);
    await postRevoke(target, [
      ["client_id", client.client_id],
      ["token", tokens.refresh_token],
    ]);
    const untilMs = performance.now() + target.profile.revocation_propagation_seconds * 1000;
    for (;;) {
      const exchange = await getAgents(target, [bearer(tokens.access_token)]);
      if (!isListed(exchange) || performance.now() > untilMs) return exchange;
      await delay(pollEveryMs);
    }
  },
  assert: expectInvalidToken,
});

const readOnly = check({
  id: "AGENTS-16/read-only",
  claim: "A token with mail.read alone lists the inboxes.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target, { scope: "mail.read" }))]),
  assert: expectListed,
});

const sendOnly = check({
  id: "AGENTS-16/send-only",
  claim: "What a token with mail.send alone gets from the list.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target, { scope: "mail.send" }))]),
  assert: (exchange) => observation(summary(exchange)),
});

export const credentialChecks = [
  jmapToken,
  mcpToken,
  singleInboxToken,
  bearerAlone,
  ...refused,
  expired,
  revoked,
  readOnly,
  sendOnly,
];
