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
import { expectNoTokens, expectThat } from "../support/judging/expect.ts";
import { freshGrant, refreshed } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { adding } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { expectAudience } from "./token-audience.ts";

const grants: readonly { slug: string; words: string; resource: (target: Target) => Promise<string> }[] = [
  { slug: "mcp", words: "the MCP resource", resource: async (target) => mcpResource(target) },
  {
    slug: "agent",
    words: "a single inbox",
    resource: async (target) => agentResource(target, await inboxOf(target)),
  },
];

interface Evidence {
  readonly exchange: Exchange;
  /** Of the authorization request. */
  readonly granted: string;
}

/** Either the token endpoint refuses another resource, or it takes no notice of it. */
function expectUnchanged({ exchange, granted }: Evidence): void {
  if (isSuccess(exchange)) {
    expectAudience(requireTokens(exchange, "the token request").access_token, granted);
    return;
  }
  expectNoTokens(exchange);
  expectThat(exchange.response.status === 400, "400, or a token for the granted resource", summary(exchange));
}

const exchanged = grants.map(({ slug, words, resource }) =>
  check({
    id: `RES-32/${slug}-code`,
    claim: `The code of a grant for ${words}, exchanged with the JMAP resource, yields no token for anything but what was granted.`,
    needs: ["human"],
    async act(target): Promise<Evidence> {
      const granted = await resource(target);
      const code = await redeemableCode(target, { resource: granted });
      const fields = adding(codeExchange(code), ["resource", jmapResource(target)]);
      return { granted, exchange: await postToken(target, fields) };
    },
    assert: expectUnchanged,
  }),
);

const refreshedOtherwise = grants.map(({ slug, words, resource }) =>
  check({
    id: `RES-32/${slug}-refresh`,
    claim: `A grant for ${words}, refreshed with the JMAP resource, yields no token for anything but what was granted.`,
    needs: ["human"],
    async act(target): Promise<Evidence> {
      const granted = await resource(target);
      const { client, tokens } = await refreshed(target, await freshGrant(target, { resource: granted }));
      const fields = adding(refreshExchange(client, tokens.refresh_token), [
        "resource",
        jmapResource(target),
      ]);
      return { granted, exchange: await postToken(target, fields) };
    },
    assert: expectUnchanged,
  }),
);

export const tokenRequestChecks = [...exchanged, ...refreshedOtherwise];
