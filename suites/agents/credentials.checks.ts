import { mcpResource, postRevoke } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import {
  type Exchange,
  type HeaderLines,
  isSuccess,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import { expectInvalidToken, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, type GrantSpec, sharedAccessToken } from "../support/material/grants.ts";
import { withOtherSignature } from "../support/material/jwt-forgery.ts";
import { otherSpellings } from "../support/material/other-paths.ts";
import { accountHeader, bearer, getAgents } from "../support/actors/jmap.ts";
import { accessTokenLife, refusedAfterSeconds } from "../support/material/token-life.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { accountIdsIn, isListed, requireListed } from "../support/material/inbox-lists.ts";
import { pollUntil } from "../support/judging/propagation.ts";

function expectListed(exchange: Exchange): void {
  expectThat(isListed(exchange), "200 with an agents array", summary(exchange), exchange);
}

/** @throws {InconclusiveError} control-refused, when the list is refused to the token */
async function requireListedFor(target: Target, token: string): Promise<void> {
  requireListed(await getAgents(target.control, [bearer(token)]), "the inbox list with a valid token");
}

const jmapToken = check({
  id: "AGENTS-08",
  claim: "An access token for the JMAP resource lists the inboxes.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target))]),
  assert: (exchange) => explained("AGENTS-01", () => expectListed(exchange)),
});

const mcpToken = check({
  id: "AGENTS-09",
  claim: "An access token for the MCP resource lists the same inboxes as one for the JMAP resource.",
  needs: ["human"],
  async act(target) {
    const grant = async (spec: GrantSpec = {}): Promise<string> =>
      (await freshGrant(target.setup, spec)).tokens.access_token;
    // A consent may add an inbox at any moment (C-87), and a grant may keep the inboxes of its own consent (C-17): what is
    // compared was consented to, and listed, before and after.
    const before = await getAgents(target.control, [bearer(await grant())]);
    const mcp = await getAgents(target, [bearer(await grant({ resource: mcpResource(target) }))]);
    const after = await getAgents(target.control, [bearer(await grant())]);
    for (const list of [before, after]) requireListed(list, "the inbox list with a token for JMAP");
    return { before: accountIdsIn(before), mcp, after: accountIdsIn(after) };
  },
  assert({ before, mcp, after }) {
    expectListed(mcp);
    const listed = accountIdsIn(mcp);
    const expected = `the inboxes ${before.join(", ")}`;
    const [hasThose, hasNoOther] = [
      before.every((id) => listed.includes(id)),
      listed.every((id) => after.includes(id)),
    ];
    expectThat(hasThose, expected, listed.join(", "), mcp);
    // Another check may have created one meanwhile, which a stale list lacks.
    explained("AGENTS-11/after-consent", () => expectThat(hasNoOther, expected, listed.join(", "), mcp));
  },
});

const bearerAlone = check({
  id: "AGENTS-12",
  claim: "A request with the `Authorization` header and no other lists the inboxes.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target))]),
  assert: (exchange) => explained("AGENTS-08", () => expectListed(exchange)),
});

const withAccountHeader = check({
  id: "AGENTS-12/account-header",
  claim: "A request that names one of several inboxes in the account header lists all of them.",
  needs: ["human"],
  async act(target) {
    const credential = bearer(await sharedAccessToken(target));
    const before = await getAgents(target.control, [credential]);
    requireListed(before, "the inbox list");
    const owned = accountIdsIn(before);
    const [named = ""] = owned;
    if (owned.length < 2) throw new NotApplicableError("needs a person with two inboxes or more");
    return { owned, list: await getAgents(target, [credential, accountHeader(target, named)]) };
  },
  assert({ owned, list }) {
    explained("AGENTS-08", () => expectListed(list));
    const listed = accountIdsIn(list);
    expectThat(
      owned.every((id) => listed.includes(id)),
      `the inboxes ${owned.join(", ")}`,
      listed.join(", "),
      list,
    );
  },
});

const withMalformedAccountHeader = check({
  id: "AGENTS-12/malformed-account-header",
  claim:
    "A request whose account header is not a UUID lists the inboxes; one that is refused for it with 400 passes with a warning.",
  needs: ["human"],
  async act(target) {
    const credential = bearer(await sharedAccessToken(target));
    requireListed(await getAgents(target.control, [credential]), "the inbox list");
    return getAgents(target, [credential, accountHeader(target, "not-a-uuid")]);
  },
  // Only JMAP takes the header, but a gateway may look at it everywhere.
  assert(list): Warning | undefined {
    if (list.response.status === 400) return warning("the inbox list refuses a header that it does not need");
    expectListed(list);
    return undefined;
  },
});

const fromBrowser = check({
  id: "AGENTS-12/browser",
  claim: "A request with the `User-Agent` of a browser and the `Origin` of another site lists the inboxes.",
  needs: ["human"],
  act: async (target) =>
    getAgents(target, [
      bearer(await sharedAccessToken(target)),
      ["User-Agent", "Mozilla/5.0 (mailproof)"],
      ["Origin", "https://app.example.test"],
    ]),
  assert: (exchange) => explained("AGENTS-08", () => expectListed(exchange)),
});

const unauthenticated: readonly {
  slug: string;
  words: string;
  lines: HeaderLines;
  /** The check that fails too where every such credential is answered so. */
  explainedBy: string;
}[] = [
  { slug: "none", words: "without a token", lines: [], explainedBy: "BEARER-02/agents-no-header" },
  {
    slug: "garbage",
    words: "with the token `a.b.c`",
    lines: [["Authorization", "Bearer a.b.c"]],
    explainedBy: "BEARER-05/agents-expiry",
  },
];

const refused = unauthenticated.map(({ slug, words, lines, explainedBy }) =>
  check({
    id: `AGENTS-13/${slug}`,
    claim: `A request for the inbox list ${words} is refused with 401 and shows no \`agents\`.`,
    needs: ["human"],
    async act(target) {
      await requireListedFor(target, await sharedAccessToken(target));
      return getAgents(target, lines);
    },
    assert(exchange) {
      const isRefused = exchange.response.status === 401 && jsonMembers(exchange)["agents"] === undefined;
      explained(explainedBy, () => expectThat(isRefused, "401 without agents", summary(exchange), exchange));
    },
  }),
);

const elsewhere = check({
  id: "AGENTS-13/other-paths",
  claim:
    "No other spelling of the path `/api/v1/agents` shows inboxes without a token, or to one whose signature was changed.",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target);
    await requireListedFor(target, token);
    const exchanges: Exchange[] = [];
    for (const path of otherSpellings("/api/v1/agents"))
      for (const headers of [[], [bearer(withOtherSignature(token))]])
        exchanges.push(await target.send({ method: "GET", url: `${target.authUrl}${path}`, headers }));
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      explained("BEARER-05/agents-expiry", () =>
        expectThat(jsonMembers(exchange)["agents"] === undefined, "no agents", summary(exchange), exchange),
      );
  },
});

const expired = check({
  id: "AGENTS-14/expired",
  claim: "The inbox list refuses an expired access token with `invalid_token`.",
  needs: ["human"],
  waitSeconds: accessTokenLife.usualWaitSeconds,
  async act(target) {
    const { tokens } = await freshGrant(target);
    await requireListedFor(target, tokens.access_token);
    await target.wait(refusedAfterSeconds(target, accessTokenLife) + 1);
    const exchange = await getAgents(target, [bearer(tokens.access_token)]);
    await requireListedFor(target, await sharedAccessToken(target));
    return exchange;
  },
  assert: (exchange) => explained("TOKEN-19", () => expectInvalidToken(exchange)),
});

const revoked = [
  { id: "AGENTS-14/revoked", words: "a revoked grant", spec: () => ({}), explainedBy: "REVOKE-04" },
  {
    id: "AGENTS-14/revoked-mcp",
    words: "a revoked grant for the MCP resource",
    spec: (target: Target) => ({ resource: mcpResource(target) }),
    explainedBy: "AGENTS-14/revoked",
  },
].map(({ id, words, spec, explainedBy }) =>
  check({
    id,
    claim: `The inbox list refuses an access token of ${words} with \`invalid_token\`.`,
    needs: ["human"],
    async act(target) {
      const { tokens, client } = await freshGrant(target, spec(target));
      await requireListedFor(target, tokens.access_token);
      const revocation = await postRevoke(target.setup, [
        ["client_id", client.client_id],
        ["token", tokens.refresh_token],
      ]);
      if (!isSuccess(revocation)) throw controlRefused("revoking a grant", "200", revocation, "REVOKE-04");
      return pollUntil(
        target,
        () => getAgents(target, [bearer(tokens.access_token)]),
        (exchange) => !isListed(exchange),
      );
    },
    assert: (exchange) => explained(explainedBy, () => expectInvalidToken(exchange)),
  }),
);

const readOnly = check({
  id: "AGENTS-16/read-only",
  claim: "An access token with `mail.read` alone lists the inboxes.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target, { scope: "mail.read" }))]),
  assert: expectListed,
});

const sendOnly = observe({
  id: "AGENTS-16/send-only",
  question: "How does the inbox list answer an access token with `mail.send` alone?",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target, { scope: "mail.send" }))]),
  answer: summary,
});

export const credentialChecks = [
  jmapToken,
  mcpToken,
  bearerAlone,
  withAccountHeader,
  withMalformedAccountHeader,
  fromBrowser,
  ...refused,
  elsewhere,
  expired,
  ...revoked,
  readOnly,
  sendOnly,
];
