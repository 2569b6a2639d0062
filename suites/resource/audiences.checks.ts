import { agentResource, jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { responseParameter } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { freshGrant, type Grant, refreshed } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { expectAudience } from "./token-audience.ts";
import { request } from "./requests.ts";

const resources: readonly {
  requirement: string;
  slug: string;
  words: string;
  of: (target: Target) => Promise<string>;
}[] = [
  {
    requirement: "RES-01",
    slug: "jmap",
    words: "the JMAP resource",
    of: async (target) => jmapResource(target),
  },
  {
    requirement: "RES-02",
    slug: "mcp",
    words: "the MCP resource",
    of: async (target) => mcpResource(target),
  },
  {
    requirement: "RES-03",
    slug: "agent",
    words: "a single owned inbox",
    of: async (target) => agentResource(target, await inboxOf(target)),
  },
];

const accepted = resources.map(({ requirement, words, of }) =>
  check({
    id: requirement,
    claim: `A request for ${words} leads to an access token whose aud is that resource, byte for byte, and nothing else.`,
    needs: ["human"],
    async act(target) {
      const resource = await of(target);
      return { resource, outcome: await request(target, resource) };
    },
    assert({ resource, outcome: { seen, exchange } }) {
      const { end } = seen;
      if (exchange === undefined) {
        const error = end.kind === "redirect" ? shown(responseParameter(end.location, "error")) : end.reason;
        throw new Violation("a code", `a refusal: ${error}`);
      }
      const { access_token: token } = jsonMembers(exchange);
      if (typeof token !== "string") throw new Violation("an access token", summary(exchange));
      expectAudience(token, resource);
    },
  }),
);

const kept = resources.map(({ slug, words, of }) =>
  check({
    id: `RES-27/${slug}`,
    claim: `The access tokens of two refreshes of a grant for ${words} have the aud of the first.`,
    needs: ["human"],
    async act(target) {
      const resource = await of(target);
      const first: Grant = await freshGrant(target, { resource });
      const second = await refreshed(target, first);
      const third = await refreshed(target, second);
      return { resource, tokens: [second, third].map(({ tokens }) => tokens.access_token) };
    },
    assert({ resource, tokens }) {
      for (const token of tokens) expectAudience(token, resource);
    },
  }),
);

export const audienceChecks = [...accepted, ...kept];
