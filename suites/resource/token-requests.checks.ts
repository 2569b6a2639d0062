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
import { freshGrant } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { adding } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { audiencesOf } from "./token-audience.ts";

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

export const tokenRequestChecks = [...exchanged, ...refreshedOtherwise];
