import {
  agentResource,
  codeExchange,
  jmapResource,
  mcpResource,
  postToken,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectNoTokens, expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { freshGrant } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { adding } from "../support/wire/parameters.ts";
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
    isRefusalStatus(exchange.response.status),
    "a refusal, or a token for the granted resource",
    summary(exchange),
    exchange,
  );
}

const exchanged = grants.map(({ slug, words, judgedBy, resource }) =>
  check({
    id: `RES-32/${slug}-code`,
    claim: `A code for ${words} that is exchanged with the JMAP resource yields no token for another audience than its own.`,
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
    claim: `A grant for ${words} that is refreshed with the JMAP resource yields no token for another audience than its own.`,
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
    claim: `A grant ${words} yields no token for another audience than its own.`,
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

export const tokenRequestChecks = [...exchanged, ...refreshedOtherwise, ...refreshedByOthers];
