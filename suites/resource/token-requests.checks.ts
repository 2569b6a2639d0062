import { attempt, codeIn } from "../support/actors/authorization.ts";
import {
  agentResource,
  authorizationRequest,
  codeExchange,
  jmapResource,
  mcpResource,
  postToken,
  refreshExchange,
  registeredRedirectUri,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { authorizingClient, redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectNoTokens, expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { freshGrant } from "../support/material/grants.ts";
import { foreignInbox, inboxOf } from "../support/material/inboxes.ts";
import { adding, type Parameters } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { audiencesOf } from "../support/judging/token-audience.ts";

const grants: readonly {
  slug: string;
  words: string;
  /** The requirement that judges the `aud` of such a grant by itself. */
  judgedBy: string;
  resource: (target: Target) => Promise<string>;
}[] = [
  {
    slug: "mcp",
    words: "the MCP resource",
    judgedBy: "RES-02",
    resource: async (target) => mcpResource(target),
  },
  {
    slug: "agent",
    words: "a single inbox",
    judgedBy: "RES-03",
    resource: async (target) => agentResource(target, await inboxOf(target)),
  },
];

interface Evidence {
  readonly exchange: Exchange;
  readonly granted: readonly string[];
}

/** Either the token endpoint refuses another resource, or it takes no notice of it. */
function expectUnchanged({ exchange, granted }: Evidence, explainedBy: string): void {
  if (isSuccess(exchange)) {
    const audiences = audiencesOf(exchange);
    if (audiences.some((audience) => !granted.includes(audience)))
      throw new Violation(`aud ${shown(granted)}`, shown(audiences), { exchange, explainedBy });
    return;
  }
  expectNoTokens(exchange);
  expectThat(
    isRefusal(exchange),
    "a refusal, or a token for the granted resource",
    summary(exchange),
    exchange,
  );
}

const exchanged = grants.map(({ slug, words, judgedBy, resource }) =>
  check({
    id: `RES-32/${slug}-code`,
    claim: `A code for ${words} that is exchanged with the JMAP resource yields no token for a different audience.`,
    needs: ["human"],
    async act(target): Promise<Evidence> {
      const granted = await resource(target);
      const code = await redeemableCode(target, { resource: granted });
      const fields = adding(codeExchange(code), ["resource", jmapResource(target)]);
      return { granted: [granted], exchange: await postToken(target, fields) };
    },
    assert: (evidence) => expectUnchanged(evidence, judgedBy),
  }),
);

const refreshedOtherwise = grants.map(({ slug, words, resource }) =>
  check({
    id: `RES-32/${slug}-refresh`,
    claim: `A grant for ${words} that is refreshed with the JMAP resource yields no token for a different audience.`,
    needs: ["human"],
    async act(target): Promise<Evidence> {
      const { client, tokens, response } = await freshGrant(target, { resource: await resource(target) });
      const control = await postToken(target.control, refreshExchange(client, tokens.refresh_token));
      const { refresh_token: current } = requireTokens(control, "a valid refresh", "REFRESH-01");
      const fields = adding(refreshExchange(client, current), ["resource", jmapResource(target)]);
      return { granted: audiencesOf(response), exchange: await postToken(target, fields) };
    },
    assert: (evidence) => expectUnchanged(evidence, `RES-27/${slug}`),
  }),
);

const otherRefreshes: readonly {
  slug: string;
  /** Reads after "A grant". */
  words: string;
  client: ClientKind;
  sent: (target: Target) => Promise<string>;
}[] = [
  {
    slug: "mcp-refresh-confidential",
    words: "of a confidential client for the MCP resource that is refreshed with the JMAP resource",
    client: "confidential",
    sent: async (target) => jmapResource(target),
  },
  {
    slug: "mcp-refresh-single-inbox",
    words: "for the MCP resource that is refreshed with the resource of a single inbox",
    client: "public",
    sent: async (target) => agentResource(target, await inboxOf(target)),
  },
];

const refreshedByOthers = otherRefreshes.map(({ slug, words, client, sent }) =>
  check({
    id: `RES-32/${slug}`,
    claim: `A grant ${words} yields no token for a different audience.`,
    needs: ["human"],
    async act(target): Promise<Evidence> {
      const grant = await freshGrant(target, { client, resource: mcpResource(target) });
      const control = await postToken(
        target.control,
        refreshExchange(grant.client, grant.tokens.refresh_token),
      );
      const { refresh_token: current } = requireTokens(control, "a valid refresh", "REFRESH-01");
      const fields = adding(refreshExchange(grant.client, current), ["resource", await sent(target)]);
      return { granted: audiencesOf(grant.response), exchange: await postToken(target, fields) };
    },
    assert: (evidence) => expectUnchanged(evidence, "RES-27/mcp"),
  }),
);

const notOfJmap: readonly {
  slug: string;
  /** Reads after "with". */
  words: string;
  needs: readonly Need[];
  sent: (target: Target) => Promise<string>;
}[] = [
  { slug: "mcp", words: "the MCP resource", needs: [], sent: async (target) => mcpResource(target) },
  {
    slug: "inbox",
    words: "the resource of one of its person's inboxes",
    needs: [],
    sent: async (target) => agentResource(target, await inboxOf(target)),
  },
  {
    slug: "foreign-inbox",
    words: "the resource of another person's inbox",
    needs: ["second-human"],
    sent: async (target) => agentResource(target, await foreignInbox(target)),
  },
];

const jmapRequests: readonly {
  slug: string;
  /** Reads after "JMAP". */
  words: string;
  judgedBy: string;
  fields: (target: Target) => Promise<Parameters>;
}[] = [
  {
    slug: "code",
    words: "that is exchanged",
    judgedBy: "RES-01",
    fields: async (target) => codeExchange(await redeemableCode(target)),
  },
  {
    slug: "refresh",
    words: "that is refreshed",
    judgedBy: "RES-27/jmap",
    async fields(target) {
      const { client, tokens } = await refreshableGrant(target);
      return refreshExchange(client, tokens.refresh_token);
    },
  },
];

// JMAP is not the wider one of the resources: a token for it alone is what the person consented to.
const jmapForAnother = jmapRequests.flatMap((request) =>
  notOfJmap.map(({ slug, words, needs, sent }) =>
    check({
      id: `RES-32/jmap-${request.slug}-${slug}`,
      claim: `A grant for JMAP ${request.words} with ${words} yields no token for a different audience.`,
      needs: ["human", ...needs],
      async act(target): Promise<Evidence> {
        const resource = await sent(target);
        const fields = adding(await request.fields(target), ["resource", resource]);
        return { granted: [jmapResource(target)], exchange: await postToken(target, fields) };
      },
      assert: (evidence) => expectUnchanged(evidence, request.judgedBy),
    }),
  ),
);

const foreign = "https://evil.test/jmap";

/** What other servers and frameworks take for a resource, with one that was not asked for. */
function otherForms(granted: string): readonly Parameters[] {
  return [
    [["audience", foreign]],
    [["resource[]", foreign]],
    [
      ["resource", granted],
      ["resource", foreign],
    ],
  ];
}

/** Parameters by which other authorization servers are asked for an audience. */
const dialects = ["audience", "aud", "resources", "resource[]", "resource_indicator"];

const requestedOtherwise = [
  {
    slug: "other-forms",
    words: "a foreign value",
    resource: jmapResource,
    other: () => foreign,
  },
  { slug: "other-forms-of-jmap", words: "the JMAP resource", resource: mcpResource, other: jmapResource },
].map(({ slug, words, resource, other }) =>
  check({
    id: `RES-18/${slug}`,
    claim: `A request with ${words} in \`audience\`, \`resource[]\` and the like beside its \`resource\` gives no token for any other audience.`,
    needs: ["human"],
    async act(target): Promise<Evidence | undefined> {
      const client = await authorizingClient(target);
      const granted = resource(target);
      const request = authorizationRequest(target, client, { resource: granted });
      target.spend("grants");
      const beside = dialects.map((name) => [name, other(target)] as const);
      const parameters = adding(request.parameters, ...beside);
      const code = codeIn((await attempt(target, { client, parameters })).end);
      if (code === undefined) return undefined;
      const redirectUri = registeredRedirectUri(client);
      const fields = codeExchange({ code, client, verifier: request.verifier, redirect_uri: redirectUri });
      return { granted: [granted], exchange: await postToken(target, fields) };
    },
    assert(evidence) {
      if (evidence !== undefined) expectUnchanged(evidence, "RES-01");
    },
  }),
);

const exchangedOtherwise = check({
  id: "RES-32/other-forms-code",
  claim:
    "A code that is exchanged with a foreign `audience` and `resource[]` yields no token for a different audience.",
  needs: ["human"],
  async act(target): Promise<Evidence> {
    const code = await redeemableCode(target);
    const fields = adding(codeExchange(code), ["audience", foreign], ["resource[]", foreign]);
    return { granted: [jmapResource(target)], exchange: await postToken(target, fields) };
  },
  assert: (evidence) => expectUnchanged(evidence, "RES-01"),
});

const refreshedInOtherForms = check({
  id: "RES-32/other-forms-refresh",
  claim:
    "A grant that is refreshed with a foreign `audience`, `resource[]` or second `resource` yields no token for a different audience.",
  needs: ["human"],
  async act(target): Promise<readonly Evidence[]> {
    const { client, tokens } = await refreshableGrant(target);
    const granted = jmapResource(target);
    const seen: Evidence[] = [];
    let current = tokens.refresh_token;
    for (const form of otherForms(granted)) {
      const exchange = await postToken(target, adding(refreshExchange(client, current), ...form));
      seen.push({ granted: [granted], exchange });
      // A refused refresh leaves the token as it is (REFRESH-13).
      if (isSuccess(exchange)) current = requireTokens(exchange, "a refresh").refresh_token;
    }
    return seen;
  },
  assert(seen) {
    for (const evidence of seen) expectUnchanged(evidence, "RES-27/jmap");
  },
});

export const tokenRequestChecks = [
  ...exchanged,
  ...refreshedOtherwise,
  ...refreshedByOthers,
  ...jmapForAnother,
  ...requestedOtherwise,
  exchangedOtherwise,
  refreshedInOtherForms,
];
